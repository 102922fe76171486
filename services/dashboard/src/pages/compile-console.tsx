import { count, duration } from '@onrush/protocol/figures'
import type { CompilerMessage } from '@onrush/protocol/monitor'
import type { CompileOutcome } from '@onrush/protocol/simulation-entry'
import { useEffect, useRef, useState } from 'preact/hooks'
import { post } from '../api/request.ts'
import { openStream } from '../api/stream.ts'
import { Card } from '../parts/card.tsx'
import { Faults, PlaceText } from '../parts/faults.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { reachable } from '../parts/reachable.ts'
import { placeHref } from '../source/place.ts'

type Line = Extract<CompilerMessage, { type: 'line' }>
/** As the stream tells it; the answer adds what is wrong with which. */
type Told = Extract<CompilerMessage, { type: 'outcome' }> | CompileOutcome
const mostLines = 2000

const words = { idle: 'at rest', pulling: 'pulling', checking: 'checking', bundling: 'bundling' } as const

const whereIs = (simulation: string | undefined, place: string) =>
  simulation === undefined ? undefined : placeHref(simulation, place)

/** Compiles, and shows what the compiler says as it says it. */
export function CompileConsole({ done }: { done: () => void }) {
  const [lines, setLines] = useState<readonly Line[]>([])
  const [state, setState] = useState<keyof typeof words>('idle')
  const [outcome, setOutcome] = useState<Told>()
  const [error, setError] = useState<Error>()
  const [busy, setBusy] = useState(false)
  const [pull, setPull] = useState(false)
  const end = useRef<HTMLDivElement>(null)
  useEffect(
    () =>
      openStream<CompilerMessage>('api/compile/stream', {
        onMessage: message => {
          if (message.type === 'line') setLines(before => [...before.slice(-mostLines), message])
          else if (message.type === 'state') setState(message.state)
          else setOutcome(message)
        },
      }),
    [],
  )
  useEffect(() => end.current?.scrollIntoView({ block: 'nearest' }), [lines.length])
  const compile = () => {
    setBusy(true)
    setError(undefined)
    setOutcome(undefined)
    setLines([])
    post<CompileOutcome | { links: { stream: string } }>('api/compile', pull ? { pull } : {})
      // Where it takes long the answer does not wait, and the stream tells the outcome.
      .then(answer => 'ok' in answer && setOutcome(answer), setError)
      .finally(() => {
        setBusy(false)
        done()
      })
  }
  return (
    <Card
      title="Compiler"
      note={words[state]}
      tools={
        <>
          <label class="check acts">
            <input type="checkbox" checked={pull} onChange={event => setPull(event.currentTarget.checked)} />
            git pull first
          </label>
          <button type="button" class="primary acts" disabled={busy} onClick={compile}>
            {busy ? 'Compiling …' : 'Compile'}
          </button>
        </>
      }
    >
      {error !== undefined && <ErrorNotice error={error} />}
      {lines.length > 0 && (
        <div class="console" role="log" aria-label="What the compiler says" {...reachable}>
          {lines.map((line, i) => (
            <p key={i} class={line.level}>
              {line.place !== undefined && (
                <>
                  <PlaceText path={line.place} to={whereIs(line.simulation, line.place)} />{' '}
                </>
              )}
              {line.text}
            </p>
          ))}
          <div ref={end} />
        </div>
      )}
      {outcome !== undefined && <Outcome outcome={outcome} told={lines.length > 0} />}
      {lines.length === 0 && outcome === undefined && error === undefined && (
        <p class="aside">Checks and bundles all that has changed. What it says appears here, line by line.</p>
      )}
    </Card>
  )
}

/** What is wrong with which, where the console has not said it. */
function Outcome({ outcome, told }: { outcome: Told; told: boolean }) {
  const { ok, compiled, unchanged, failed, elapsedMs } = outcome
  const broken = (!told && 'simulations' in outcome ? outcome.simulations : []).filter(
    ({ errors }) => errors !== undefined && errors.length > 0,
  )
  return (
    <>
      <p class={ok ? 'passed' : 'failed'}>
        {ok ? '✓' : '✗'} {count(compiled)} compiled, {count(unchanged)} unchanged, {count(failed)} failed, in{' '}
        {duration(elapsedMs)}
      </p>
      {broken.map(({ name, errors = [] }) => (
        <Faults key={name} faults={errors} hrefOf={path => placeHref(name, path)} />
      ))}
    </>
  )
}
