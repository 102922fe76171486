/** A list as PostgreSQL writes it: `{1,NULL,"a \"b\"",{…}}`, with bounds before it (`[0:1]=`) when they are not 1. */
export function parseArray(text: string, read: (item: string) => unknown): unknown[] {
  const stack: unknown[][] = []
  const item = /"((?:[^"\\]|\\.)*)"|[{}]|,|[^{},"]+/gsy
  item.lastIndex = text.indexOf('{')
  for (let found = item.exec(text); found !== null; found = item.exec(text)) {
    const [token, quoted] = found
    const list = stack.at(-1)
    if (quoted !== undefined) list?.push(read(quoted.replace(/\\(.)/gs, '$1')))
    else if (token === '{') {
      const inner: unknown[] = []
      list?.push(inner)
      stack.push(inner)
    } else if (token === '}') {
      if (stack.length === 1) return stack[0] ?? []
      stack.pop()
    } else if (token !== ',') list?.push(token === 'NULL' ? null : read(token))
  }
  return stack[0] ?? []
}
