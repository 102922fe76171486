/**
 * A map for data from outside. Its chain ends in an empty frozen object, so that `__proto__` or `constructor` are keys
 * like all others. `Object.create(null)` would do the same, but V8 keeps such objects as hash tables; instances of a
 * class keep a hidden class, and reading a variable stays one load.
 */
class ScopeMap {
  [name: string]: unknown
}
Reflect.deleteProperty(ScopeMap.prototype, 'constructor')
Object.setPrototypeOf(ScopeMap.prototype, null)
Object.freeze(ScopeMap.prototype)

export type Scope = { [name: string]: unknown }

export function createScope(values?: { readonly [name: string]: unknown }): Scope {
  const scope = new ScopeMap()
  if (values !== undefined) for (const name of Object.keys(values)) scope[name] = values[name]
  return scope
}
