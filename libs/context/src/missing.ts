/** What a read gives when the path leads nowhere. Not `undefined` or `null`: a variable may hold `null` and be found. */
export const missing: unique symbol = Symbol('missing')
