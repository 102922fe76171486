import { parseSync } from 'oxc-parser'

/** Something a file says about another: an import in any form, a path to a thread's entry, or the global `process`. */
export interface Reference {
  kind: 'import' | 'url' | 'process'
  /** The specifier as written; empty for `process`. */
  to: string
  line: number
}

interface Node {
  type: string
  start: number
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const textOf = (value: unknown): string | undefined => {
  if (!isNode(value)) return undefined
  if (value.type === 'Literal' && typeof value.value === 'string') return value.value
  if (value.type === 'TSLiteralType') return textOf(value.literal)
  return undefined
}

/** `new URL('./x.ts', import.meta.url)`, which is how a thread's or a process's entry is named. */
function urlArgument(node: Node): string | undefined {
  const callee = node.callee
  if (node.type !== 'NewExpression' || !isNode(callee) || callee.name !== 'URL' || !Array.isArray(node.arguments))
    return undefined
  return node.arguments.length === 2 ? textOf(node.arguments[0]) : undefined
}

function specifier(node: Node): string | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
      return textOf(node.source)
    case 'TSImportType':
      return textOf(node.source ?? node.argument)
    default:
      return undefined
  }
}

function isGlobalProcess(node: Node, parent: Node | undefined): boolean {
  if (node.type !== 'Identifier' || node.name !== 'process') return false
  if (parent?.type === 'MemberExpression') return parent.object === node
  return !(parent?.key === node && parent.computed !== true)
}

/** Every reference of a source, `import type` and `import('…')` types included, which type stripping would hide. */
export function referencesOf(file: string, source: string): Reference[] {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const found: Reference[] = []
  const visit = (node: Node, parent: Node | undefined): void => {
    const to = specifier(node)
    if (to !== undefined)
      found.push({ kind: to === 'node:process' ? 'process' : 'import', to, line: lineAt(node.start) })
    const url = urlArgument(node)
    if (url !== undefined) found.push({ kind: 'url', to: url, line: lineAt(node.start) })
    if (isGlobalProcess(node, parent)) found.push({ kind: 'process', to: '', line: lineAt(node.start) })
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node)
    }
  }
  if (isNode(program)) visit(program, undefined)
  return found
}
