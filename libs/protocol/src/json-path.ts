/** `$.scenarios[0]['log in']`: a path a person can follow and a program can evaluate. */
export function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    const name = String(key)
    return /^[A-Za-z_$][\w$-]*$/.test(name) ? `${text}.${name}` : `${text}['${name.replaceAll("'", "\\'")}']`
  }, '$')
}

/** What lies at a path, looking at own properties only. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (here, key) =>
      typeof here === 'object' && here !== null && Object.hasOwn(here, key) ? Reflect.get(here, key) : undefined,
    value,
  )
}
