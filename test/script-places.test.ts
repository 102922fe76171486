import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadSimulation } from 'onrush/load-simulation'
import { expect, test } from 'vitest'
import { run } from './support/engine-run.ts'
import { temporaryFolder } from './support/temporary-folder.ts'

const lib = `interface Page { title: string }

export function titleOf(page: Page): string {
  return page.title
}
`

const shop = (setup: string) => `import { scenario, simulation, step } from 'onrush'
import { titleOf } from './lib.ts'

export default simulation({
  inject: [{ type: 'iterations', iterations: 4, users: 2 }],
  setup: () => {
    ${setup}
  },
  onFailure: 'continue',
  scenarios: [
    scenario('a', {
      steps: [
        step('reads', () => titleOf(JSON.parse('null'))),
        step('leaves', session => {
          if (session.get('$._g.user') === 2) setTimeout(() => { throw new Error('nobody waited') })
          return session.pause(100)
        }),
      ],
    }),
  ],
})
`

async function loaded(setup: string) {
  const folder = await temporaryFolder()
  const file = join(folder, 'shop.ts')
  await writeFile(join(folder, 'lib.ts'), lib)
  await writeFile(file, shop(setup))
  const { simulation, bundle, files } = await loadSimulation(file, { cacheDir: join(folder, 'cache') })
  return { folder, loaded: { simulation, source: { bundle: bundle.file, hash: bundle.hash }, files } }
}

test('an error in a step, and one that ends a thread, name the line that its author wrote', async () => {
  const { folder, loaded: script } = await loaded('')
  const { result, summary } = await run(script)
  const sample = summary.samples.find(({ step }) => step === 'reads')
  expect(sample?.message).toMatch(/^TypeError: .*'title'/)
  expect(sample?.message).toContain(`(${folder}/lib.ts:4:15)`)
  expect(result.shard.crashes[0]?.message).toBe(`Error: nobody waited (${folder}/shop.ts:15:72)`)
})

test('and so does one in setup', async () => {
  const { folder, loaded: script } = await loaded("throw new RangeError('too soon')")
  await expect(run(script)).rejects.toMatchObject({
    code: 'script_error',
    message: `setup failed: RangeError: too soon (${folder}/shop.ts:7:11)`,
  })
})
