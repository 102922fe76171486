import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type { Fault } from '@onrush/protocol/problem'
import { entry } from './entry.ts'
import type { Shown } from './shown.ts'

const require = createRequire(import.meta.url)
const limitMs = 120_000

/** The compiler itself: through the package's own launcher each check would start one more Node. */
function compiler(): string {
  const typescript = createRequire(require.resolve('typescript/package.json'))
  const folder = dirname(typescript.resolve(`@typescript/typescript-${platform()}-${arch()}/package.json`))
  return join(folder, 'lib', platform() === 'win32' ? 'tsc.exe' : 'tsc')
}

/** As strict as this project's own, and independent of the folder: a script needs no package.json beside it. */
function settings(scripts: readonly string[]): object {
  const nodeTypes = dirname(require.resolve('@types/node/package.json'))
  return {
    compilerOptions: {
      target: 'esnext',
      lib: ['esnext'],
      module: 'preserve',
      // Many scripts are checked at once: none may put names into another's scope.
      moduleDetection: 'force',
      moduleResolution: 'bundler',
      types: ['node'],
      typeRoots: [dirname(nodeTypes)],
      paths: { onrush: [entry] },
      noEmit: true,
      strict: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
      noFallthroughCasesInSwitch: true,
      isolatedModules: true,
      allowImportingTsExtensions: true,
      allowJs: true,
      checkJs: false,
      resolveJsonModule: true,
      skipLibCheck: true,
    },
    files: scripts,
  }
}

const placed = /^(.+?)\((\d+),(\d+)\): error (TS\d+): (.*)$/
const unplaced = /^error (TS\d+): (.*)$/
/** Of a builder that can be called in several ways; what follows it says what is wrong. */
const overloads = 'No overload matches this call. The last overload gave the following error. '
/** A package without types is any: what it exports is the author's business. */
const untyped = 'TS7016'

/** A type error where it stands; without a file it is about the whole. */
export interface TypeFault {
  readonly file: string | undefined
  /** `row:column` */
  readonly place: string
  readonly message: string
}

export function faultsOf(output: string, folder: string): TypeFault[] {
  const faults: { file: string | undefined; place: string; message: string; code: string }[] = []
  for (const line of output.split(/\r?\n/)) {
    const [, file, row, column, code, message] = placed.exec(line) ?? []
    const [, otherCode, otherMessage] = unplaced.exec(line) ?? []
    const last = faults.at(-1)
    if (file !== undefined && code !== undefined) {
      faults.push({ file: resolve(folder, file), place: `${row}:${column}`, message: message ?? '', code })
    } else if (otherCode !== undefined) {
      faults.push({ file: undefined, place: '', message: otherMessage ?? '', code: otherCode })
    } else if (last !== undefined && /^\s+\S/.test(line)) {
      last.message += ` ${line.trim()}`
    }
  }
  return faults
    .filter(fault => fault.code !== untyped)
    .map(({ file, place, message, code }) => ({ file, place, message: `${message.replace(overloads, '')} (${code})` }))
}

export function shownFault({ file, place, message }: TypeFault, script: string, shown: Shown): Fault {
  return { path: file === undefined ? shown(script) : `${shown(file)}:${place}`, message }
}

function run(file: string, options: readonly string[], cwd: string): Promise<string> {
  return new Promise((done, fail) => {
    execFile(file, options, { cwd, env: {}, timeout: limitMs, maxBuffer: 64 * 1_048_576 }, (error, stdout, stderr) => {
      // The compiler's own codes say that there are errors (1, 2); anything else is a compiler that did not run.
      if (error === null || error.code === 1 || error.code === 2) done(stdout)
      else {
        const why = error.killed ? `it took longer than ${limitMs / 1000} s` : stderr.slice(0, 500) || error.message
        fail(new OnrushError('internal', `the type check could not run (${file}): ${why}`, { cause: error }))
      }
    })
  })
}

/** Type errors of scripts and of whatever they import. One run for all: most of the time goes into Node's own types. */
export async function typeFaults(scripts: readonly string[], folder: string): Promise<TypeFault[]> {
  const temporary = await mkdtemp(join(tmpdir(), 'onrush-types-'))
  try {
    const project = join(temporary, 'tsconfig.json')
    await writeFile(project, JSON.stringify(settings(scripts)))
    return faultsOf(await run(compiler(), ['--pretty', 'false', '-p', project], folder), folder)
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

/** Type errors of a script and of whatever it imports, each with its line. */
export async function typeCheck(script: string, shown: Shown): Promise<Fault[]> {
  const faults = await typeFaults([script], dirname(script))
  return faults.map(fault => shownFault(fault, script, shown))
}
