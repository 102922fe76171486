import { OnrushError } from '@onrush/protocol/error'

const longestPath = 1024
const longestName = 255
const deepest = 16

/** Control and format characters (bidi marks and zero-width ones among them), lone surrogates, private and unknown ones, odd spaces. */
const oddCharacter = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u
/** Means something to a shell, a URL or another system's file names. */
const forbidden = /[/\\<>:"|?*]/
/** Devices of Windows, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
/** These are programs or say how to run them: they come by the repository, where somebody reviews them. */
const program = /\.(?:[cm]?[jt]sx?|node|wasm|sh|so|dll|exe)$|^(?:package|package-lock|tsconfig|jsconfig)\.json$/i

/** What is wrong with one name of a path, in words; nothing when it is a good name. */
export function nameFault(name: string): string | undefined {
  if (name === '' || name === '.' || name === '..') return 'expected a name between slashes'
  if (new TextEncoder().encode(name).byteLength > longestName) return `expected a name of at most ${longestName} bytes`
  if (oddCharacter.test(name)) return 'expected no control, bidi, invisible or unassigned characters'
  if (forbidden.test(name)) return 'expected none of / \\ < > : " | ? *'
  // Characters that other systems take for a dot or a slash: a fullwidth one, a leader of dots.
  const plain = name.normalize('NFKC')
  if (plain !== name && (forbidden.test(plain) || /^\.+$/.test(plain)))
    return 'expected no look-alike of a slash or dot'
  if (name.startsWith('.')) return 'expected no hidden file'
  if (/[. ]$/.test(name) || name.startsWith(' ')) return 'expected no space around a name and no dot at its end'
  if (reserved.test(plain)) return 'expected no name that is a device on Windows'
  if (/^node_modules$/i.test(plain)) return 'expected no folder of packages'
  return undefined
}

export const isProgram = (name: string): boolean => program.test(name.normalize('NFKC'))

/**
 * The names of a path to a data file, from what a request says, percent-encoded. In one form of Unicode (NFC): two ways
 * to write one name are one file.
 */
export function safePath(encoded: string): string[] {
  let path: string
  try {
    path = decodeURIComponent(encoded).normalize('NFC')
  } catch (cause) {
    throw new OnrushError('malformed', 'expected a path in percent-encoded UTF-8', { cause })
  }
  if (path.length > longestPath) throw refused(path, `expected a path of at most ${longestPath} characters`)
  const names = path.split('/')
  if (names.length > deepest) throw refused(path, `expected at most ${deepest} folders`)
  for (const name of names) {
    const fault = nameFault(name)
    if (fault !== undefined) throw refused(path, fault)
  }
  if (isProgram(names.at(-1) ?? '')) throw refused(path, 'expected a data file; programs come with the repository')
  return names
}

function refused(path: string, message: string): OnrushError {
  const shown = JSON.stringify(path.slice(0, 200))
  return new OnrushError('invalid', `the path ${shown} is refused: ${message}`, { errors: [{ path: 'path', message }] })
}

/** Two names that a file system may take for one: they differ in case or in the form of their characters. */
export const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
