/** A seed of its own for each part of a run: FNV-1a, so that neighbouring seeds and names give unrelated ones. */
export function seedOf(seed: number, ...names: (string | number)[]): number {
  let hash = 0x811c9dc5
  const text = [seed, ...names].join('\0')
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
