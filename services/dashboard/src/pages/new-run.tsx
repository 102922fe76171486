import { session } from '../api/access.ts'
import { Empty } from '../parts/notice.tsx'
import { Switch } from '../parts/switch.tsx'
import { useQuery } from '../route.ts'
import { useStore } from '../store.ts'
import { useAgain } from './again.ts'
import { NewSimulation } from './new-simulation.tsx'
import { NewSingle } from './new-single.tsx'

/** A run is begun with one request, or with a script. */
export function NewRunPage() {
  const [simulation, setSimulation] = useQuery('simulation')
  const [againId] = useQuery('again')
  const again = useAgain(againId)
  const kind = simulation !== undefined || again?.kind === 'simulation' ? 'simulation' : 'single'
  const who = useStore(session)
  if (who?.role === 'viewer') {
    return (
      <Empty title="Runs are started by operators">
        <p>{who.name} may look at everything here, and change nothing.</p>
      </Empty>
    )
  }
  return (
    <>
      <header class="page-head">
        <h1>New run</h1>
        <Switch
          label="What runs"
          options={[
            ['single', 'one endpoint'],
            ['simulation', 'a simulation'],
          ]}
          value={kind}
          onChange={each => setSimulation(each === 'single' ? undefined : '')}
        />
      </header>
      {againId !== undefined && again === undefined ? (
        <p class="loading">Loading {againId} …</p>
      ) : kind === 'single' ? (
        <NewSingle key={againId} given={again?.kind === 'single' ? again.form : undefined} />
      ) : (
        <NewSimulation
          key={againId}
          name={
            simulation === undefined || simulation === ''
              ? again?.kind === 'simulation'
                ? again.name
                : undefined
              : simulation
          }
          environment={again?.kind === 'simulation' ? again.environment : undefined}
          choose={setSimulation}
        />
      )}
    </>
  )
}
