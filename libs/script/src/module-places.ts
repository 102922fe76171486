import { relative, sep } from 'node:path'

/** In every bundle, the variable that holds the URL of the script. */
export const scriptUrlName = '__onrushScript'
/** What stands there until the bundle is put beside a script. */
export const scriptPlaceholder = '"onrush:script"'

const asks = /\bimport\.meta\.(?:url|dirname|filename)\b|\b__(?:dirname|filename)\b/

const declares = (name: string, source: string) =>
  new RegExp(`\\b(?:const|let|var|import)\\b[^;\\n]*\\b${name}\\b\\s*(?:[=,;}]|from\\b)`).test(source)

const folderOf = (file: string) => `${file}.slice(0, ${file}.lastIndexOf('/')) || '/'`

/**
 * A module that asks where it lies is told the place of its source, seen from the script's folder, so that it finds the
 * files beside it. Nothing when it does not ask. Kept on the first line: the source map stays true.
 */
export function placeModule(source: string, path: string, folder: string): string | undefined {
  if (!asks.test(source)) return undefined
  const from = JSON.stringify(encodeURI(relative(folder, path).split(sep).join('/')))
  const url = `new URL(${from}, ${scriptUrlName})`
  const file = `decodeURIComponent(${url}.pathname)`
  const places = [`__onrushUrl = ${url}.href`, `__onrushFile = ${file}`, `__onrushFolder = ${folderOf('__onrushFile')}`]
  // Many a module makes these two for itself, as CommonJS has them and ES modules have not.
  if (!declares('__filename', source)) places.push('__filename = __onrushFile')
  if (!declares('__dirname', source)) places.push('__dirname = __onrushFolder')
  // A first line for the shell would be no comment any more.
  const program = source.startsWith('#!') ? `//${source}` : source
  return `var ${places.join(', ')};${program
    .replaceAll('import.meta.url', '__onrushUrl')
    .replaceAll('import.meta.filename', '__onrushFile')
    .replaceAll('import.meta.dirname', '__onrushFolder')}`
}

const placed = /^var __onrushUrl = .*? \|\| '\/'(?:, __filename = __onrushFile)?(?:, __dirname = __onrushFolder)?;/

/** A module as its author wrote it, out of what `placeModule` has made of it. */
export function unplacedModule(source: string): string {
  if (!placed.test(source)) return source
  return source
    .replace(placed, '')
    .replace(/^\/\/#!/, '#!')
    .replaceAll('__onrushUrl', 'import.meta.url')
    .replaceAll('__onrushFile', 'import.meta.filename')
    .replaceAll('__onrushFolder', 'import.meta.dirname')
}
