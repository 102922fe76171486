import { parseArgs } from 'node:util'
import { OnrushError } from '@onrush/protocol/error'
import { suggest } from '@onrush/protocol/nearest'
import type { Fault } from '@onrush/protocol/problem'
import { type Operand, operandProblems } from './operands.ts'
import type { Given, Options } from './option.ts'

export interface Accepts<O extends Options> {
  readonly options: O
  readonly operands: readonly Operand[]
  /** Short flags that other tools have for what is called otherwise here: `-d` is our `-b`. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export interface Parsed<O extends Options> {
  readonly options: Given<O>
  readonly words: readonly string[]
}

/** Reads a command's arguments. Throws one error that names every fault with the nearest thing that would be right. */
export function parseArguments<O extends Options>(
  args: readonly string[],
  { options, operands, elsewhere = {} }: Accepts<O>,
): Parsed<O> {
  const { tokens } = parseArgs({
    args: [...args],
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { short, placeholder }]) => [
        name,
        {
          type: placeholder === undefined ? 'boolean' : 'string',
          multiple: true,
          ...(short ? { short } : {}),
        } as const,
      ]),
    ),
  })
  const known = Object.keys(options).map(name => `--${name}`)
  const faults: Fault[] = []
  const texts = new Map<string, string[]>()
  const words: string[] = []
  let unknown = false
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, rawName, value } = token
    const option = Object.hasOwn(options, name) ? options[name] : undefined
    if (option === undefined) {
      unknown = true
      const meant = Object.hasOwn(elsewhere, rawName) ? elsewhere[rawName] : undefined
      const hint =
        meant !== undefined
          ? `here it is ${meant}`
          : rawName.startsWith('--')
            ? suggest(rawName, [...known, '--help'])
            : `known are ${shorts(options)}`
      faults.push({ path: rawName, message: `no such flag; ${hint}` })
    } else if (option.placeholder === undefined) {
      if (value !== undefined)
        faults.push({ path: rawName, message: `takes no value, got "${value}"; write ${rawName} alone` })
      texts.set(name, [...(texts.get(name) ?? []), 'true'])
    } else if (value === undefined) {
      faults.push({ path: rawName, message: `expected a value: ${rawName} <${option.placeholder}>` })
    } else if (!token.inlineValue && isFlagLike(value)) {
      // The parser took the next flag for the value; what was forgotten is the value.
      faults.push({
        path: rawName,
        message: `expected a value, got the flag ${value}; a value that begins with - is written --${name}=${value}`,
      })
    } else {
      texts.set(name, [...(texts.get(name) ?? []), value])
    }
  }
  const values: Record<string, unknown> = {}
  for (const [name, option] of Object.entries(options)) {
    const given = texts.get(name) ?? []
    if (given.length > 1 && !option.repeats)
      faults.push({ path: `--${name}`, message: `given ${given.length} times, expected once` })
    const reading = option.read(given)
    if ('problem' in reading) faults.push({ path: `--${name}`, message: reading.problem })
    else values[name] = reading.value
  }
  // The word after an unknown flag is most likely its value: complaining about it too would only confuse.
  if (!unknown) faults.push(...operandProblems(operands, words))
  if (faults.length > 0) throw new OnrushError('invalid', `cannot read the arguments`, { errors: faults })
  return { options: values as Given<O>, words }
}

function isFlagLike(value: string): boolean {
  return /^--?[a-z]/i.test(value)
}

function shorts(options: Options): string {
  const letters = Object.values(options).flatMap(({ short }) => (short ? [`-${short}`] : []))
  return [...letters, '-h'].join(', ')
}
