export interface Repeating {
  stop(): void
}

/** Does something again and again. A turn that takes longer, as while Redis is away, gathers no others behind it. */
export function repeat(everyMs: number, turn: () => Promise<void>, failed: (error: unknown) => void): Repeating {
  let busy = false
  const timer = setInterval(() => {
    if (busy) return
    busy = true
    turn()
      .catch(failed)
      .finally(() => {
        busy = false
      })
  }, everyMs)
  return { stop: () => clearInterval(timer) }
}
