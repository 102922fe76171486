import { OnrushError } from '@onrush/protocol/error'
import type { PlacedScript } from 'onrush/loaded'

/** What only the engine finds wrong with a simulation is told with its line too, as what was found before. */
export async function withPlaces<T>({ placeOf }: Pick<PlacedScript, 'placeOf'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof OnrushError)) throw error
    let detail = error.message
    const errors = error.errors.map(({ path, message }) => {
      const place = path.startsWith('$') ? placeOf(path) : undefined
      if (place === undefined) return { path, message }
      detail = detail.replace(`${path}: ${message}`, () => `${place} ${path}: ${message}`)
      return { path: `${place} ${path}`, message }
    })
    throw new OnrushError(error.code, detail, { errors, cause: error.cause })
  }
}
