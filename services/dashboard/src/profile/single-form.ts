import type { Assertion } from '@onrush/protocol/assertion'
import { assertionFromText, joinAssertions } from '@onrush/protocol/assertion-text'
import { check } from '@onrush/protocol/check'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { Single } from '@onrush/protocol/single'
import { type Common, commonOf } from './common-form.ts'
import { type DraftStep, injectionOf } from './draft.ts'

/** What the form for a single endpoint holds, as texts. */
export interface SingleForm {
  readonly name: string
  readonly url: string
  readonly method: string
  readonly headers: string
  readonly body: string
  readonly assert: string
  readonly inject: readonly DraftStep[]
  readonly common: Common
}

const lines = (text: string) =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

function headersOf(text: string, faults: Fault[]): Record<string, string> | undefined {
  const entries = lines(text).flatMap(line => {
    const colon = line.indexOf(':')
    if (colon > 0) return [[line.slice(0, colon).trim(), line.slice(colon + 1).trim()]]
    faults.push({ path: '$.headers', message: `expected "Name: value", got "${line}"` })
    return []
  })
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** JSON where it is JSON, so that references in it keep their types; text otherwise. */
function bodyOf(text: string): Json | undefined {
  if (text.trim() === '') return undefined
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    // It only looks like JSON: it goes as it stands.
    return text
  }
}

function assertOf(text: string, faults: Fault[]): Assertion | undefined {
  const read = lines(text).flatMap(line => {
    const assertion = assertionFromText(line)
    if (typeof assertion !== 'string') return [assertion]
    faults.push({ path: '$.assert', message: assertion })
    return []
  })
  return read.length === 0 ? undefined : joinAssertions(read)
}

const defined = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== ''))

/** The request that the form stands for, and everything that is wrong with it. */
export function singleOf(form: SingleForm): {
  body: Record<string, unknown>
  single: Single | undefined
  faults: readonly Fault[]
} {
  const faults: Fault[] = []
  const body = defined({
    name: form.name.trim(),
    url: form.url.trim(),
    method: form.method === 'GET' ? undefined : form.method,
    headers: headersOf(form.headers, faults),
    body: bodyOf(form.body),
    assert: assertOf(form.assert, faults),
    inject: form.inject.map(injectionOf),
    ...commonOf(form.common, faults),
  })
  const checked = check(Single, body)
  if (!checked.ok) faults.push(...checked.faults)
  return { body, single: checked.ok && faults.length === 0 ? checked.value : undefined, faults }
}
