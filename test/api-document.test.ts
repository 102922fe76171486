import { setTimeout as sleep } from 'node:timers/promises'
import type { Endpoint, Endpoints, Example } from '@onrush/protocol/endpoint'
import { partsOf } from '@onrush/protocol/openapi'
import { reporterEndpoints } from '@onrush/protocol/reporter-endpoints'
import { workerEndpoints } from '@onrush/protocol/worker-endpoints'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiSchemas } from './support/api-schema.ts'
import { ended, start } from './support/fleet.ts'
import { type Nodes, startNodes } from './support/nodes.ts'

type Document = {
  openapi: string
  paths: Record<string, Record<string, { operationId: string }>>
  components: { schemas: object }
}

let nodes: Nodes
let runId: string
beforeAll(async () => {
  nodes = await startNodes()
  const request = { name: 'documented', url: `${nodes.target.url}/json`, iterations: 20 }
  runId = (await start(nodes.reporter, '/api/single', request)).runId
  await ended(nodes.reporter, runId)
})
afterAll(() => nodes?.stop())

const services: [string, () => { url: string; routes: readonly string[] }, Endpoints][] = [
  ['reporter', () => nodes.reporter, reporterEndpoints],
  ['worker', () => nodes.worker, workerEndpoints],
]

/** The dashboard's files and the queue dashboard's own calls are no part of the API. */
const isPage = (route: string) =>
  /^GET \/(index\.html|mark\.svg|theme\.js|assets\/.*)$|^[A-Z]+ \/queues\/.*$/.test(route)

describe.each(services)('the document of the %s', (_, service, endpoints) => {
  const documentOf = async () => (await (await fetch(`${service().url}/openapi.json`)).json()) as Document

  test('names exactly the routes that the app has', () => {
    const routes = service().routes.filter(route => !isPage(route))
    expect(routes).toEqual(Object.keys(endpoints).sort())
  })

  test('is whole: every reference resolves, every operation has its own id', async () => {
    const document = await documentOf()
    expect(document.openapi).toBe('3.1.0')
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path)
    expect(refs.length).toBeGreaterThan(50)
    for (const ref of new Set(refs)) {
      const found = ref.split('/').reduce<unknown>((here, key) => Reflect.get(Object(here), key), document)
      expect(found, ref).toBeDefined()
    }
    const operations = Object.values(document.paths).flatMap(path =>
      Object.values(path).map(({ operationId }) => operationId),
    )
    expect(new Set(operations).size).toBe(operations.length)
    expect(operations.length).toBe(Object.keys(endpoints).length)
  })

  test('has examples that answer as they say, in the documented shape', async () => {
    const schemas = new ApiSchemas(await documentOf())
    // The other service's examples may still hold the only worker.
    await nothingRuns()
    for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
      for (const [title, example] of Object.entries<Example>(endpoint.examples ?? {})) {
        const { method, path } = partsOf(name)
        const response = await call(service().url, method, path, example)
        const body = await response.text()
        const label = `${name}: ${title}: ${body.slice(0, 300)}`
        expect(response.status, label).toBe(example.status)
        const type = response.headers.get('content-type') ?? ''
        expect(schemas.fault(method, path, response.status, type, body), label).toBeUndefined()
        if (name.includes('/api/engine/') && response.status === 202) await idle()
      }
    }
  })

  test('is a page too, on which every link leads somewhere', async () => {
    const page = await (await fetch(`${service().url}/docs`)).text()
    const anchors = new Set([...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id ?? '')
    expect(links.filter(link => !anchors.has(link))).toEqual([])
    expect(page).not.toContain('<script')
    for (const name of Object.keys(endpoints)) expect(page).toContain(`<code>${partsOf(name).path}</code>`)
  })
})

function call(
  base: string,
  method: string,
  path: string,
  { params = {}, query = {}, body }: Example,
): Promise<Response> {
  const here = (text: string) => text.replaceAll('127.0.0.1:7090', new URL(nodes.target.url).host)
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => (params[field] ?? '').replace('{runId}', runId))
  const search = new URLSearchParams()
  for (const [field, value] of Object.entries(query))
    for (const each of [value].flat()) search.append(field, here(each))
  return fetch(`${base}${filled}${search.size === 0 ? '' : `?${search}`}`, {
    method: method.toUpperCase(),
    redirect: 'manual',
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: here(JSON.stringify(body)) }),
  })
}

async function nothingRuns(): Promise<void> {
  for (;;) {
    const open = (await (await fetch(`${nodes.reporter.url}/api/jobs`)).json()) as unknown[]
    if (open.length === 0) return await idle()
    await sleep(100)
  }
}

async function idle(): Promise<void> {
  for (;;) {
    const { state } = (await (await fetch(`${nodes.worker.url}/api/engine/status`)).json()) as { state: string }
    if (state === 'idle') return
    await sleep(100)
  }
}
