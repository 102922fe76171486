import { extname } from 'node:path'

const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm
const defaultExport = /^\s*export\s+default\b|\bexport\s*\{[^}]*\bdefault\b[^}]*\}|;\s*export\s+default\b/m
/** Of YAML and JSON, the one key that every simulation has. */
const scenariosKey = /(?:^|[{,\n])\s*(["']?)scenarios\1\s*:/

/**
 * Whether a file is meant as a simulation: a module with a default export, or data with `scenarios`. Read off the text,
 * because a script is loaded only to find out what is in it, and helper modules beside it are no broken simulations.
 */
export function holdsSimulation(file: string, text: string): boolean {
  if (/\.(?:ya?ml|json)$/i.test(extname(file))) return scenariosKey.test(text)
  return defaultExport.test(text.replace(comments, ''))
}
