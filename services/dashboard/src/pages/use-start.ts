import type { Started } from '@onrush/protocol/job'
import { useRef, useState } from 'preact/hooks'
import { post } from '../api/request.ts'
import { go, href } from '../route.ts'

/** `randomUUID` is there on secure pages only, and a reporter is often reached by plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Begins a run and goes to it. A press that is repeated because no answer came begins it only once. */
export function useStart(path: string) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<Error>()
  const key = useRef<{ body: string; key: string }>(undefined)
  const start = (body: unknown) => {
    const text = JSON.stringify(body)
    if (key.current?.body !== text) key.current = { body: text, key: newKey() }
    setBusy(true)
    setError(undefined)
    post<Started>(path, body, { 'idempotency-key': key.current.key })
      .then(({ runId }) => go(href(['runs', runId])))
      .catch((failure: Error) => {
        setError(failure)
        setBusy(false)
      })
  }
  return { start, busy, error }
}
