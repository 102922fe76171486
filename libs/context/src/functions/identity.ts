import type { BuiltIn } from './built-in.ts'

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function bytes(word: number): string {
  return `${hex[word & 255]}${hex[(word >>> 8) & 255]}${hex[(word >>> 16) & 255]}${hex[word >>> 24]}`
}

/** The shape of version 4, from the session's own numbers: a run with the same seed asks for the same ids. */
export const uuid: BuiltIn = {
  usage: 'uuid()',
  arity: [0, 0],
  pure: false,
  call(_given, random) {
    const a = bytes(random.bits())
    const b = bytes(random.bits())
    // Variant 10 in the top bits of the third word's first byte.
    const c = bytes((random.bits() & ~0xc0) | 0x80)
    const d = bytes(random.bits())
    return `${a}-${b.slice(0, 4)}-4${b.slice(5)}-${c.slice(0, 4)}-${c.slice(4)}${d}`
  },
}
