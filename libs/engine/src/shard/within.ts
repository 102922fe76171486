import { OnrushError } from '@onrush/protocol/error'

/** Waits for something at most so long; the error says what was waited for. */
export async function within<T>(ms: number, what: string, wait: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new OnrushError('timeout', `${what} took longer than ${Math.round(ms / 100) / 10} s`)),
      Math.min(ms, 2 ** 31 - 1),
    )
  })
  try {
    return await Promise.race([wait, late])
  } finally {
    clearTimeout(timer)
  }
}
