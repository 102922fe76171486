/**
 * Every name that a value of the language can inherit. A key that is none of these can only be found on the object
 * itself, so a plain load reads it; the others pay for a check that they are the object's own.
 */
const names = new Set(
  [
    Object,
    Function,
    Array,
    String,
    Number,
    Boolean,
    BigInt,
    Symbol,
    Date,
    RegExp,
    Map,
    Set,
    Promise,
    Error,
    URL,
    Buffer,
  ]
    .flatMap(type => [type.prototype, Object.getPrototypeOf(type.prototype)])
    .flatMap(prototype => (prototype === null ? [] : Object.getOwnPropertyNames(prototype))),
)

/** Digits are not plain either: they may index a text, which is no object, as JSONPath has it. */
export function isPlain(key: string): boolean {
  return !names.has(key) && !/^\d+$/.test(key)
}
