import { bytes, count, share } from '@onrush/protocol/figures'
import { useState } from 'preact/hooks'
import { Card } from '../parts/card.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { some } from '../parts/some.ts'
import { Code } from '../source/code.tsx'
import type { RunView } from './view.ts'

const longestSource = 200_000

/** What ran, where, and how to run it again. */
export function Setting({ view }: { view: RunView }) {
  const { run, summary } = view
  if (run === undefined) return null
  const { machine, environment, simulation, command } = run
  const { utilisation } = summary?.generator ?? {}
  const values = Object.entries(environment.values)
  return (
    <Card id="setting" title="Setting">
      {command !== undefined && (
        <>
          <h3>Run it again</h3>
          <CommandLine text={command} what="the command that repeats the run" />
        </>
      )}
      <dl class="facts">
        <dt>run</dt>
        <dd>
          <code>{run.runId}</code>
        </dd>
        <dt>simulation</dt>
        <dd>
          {simulation.file ?? run.name} <code title={simulation.hash}>{simulation.hash.slice(0, 16)}</code>
        </dd>
        <dt>seed</dt>
        <dd>{run.seed}</dd>
        <dt>environment</dt>
        <dd>
          {environment.name ?? 'none named'}
          {values.map(([name, value]) => (
            <div key={name}>
              <code>
                {name} = {value}
              </code>
            </div>
          ))}
        </dd>
        <dt>machine</dt>
        <dd>
          {machine.hostname}: {machine.cpu}, {count(machine.cores)} {machine.cores === 1 ? 'core' : 'cores'},{' '}
          {bytes(machine.memory)} memory, {machine.platform}
        </dd>
        <dt>versions</dt>
        <dd>
          Onrush {machine.onrush}, Node {machine.node}
        </dd>
        {utilisation !== undefined && (
          <>
            <dt>event loops</dt>
            <dd>
              busy {share(Math.min(1, utilisation.mean))} on average, {share(Math.min(1, utilisation.max))} at most
            </dd>
          </>
        )}
        {run.ext !== undefined && (
          <>
            <dt>ext</dt>
            <dd>
              <code>{JSON.stringify(run.ext)}</code>
            </dd>
          </>
        )}
      </dl>
      {/* What came in a request has no file, and is shown as the data it is. */}
      <Script file={simulation.file ?? 'simulation.json'} source={simulation.source} />
    </Card>
  )
}

function Script({ file, source }: { file: string; source: string | undefined }) {
  const [open, setOpen] = useState(false)
  if (source === undefined) return null
  const more = source.length - longestSource
  return (
    <details class="script" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>The script, {some(source.trimEnd().split('\n').length, 'line', 'lines')}</summary>
      {/* Thousands of elements that most readers never look at. */}
      {open && <Code file={file} text={source.slice(0, longestSource)} />}
      {more > 0 && <p class="aside">… and {count(more)} characters more, in report.json</p>}
    </details>
  )
}
