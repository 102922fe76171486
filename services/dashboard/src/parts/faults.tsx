import type { Fault } from '@onrush/protocol/problem'
import { again } from '../route.ts'

export interface FaultsProps {
  faults: readonly Fault[]
  /** Where the place of a fault can be seen. */
  hrefOf?: (path: string) => string | undefined
}

/** Everything that is wrong, each with its place. */
export function Faults({ faults, hrefOf }: FaultsProps) {
  if (faults.length === 0) return null
  return (
    <ul class="faults">
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <PlaceText path={path} to={hrefOf?.(path)} /> {message}
        </li>
      ))}
    </ul>
  )
}

/** A place, and the way there where there is one. */
export function PlaceText({ path, to }: { path: string; to: string | undefined }) {
  if (to === undefined) return <code>{path}</code>
  return (
    <a href={to} onClick={() => again(to)}>
      <code>{path}</code>
    </a>
  )
}
