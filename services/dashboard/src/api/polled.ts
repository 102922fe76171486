import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { locked } from './access.ts'
import { backoffMs } from './backoff.ts'
import { get } from './request.ts'

export interface Polled<T> {
  /** The last that came; it stays when the next one does not. */
  readonly data: T | undefined
  /** Why the latest attempt failed. */
  readonly error: Error | undefined
  again(): void
}

/** A resource of the reporter, asked for again and again while the page is looked at. */
export function usePolled<T>(path: string | undefined, everyMs = 3000): Polled<T> {
  const [state, setState] = useState<{ data: T | undefined; error: Error | undefined }>({
    data: undefined,
    error: undefined,
  })
  const ask = useRef<() => void>(() => {})
  useEffect(() => {
    setState({ data: undefined, error: undefined })
    if (path === undefined) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let running: AbortController | undefined
    let failures = 0
    const next = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(attempt, ms)
    }
    const attempt = async () => {
      if (document.hidden || locked.value) return next(1000)
      running?.abort()
      const mine = new AbortController()
      running = mine
      try {
        const data = await get<T>(path, mine.signal)
        if (mine.signal.aborted) return
        failures = 0
        setState({ data, error: undefined })
        next(everyMs)
      } catch (error) {
        if (mine.signal.aborted) return
        setState(before => ({ ...before, error: error instanceof Error ? error : new Error(String(error)) }))
        next(Math.max(everyMs / 2, backoffMs(failures++)))
      }
    }
    ask.current = () => next(0)
    const unlocked = locked.watch(isLocked => isLocked || next(0))
    next(0)
    return () => {
      clearTimeout(timer)
      running?.abort()
      unlocked()
    }
  }, [path, everyMs])
  const again = useCallback(() => ask.current(), [])
  return { ...state, again }
}
