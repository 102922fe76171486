import { unreachableSince } from '../api/reachable.ts'
import { Instant } from '../parts/instant.tsx'
import { useStore } from '../store.ts'

/** Says that what is shown is old, and how old. */
export function UnreachableBar() {
  const since = useStore(unreachableSince)
  return (
    <div role="status">
      {since !== undefined && (
        <p class="unreachable">
          The reporter has not answered since <Instant at={new Date(since).toISOString()} />. What you see is as old;
          the page comes back by itself.
        </p>
      )}
    </div>
  )
}
