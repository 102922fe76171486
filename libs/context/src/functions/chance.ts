import { RenderError } from '../render-error.ts'
import { integerAt, numberAt, show, textAt } from './arguments.ts'
import type { BuiltIn } from './built-in.ts'

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const longest = 65_536

export const randomInt: BuiltIn = {
  usage: 'randomInt(low, high), both included',
  arity: [2, 2],
  pure: false,
  call(given, random) {
    const low = integerAt(given, 0, 'low')
    const high = integerAt(given, 1, 'high')
    if (low > high) throw new RenderError('', `low ${low} is above high ${high}`)
    return random.integer(low, high)
  },
}

export const randomFloat: BuiltIn = {
  usage: 'randomFloat(low, high), high excluded',
  arity: [2, 2],
  pure: false,
  call(given, random) {
    const low = numberAt(given, 0, 'low')
    const high = numberAt(given, 1, 'high')
    if (low > high) throw new RenderError('', `low ${low} is above high ${high}`)
    return low + random.float() * (high - low)
  },
}

export const randomString: BuiltIn = {
  usage: `randomString(length, [alphabet]), up to ${longest} characters`,
  arity: [1, 2],
  pure: false,
  call(given, random) {
    const length = integerAt(given, 0, 'length')
    if (length < 0 || length > longest) throw new RenderError('', `length ${length} is not within 0 and ${longest}`)
    const alphabet = Array.from(given.length > 1 ? textAt(given, 1, 'alphabet') : alphanumeric)
    if (alphabet.length === 0) throw new RenderError('', 'the alphabet is empty')
    let text = ''
    for (let i = 0; i < length; i++) text += alphabet[random.integer(0, alphabet.length - 1)]
    return text
  },
}

/** One list, or the items themselves. */
export const randomItem: BuiltIn = {
  usage: 'randomItem(list) or randomItem(a, b, …)',
  arity: [1, 100],
  pure: false,
  call(given, random) {
    const [only] = given
    const items: readonly unknown[] = given.length === 1 && Array.isArray(only) ? only : given
    if (given.length === 1 && !Array.isArray(only)) throw new RenderError('', `${show(only)} is not a list`)
    if (items.length === 0) throw new RenderError('', 'the list is empty')
    return items[random.integer(0, items.length - 1)]
  },
}
