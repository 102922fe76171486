import { posix, win32 } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { folded, isProgram, nameFault, safePath } from './safe-path.ts'

const refuses = (path: string) => {
  try {
    safePath(path)
    return false
  } catch {
    return true
  }
}

describe('the path of a data file', () => {
  it.each([
    ['users.csv', ['users.csv']],
    ['team/a%20b/items.json', ['team', 'a b', 'items.json']],
    ['%C3%BCbung.csv', ['übung.csv']],
    ['u%CC%88bung.csv', ['übung.csv']],
    ['数据.csv', ['数据.csv']],
  ])('%s is %j', (path, names) => {
    expect(safePath(path)).toEqual(names)
  })

  it.each([
    ['', 'nothing'],
    ['..', 'the folder above'],
    ['../x.csv', 'the folder above'],
    ['a/../../x.csv', 'the folder above'],
    ['a/./x.csv', 'a dot'],
    ['..%2F..%2Fetc%2Fpasswd', 'the folder above, encoded'],
    ['%2e%2e/x.csv', 'dots, encoded'],
    ['/etc/passwd', 'an absolute path'],
    ['%2Fetc/passwd', 'an absolute path, encoded'],
    ['C:/x.csv', 'a drive'],
    ['x.csv:stream', 'a stream of NTFS'],
    ['a\\b.csv', 'a backslash'],
    ['a%5Cb.csv', 'a backslash, encoded'],
    ['a%00.csv', 'NUL'],
    ['a%0Ab.csv', 'a line break'],
    ['a%E2%80%AEvsc.exe', 'a turn of the writing direction'],
    ['a%E2%80%8Bb.csv', 'a space without width'],
    ['a%EF%BC%8Fb.csv', 'a fullwidth slash'],
    ['%E2%80%A5/x.csv', 'a leader of two dots'],
    ['a%C2%A0b.csv', 'a space that does not break'],
    ['%FF.csv', 'no UTF-8'],
    ['%E0%80%AF', 'an overlong slash'],
    ['con', 'a device'],
    ['NUL.csv', 'a device with an ending'],
    ['com1.csv', 'a port'],
    ['%EF%BD%83on.csv', 'a fullwidth device'],
    ['a.csv.', 'a dot at the end'],
    ['a.csv%20', 'a space at the end'],
    ['.git/config', 'a hidden folder'],
    ['.env', 'a hidden file'],
    ['node_modules/x.json', 'a folder of packages'],
    ['Node_Modules/x.json', 'the same in other letters'],
    ['run.ts', 'a program'],
    ['run.MJS', 'a program in capitals'],
    ['package.json', 'what says how to run programs'],
    [`${'a'.repeat(256)}`, 'a name too long'],
    [`${'a/'.repeat(17)}x.csv`, 'too many folders'],
  ])('is refused where it is %j: %s', path => {
    expect(refuses(path)).toBe(true)
  })

  it('never leads out of its folder, whatever is asked for', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '..',
        '.',
        '/',
        '\\',
        '%2e',
        '%2f',
        '%5c',
        '%00',
        ':',
        '~',
        ' ',
        'con',
        '．',
        '／',
        '․',
        '\u202e',
      ),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        let names: string[]
        try {
          names = safePath(pieces.join(''))
        } catch {
          return
        }
        for (const { join, resolve, sep } of [posix, win32]) {
          const root = resolve('/registry')
          const at = resolve(root, join(...names))
          expect(at.startsWith(root + sep)).toBe(true)
          expect(at.slice(root.length + 1).split(sep)).toEqual(names)
        }
        for (const name of names) expect(nameFault(name)).toBeUndefined()
        // What was accepted is accepted again, as the same.
        expect(safePath(names.map(encodeURIComponent).join('/'))).toEqual(names)
      }),
      { numRuns: 3_000 },
    )
  })

  it('takes names for one that a file system may take for one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), name => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
          expect(folded(name.normalize(form))).toBe(folded(name))
      }),
    )
    expect(folded('USERS.CSV')).toBe(folded('users.csv'))
    expect(folded('straße.csv')).toBe(folded('STRASSE.CSV'))
    expect(isProgram('data.json')).toBe(false)
  })
})
