import { z } from 'zod'
import type { Assertion } from './assertion.ts'
import { assertionFromText, joinAssertions } from './assertion-text.ts'
import { type Checked, check } from './check.ts'
import { nearest } from './nearest.ts'
import type { Fault } from './problem.ts'
import { Single } from './single.ts'

const plain = [
  'name',
  'url',
  'method',
  'body',
  'duration',
  'maxDuration',
  'onWorkerLoss',
  'startTimeout',
  'callback',
] as const
const numbers = ['users', 'rate', 'iterations'] as const
const repeated = ['header', 'assert'] as const
const known: readonly string[] = [...plain, ...numbers, ...repeated, 'workers', 'verbose']

const { name, url, method, duration, maxDuration, onWorkerLoss, startTimeout, callback, users, rate, iterations } =
  Single.shape
const texts = z.array(z.string()).optional()

/** The parameters as they are documented; each is a text in a query. */
export const SingleQuery = z.strictObject({
  name,
  url,
  method,
  body: z.string().optional(),
  users,
  rate,
  iterations,
  duration,
  maxDuration,
  header: texts.describe('"Name: value", as often as needed'),
  assert: texts.describe('path op literal with = != < <= > >= ~, like $.status=200; as often as needed'),
  workers: z.string().optional().describe('a number, "all", or ids with commas'),
  onWorkerLoss,
  startTimeout,
  callback,
  verbose: z.enum(['true', 'false']).optional(),
})

function headersOf(lines: readonly string[], faults: Fault[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) faults.push({ path: '?header', message: `expected "Name: value", got "${line}"` })
    else headers[line.slice(0, colon).trim()] = line.slice(colon + 1).trim()
  }
  return headers
}

function assertionOf(texts: readonly string[], faults: Fault[]): Assertion | undefined {
  const assertions: Assertion[] = []
  for (const text of texts) {
    const assertion = assertionFromText(text)
    if (typeof assertion === 'string') faults.push({ path: '?assert', message: assertion })
    else assertions.push(assertion)
  }
  return joinAssertions(assertions)
}

function workersOf(text: string): unknown {
  if (/^\d+$/.test(text)) return Number(text)
  return text === 'all' ? text : text.split(',')
}

/** The query form of a single-endpoint start: the common fields by name, `header` and `assert` as often as needed. */
export function singleFromQuery(query: URLSearchParams): Checked<Single> {
  const faults: Fault[] = []
  const input: Record<string, unknown> = {}
  for (const key of new Set(query.keys())) {
    if (!known.includes(key)) {
      const near = nearest(key, known)
      const hint = near === undefined ? `known are ${known.join(', ')}; POST takes the rest` : `did you mean "${near}"?`
      faults.push({ path: `?${key}`, message: `unknown parameter "${key}" (${hint})` })
    } else if (!repeated.some(each => each === key) && query.getAll(key).length > 1) {
      faults.push({ path: `?${key}`, message: `expected "${key}" once, got it ${query.getAll(key).length} times` })
    }
  }
  for (const key of plain) if (query.has(key)) input[key] = query.get(key)
  for (const key of numbers) {
    const text = query.get(key)
    if (text === null) continue
    if (text.trim() === '' || !Number.isFinite(Number(text))) {
      faults.push({ path: `?${key}`, message: `expected a number, got "${text}"` })
    } else {
      input[key] = Number(text)
    }
  }
  if (query.has('header')) input.headers = headersOf(query.getAll('header'), faults)
  if (query.has('assert')) input.assert = assertionOf(query.getAll('assert'), faults)
  const workers = query.get('workers')
  if (workers !== null) input.workers = workersOf(workers)
  const verbose = query.get('verbose')
  if (verbose !== null) input.verbose = verbose === 'true' ? true : verbose === 'false' ? false : verbose

  const checked = check(Single, input)
  if (checked.ok) return faults.length === 0 ? checked : { ok: false, faults }
  const said = new Set(faults.map(fault => fault.path))
  const rest = checked.faults
    .map(fault => ({ ...fault, path: asParameter(fault.path) }))
    .filter(fault => !said.has(fault.path))
  return { ok: false, faults: [...faults, ...rest] }
}

/** What turns out to be wrong with the request that a query stood for, at its parameter. */
export const atParameter = (fault: Fault): Fault =>
  known.includes(/^\$\.(\w+)/.exec(fault.path)?.[1] ?? '') ? { ...fault, path: asParameter(fault.path) } : fault

/** `$.headers.x` lies in the parameter `header`; any other field in the parameter of its name. */
function asParameter(path: string): string {
  const field = /^\$\.(\w+)/.exec(path)?.[1]
  return field === undefined ? '?' : `?${field === 'headers' ? 'header' : field}`
}
