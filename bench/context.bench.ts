// The execution context: definite paths beside jsonpath-plus, templates beside a concatenation, checks beside plain ifs.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { compileAssertion } from '@onrush/context/assertion'
import { Context, type HttpResponse } from '@onrush/context/context'
import { createEnvironment } from '@onrush/context/environment'
import { compileImports } from '@onrush/context/imports'
import { compilePath } from '@onrush/context/path'
import { Random } from '@onrush/context/random'
import { compileText } from '@onrush/context/template'
import type { Fault } from '@onrush/protocol/problem'
import { JSONPath } from 'jsonpath-plus'

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')
const faults: Fault[] = []

const item = (id: number) => ({ id, name: `Item number ${id}`, price: id * 1.5, tags: ['new', 'red'], inStock: true })
const entity = {
  id: 7,
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VyIjo3fQ.c2lnbmF0dXJl',
  state: 'open',
  total: 129.5,
  customer: { name: 'Ann', city: 'Oslo' },
  items: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(item),
}
const body = JSON.stringify(entity)
const response: HttpResponse = {
  status: 200,
  statusText: 'OK',
  headers: { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) },
  body,
  time: { request: 12, micros: 12_345, connect: 0, firstByte: 11_000 },
}

const settings = {
  environment: createEnvironment({ shop: 'http://127.0.0.1:7090' }, [], faults),
  variables: compileImports({ tenant: 'acme' }, 'variables', faults),
  renderResponses: true,
}
const sessions = 64
/** Different sessions in turn, as in a run: with a single one V8 sees constants and computes nothing. */
const contexts = Array.from({ length: sessions }, (_, n) => {
  const context = new Context()
  context.beginSession(
    settings,
    { runId: 'bench', worker: 'bench', user: n, iteration: 0, arrival: n },
    new Random(1, n),
  )
  context.beginScenario(compileImports({ token: `${entity.token}${n}`, user: `user-${n}` }, 'imports', faults))
  context.httpResponse(response)
  return context
})
const [context = new Context()] = contexts
const scopes = contexts.map((_, n) => ({ token: `${entity.token}${n}`, user: `user-${n}` }))
const [firstScope = { token: '', user: '' }] = scopes
let turn = 0
function nextContext(): Context {
  turn = (turn + 1) % sessions
  return contexts[turn] ?? context
}
function nextScope(): { token: string; user: string } {
  turn = (turn + 1) % sessions
  return scopes[turn] ?? firstScope
}

/** What is measured ends up here, so that no compiler may drop it. */
let kept: unknown

/** The fastest of five rounds of 200 ms, in nanoseconds per call: the others had the machine's other work in them. */
function nanoseconds(work: () => unknown): number {
  const batch = 500
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint()
    let calls = 0
    let elapsed = 0
    while (elapsed < 200e6) {
      for (let i = 0; i < batch; i++) kept = work()
      calls += batch
      elapsed = Number(process.hrtime.bigint() - start)
    }
    best = Math.min(best, elapsed / calls)
  }
  return best
}

/** Bytes of the heap per call, over few enough calls that nothing is collected in between. */
function bytes(work: () => unknown): number {
  const calls = 20_000
  for (let i = 0; i < calls; i++) kept = work()
  if (typeof collect === 'function') collect()
  const before = process.memoryUsage().heapUsed
  for (let i = 0; i < calls; i++) kept = work()
  return Math.max(0, (process.memoryUsage().heapUsed - before) / calls)
}

function line(name: string, ours: number, other: string, theirs: number, verdict: string): void {
  console.log(
    `${name.padEnd(44)} ${ours.toFixed(1).padStart(9)} ns   ${other.padEnd(26)} ${theirs.toFixed(1).padStart(9)} ns   ${verdict}`,
  )
}

// Many other closures of the same shapes, so that the call sites are as polymorphic as a script of fifty steps makes them.
for (let i = 0; i < 50; i++) {
  const other = compilePath(`$.entity.k${i}.m${i}`, 'bench', faults)
  const text = compileText(`a${i} {{$._s.user}} b {{$._j.tenant}}`, 'bench', faults)
  const assertion = compileAssertion(
    { [`$.entity.k${i}`]: { $exists: false }, '$.status': { $lt: 300 + i } },
    'b',
    faults,
  )
  for (let n = 0; n < 2000; n++) kept = [other.read(context), text.render(context), assertion.check(context)]
}

const text = '$.entity.items[3].name'
const path = compilePath(text, 'bench', faults)
const query = '$.items[3].name'
const ours = nanoseconds(() => path.read(nextContext()))
const theirs = nanoseconds(() => JSONPath({ path: query, json: entity, eval: 'safe', wrap: false }))
line(`path ${text}`, ours, 'jsonpath-plus', theirs, `${(theirs / ours).toFixed(0)}x faster (bar 20x)`)

const header = compileText('Bearer {{$._s.token}}; user={{$._s.user}}', 'bench', faults)
const render = () => header.render(nextContext())
const concatenate = () => {
  const scope = nextScope()
  return `Bearer ${scope.token}; user=${scope.user}`
}
const rendered = nanoseconds(render)
const concatenated = nanoseconds(concatenate)
line(
  'header template, two references',
  rendered,
  'concatenation',
  concatenated,
  `${(1e3 / rendered).toFixed(1)} M/s (bar 2), ${(rendered / concatenated).toFixed(1)}x its time (aim 4x)`,
)
console.log(
  `${''.padEnd(44)} ${bytes(render).toFixed(0).padStart(9)} B    ${'concatenation'.padEnd(26)} ${bytes(concatenate).toFixed(0).padStart(9)} B    allocated per render`,
)

const assertion = compileAssertion(
  {
    '$.status': 200,
    '$.entity.state': 'open',
    '$.entity.total': { $gt: 100 },
    '$.entity.token': { $type: 'string' },
    '$.entity.items': { $size: 11 },
  },
  'bench',
  faults,
)

type Shape = { state?: unknown; total?: unknown; token?: unknown; items?: unknown }
const isShape = (value: unknown): value is Shape => typeof value === 'object' && value !== null

const note = (failures: string[] | undefined, name: string): string[] => [...(failures ?? []), name]

function byHand(status: number | undefined, value: unknown): string[] | undefined {
  if (!isShape(value)) return ['entity']
  let failures: string[] | undefined
  if (status !== 200) failures = note(failures, 'status')
  if (value.state !== 'open') failures = note(failures, 'state')
  if (typeof value.total !== 'number' || !(value.total > 100)) failures = note(failures, 'total')
  if (typeof value.token !== 'string') failures = note(failures, 'token')
  if (!Array.isArray(value.items) || value.items.length !== 11) failures = note(failures, 'items')
  return failures
}

const check = () => assertion.check(nextContext())
const checked = nanoseconds(check)
const handChecked = nanoseconds(() => {
  const next = nextContext()
  return byHand(next.status, next.entity)
})
line(
  'five checks, entity already parsed',
  checked,
  'hand-written ifs',
  handChecked,
  `${(checked / handChecked).toFixed(1)}x its time (bar 6x), ${bytes(check).toFixed(0)} B per pass`,
)

const whole = nanoseconds(() => {
  context.beforeRequest()
  context.httpResponse(response)
  return assertion.check(context)
})
const handWhole = nanoseconds(() => byHand(response.status, JSON.parse(body)))
line(
  `five checks of a fresh response (${body.length} B)`,
  whole,
  'JSON.parse and ifs',
  handWhole,
  `${(whole / handWhole).toFixed(2)}x its time`,
)

const statusOnly = compileAssertion({ '$.status': 200 }, 'bench', faults)
const unread = nanoseconds(() => {
  context.beforeRequest()
  context.httpResponse(response)
  return statusOnly.check(context)
})
line(
  'status check only: nothing is parsed',
  unread,
  'JSON.parse',
  nanoseconds(() => JSON.parse(body)),
  '',
)

if (faults.length > 0) throw new Error(`the benchmark's own texts have faults: ${JSON.stringify(faults)}`)
if (kept === undefined) throw new Error('nothing was measured')
