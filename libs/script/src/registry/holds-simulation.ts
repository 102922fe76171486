import { extname } from 'node:path'
import { isMap, isScalar, parseDocument } from 'yaml'

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
const defaultExport = /^\s*export\s+default\b|\bexport\s*\{[^}]*\bdefault\b[^}]*\}|;\s*export\s+default\b/m
/** Of YAML and JSON, the one key that every simulation has; cheap to look for, so that most data is never parsed. */
const scenariosKey = /(?:^|[{,\n])\s*(["']?)scenarios\1\s*:/

/**
 * Whether a file is meant as a simulation: a module with a default export, or data with `scenarios` at its top. Read off
 * the text, because a script is loaded only to find out what is in it, and helper modules beside it are no broken
 * simulations.
 */
export function holdsSimulation(file: string, text: string): boolean {
  const ending = extname(file).toLowerCase()
  if (ending === '.json') return scenariosKey.test(text) && isAtTopOfJson(text)
  if (/^\.ya?ml$/.test(ending)) return scenariosKey.test(text) && isAtTopOfYaml(text)
  return defaultExport.test(text.replace(comments, ''))
}

function isAtTopOfJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && Object.hasOwn(value, 'scenarios')
  } catch {
    // Half a simulation: its author wants to hear of it.
    return true
  }
}

/** By its lines where they show it, as nearly all do: to parse megabytes of data here would hold up the whole service. */
function isAtTopOfYaml(marked: string): boolean {
  const text = marked.replace(/^\uFEFF/, '')
  const [, indent = '', first = ''] = /^(?!---|%)([ ]*)([^\s#].*)$/m.exec(text) ?? []
  if (first.startsWith('- ')) return false
  if (!first.startsWith('{')) return new RegExp(`^${indent}(["']?)scenarios\\1\\s*:`, 'm').test(text)
  const { contents, errors } = parseDocument(text, { prettyErrors: false })
  return (
    errors.length > 0 ||
    (isMap(contents) && contents.items.some(({ key }) => isScalar(key) && key.value === 'scenarios'))
  )
}
