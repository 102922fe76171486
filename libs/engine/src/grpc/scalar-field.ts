import type { Convert } from './message-walk.ts'

// Rows of a feeder are texts, so numbers and truth values are taken as texts too; nothing else is guessed.

const whole =
  (what: string, least: number, most: number): Convert =>
  (value, walk) => {
    const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most) return number
    return walk.expected(`${what}, a whole number from ${least} to ${most}`, value)
  }

const wide =
  (what: string, unsigned: boolean): Convert =>
  (value, walk) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && (value >= 0 || !unsigned)) return value
    if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) {
      const bits = BigInt(value)
      if (bits === (unsigned ? BigInt.asUintN(64, bits) : BigInt.asIntN(64, bits))) {
        // As the encoder takes it: a double would lose its last digits.
        return { low: Number(BigInt.asIntN(32, bits)), high: Number(BigInt.asIntN(32, bits >> 32n)), unsigned }
      }
    }
    return walk.expected(`${what}, a whole number (as text where it is beyond ±9007199254740991)`, value)
  }

const real: Convert = (value, walk) => {
  if (typeof value === 'number') return value
  if (typeof value === 'string' && /^(?:[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|NaN|-?Infinity)$/i.test(value)) {
    return Number(value)
  }
  return walk.expected('a number', value)
}

const truth: Convert = (value, walk) => {
  if (typeof value === 'boolean') return value
  if (value === 'true' || value === 'false') return value === 'true'
  return walk.expected('true or false', value)
}

const text: Convert = (value, walk) => {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return walk.expected('a text', value)
}

const bytes: Convert = (value, walk) => {
  if (value instanceof Uint8Array) return value
  if (typeof value === 'string' && /^[\w+/-]*={0,2}$/.test(value)) return Buffer.from(value, 'base64')
  return walk.expected('bytes in base64', value)
}

const converts: { readonly [type: string]: Convert } = {
  double: real,
  float: real,
  int32: whole('an int32', -(2 ** 31), 2 ** 31 - 1),
  sint32: whole('a sint32', -(2 ** 31), 2 ** 31 - 1),
  sfixed32: whole('a sfixed32', -(2 ** 31), 2 ** 31 - 1),
  uint32: whole('a uint32', 0, 2 ** 32 - 1),
  fixed32: whole('a fixed32', 0, 2 ** 32 - 1),
  int64: wide('an int64', false),
  sint64: wide('a sint64', false),
  sfixed64: wide('a sfixed64', false),
  uint64: wide('a uint64', true),
  fixed64: wide('a fixed64', true),
  bool: truth,
  string: text,
  bytes,
}

/** How a scalar of that type is taken; `undefined` where the name is none of protobuf's scalars. */
export function scalarConvert(type: string): Convert | undefined {
  return Object.hasOwn(converts, type) ? converts[type] : undefined
}
