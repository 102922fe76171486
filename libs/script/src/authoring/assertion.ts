import type { Json } from './json.ts'

export type TypeName = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

/** What a value has to meet; all operators given must hold. Both sides may hold references. */
export type Operators = {
  /** Equal, deeply. */
  readonly $eq?: Json
  /** Not equal. */
  readonly $ne?: Json
  readonly $gt?: number | string
  readonly $gte?: number | string
  readonly $lt?: number | string
  readonly $lte?: number | string
  /** One of these values. */
  readonly $in?: readonly Json[] | string
  /** None of these values. */
  readonly $nin?: readonly Json[] | string
  /** A regular expression that text must match. */
  readonly $regex?: string
  /** The number of items, keys or characters: a count, or operators on the count. */
  readonly $size?: number | string | Operators
  readonly $type?: TypeName
  /** Whether the path leads to anything, `null` included. */
  readonly $exists?: boolean
  /** Whether text, a list or a map holds nothing. */
  readonly $empty?: boolean
  readonly $null?: boolean
  readonly $not?: Condition
  readonly $and?: readonly Condition[]
  readonly $or?: readonly Condition[]
  readonly $nor?: readonly Condition[]
  /** Every item of a list meets this. */
  readonly $all?: Condition
  /** At least one item of a list meets this. */
  readonly $any?: Condition
}

/** A map to compare with. Keys that start with `$` are operators, so a literal cannot have them. */
type LiteralMap = {
  readonly [key: string]: Json
  readonly [key: `$${string}`]: never
}

/** A literal, to be equal to, or operators: `200`, `{ $gt: 0 }`. */
export type Condition = null | boolean | number | string | readonly Json[] | Operators | LiteralMap

/** Paths to what they must meet: `{ '$.status': 200, '$.entity.price': { $gt: 0 } }`. Everything listed must hold. */
export type Assertion = {
  readonly [path: `$.${string}` | `$[${string}`]: Condition
  /** All of these assertions hold. */
  readonly $and?: readonly Assertion[]
  /** At least one of these assertions holds. */
  readonly $or?: readonly Assertion[]
  /** None of these assertions holds. */
  readonly $nor?: readonly Assertion[]
  /** This assertion does not hold. */
  readonly $not?: Assertion
}
