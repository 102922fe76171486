import { readFileSync } from 'node:fs'
import { type Assertion, operators } from '@onrush/protocol/assertion'
import { type Exports, transformNames } from '@onrush/protocol/export'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { describe, expect, test } from 'vitest'
import { compileAssertion } from './assertion.ts'
import { begun } from './begun.fixture.ts'
import type { Context, HttpResponse, SentRequest } from './context.ts'
import { compileExports } from './exports.ts'
import { functionNames } from './functions/all.ts'
import { compileJson } from './json-template.ts'
import { missing } from './missing.ts'
import { compilePath } from './path.ts'
import { rootNames } from './root.ts'
import { compileText, compileValue } from './template.ts'

const page = readFileSync(new URL('../../../docs/context.md', import.meta.url), 'utf8')

function blocks(kind: string): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`json ${kind}\n(.*?)^\`\`\``, 'gms'))].map(found => found[1] ?? '')
}

type Given = Parameters<typeof begun>[0] & {
  readonly request: SentRequest
  readonly response: Omit<HttpResponse, 'body'> & { readonly body: Json }
}
const given: Given = JSON.parse(blocks('context')[0] ?? '')

function contextOfPage(): Context {
  const context = begun(given)
  context.beforeRequest()
  context.requestSent(given.request)
  context.httpResponse({ ...given.response, body: JSON.stringify(given.response.body) })
  return context
}

describe('the reference page', () => {
  const examples = blocks('example')

  test.each(examples)('%s', text => {
    run(JSON.parse(text), contextOfPage())
  })

  test.each([
    ...operators,
    ...functionNames.map(name => `${name}(`),
    ...transformNames.map(name => `"${name}"`),
    ...['split', 'join', 'regex', 'replace', 'slice'].map(name => `"${name}":`),
    ...rootNames.map(name => `$.${name}`),
  ])('%s is in an example', word => {
    expect(examples.some(example => example.includes(word))).toBe(true)
  })
})

/** What an example holds of these decides what is run. */
type Example = {
  readonly path?: string
  readonly template?: Json
  readonly assert?: Assertion
  readonly export?: Exports
  readonly gives?: Json
  readonly matches?: string
  readonly fails?: string
  readonly refused?: string
  readonly holds?: boolean
}

function run(example: Example, context: Context): void {
  const faults: Fault[] = []
  if (example.path !== undefined) {
    const found = compilePath(example.path, 'p', faults).read(context)
    expect(faults).toEqual([])
    expect(found === missing ? 'nothing' : found).toEqual(example.gives)
  } else if (example.template !== undefined) {
    const template = compileValue(example.template, 't', faults)
    if (example.refused !== undefined) {
      expect(faults.map(fault => fault.message).join()).toContain(example.refused)
      return
    }
    expect(faults).toEqual([])
    if (example.fails !== undefined) expect(() => template.render(context)).toThrow(example.fails)
    else if (example.matches !== undefined)
      expect(String(template.render(context))).toMatch(new RegExp(example.matches))
    else {
      expect(template.render(context)).toEqual(example.gives)
      expect(JSON.parse(compileJson(example.template, 't', faults).render(context))).toEqual(example.gives)
      if (typeof example.template === 'string') {
        expect(compileText(example.template, 't', faults).render(context)).toBe(String(example.gives))
      }
    }
  } else if (example.assert !== undefined) {
    const assertion = compileAssertion(example.assert, 'a', faults)
    if (example.refused !== undefined) expect(faults.map(fault => fault.message).join()).toContain(example.refused)
    else {
      expect(faults).toEqual([])
      expect(assertion.check(context).length === 0).toBe(example.holds)
    }
  } else if (example.export !== undefined) {
    const exports = compileExports(example.export, 'e', faults)
    expect(faults).toEqual([])
    const failures = exports.apply(context)
    if (example.fails !== undefined) expect(failures.map(failure => failure.message).join()).toContain(example.fails)
    else {
      expect(failures).toEqual([])
      expect({ ...context._s, ...context._j }).toMatchObject(Object(example.gives))
    }
  } else {
    throw new Error('an example of no known kind')
  }
}
