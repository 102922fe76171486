import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { GrpcConnection, GrpcStep, JsonRpcStep } from '@onrush/protocol/rpc-step'
import { type DemoTarget, startDemoTarget } from '@onrush/servers/demo-target'
import { loadSimulation } from 'onrush/load-simulation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorsOf, run } from './support/engine-run.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

let target: DemoTarget
beforeAll(async () => {
  target = await startDemoTarget()
})
afterAll(() => target.stop())

const pages = [
  { name: 'grpc', steps: 4 },
  { name: 'json-rpc', steps: 5 },
].map(page => ({ ...page, text: readFileSync(resolve(import.meta.dirname, `../docs/${page.name}.md`), 'utf8') }))

const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, block = '']) => block)

describe.each(pages)('the page $name', ({ text, steps }) => {
  test('has a script that runs without a failure', async () => {
    const folder = await temporaryFolder()
    for (const [i, block] of blocks(text, 'ts').entries()) {
      const file = join(folder, `example-${i}.ts`)
      await writeFile(file, block)
      const { simulation, bundle, files } = await loadSimulation(file, { cacheDir: join(folder, 'cache') })
      const env = { shop: target.url, catalog: target.grpc }
      const source = { bundle: bundle.file, hash: bundle.hash }
      const { summary } = await run({ simulation, source, files }, { env })
      expect(summary.steps.map(step => [step.step, step.ok, errorsOf(step)])).toEqual(
        summary.steps.map(({ step }) => [step, 100, {}]),
      )
      expect(summary.steps).toHaveLength(steps)
    }
    expect(blocks(text, 'ts')).not.toHaveLength(0)
  })

  test('has steps as data that are without a fault', async () => {
    const folder = await temporaryFolder()
    const all = blocks(text, 'yaml')
    for (const [i, block] of all.entries()) {
      const file = join(folder, `steps-${i}.yaml`)
      await writeFile(file, asSimulation(block))
      const { simulation } = await loadSimulation(file, { cacheDir: join(folder, 'cache') })
      expect(simulation.scenarios[0]?.steps.length).toBeGreaterThan(0)
    }
    expect(all).not.toHaveLength(0)
  })
})

const asSimulation = (steps: string) => `
grpc: { catalog: { address: '127.0.0.1:7091' } }
jsonrpc: { url: http://127.0.0.1/rpc }
inject: [{ type: atOnceUsers, users: 1 }]
scenarios:
  - name: a
    imports: { id: 7 }
    steps:
${steps.replaceAll(/^/gm, '      ')}
`

test('every field is on its page', () => {
  const [grpc, rpc] = pages.map(page => page.text)
  const common = new Set(['type', 'name', 'assert', 'export', 'onFailure', 'renderResponses', 'tags', 'on'])
  const missing = (fields: readonly string[], text = '') =>
    fields.filter(field => !common.has(field) && !text.includes(`\`${field}\``))
  expect(missing(Object.keys(GrpcConnection.shape), grpc)).toEqual([])
  expect(missing(Object.keys(GrpcStep.shape), grpc)).toEqual([])
  expect(missing(Object.keys(JsonRpcStep.shape), rpc)).toEqual([])
})
