/** The name under which a loader offers a place to remember where steps were written. */
export const placesKey = Symbol.for('onrush.places')

/**
 * Remembers the line that called a builder, so that a fault in the data can name it. Only the first load collects
 * places: where nobody offers a map, this costs one look-up.
 */
export function placed<T extends object>(value: T): T {
  const places: unknown = Reflect.get(globalThis, placesKey)
  if (places instanceof WeakMap) places.set(value, new Error('placed').stack)
  return value
}
