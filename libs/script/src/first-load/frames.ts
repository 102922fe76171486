/** Line and column in the bundle, both from 1, the innermost call first. */
export type Frame = readonly [line: number, column: number]

/** The calls of a stack that lie in the bundle. */
export function framesOf(stack: unknown, bundle: string): Frame[] {
  if (typeof stack !== 'string') return []
  return stack.split('\n').flatMap(line => {
    const at = line.indexOf(bundle)
    const found = at === -1 ? null : /^[^\s)]*?:(\d+):(\d+)\)?$/.exec(line.slice(at + bundle.length))
    return found === null ? [] : [[Number(found[1]), Number(found[2])] as const]
  })
}
