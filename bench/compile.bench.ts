// Compiling a folder: 200 scripts at first, unchanged, and with one changed; a type error until it is told (bar: 2 s).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'onrush/registry'

const bar = 2_000
const scripts = 200
const script = (name: string, users: string) => `import { atOnce, http, scenario, simulation } from 'onrush'

export default simulation({
  scenarios: [scenario('a', { inject: [atOnce(${users})], steps: [http.get('${name}', 'http://127.0.0.1:7090/')] })],
})
`
const folder = await mkdtemp(join(tmpdir(), 'onrush-bench-'))
const write = (name: string, users = '1') => writeFile(join(folder, `${name}.ts`), script(`${name} ${users}`, users))
const registryOf = () =>
  new Registry({
    folder,
    cacheDir: join(folder, '.cache'),
    now: () => new Date(),
    onProblem: (what, error) => {
      throw new Error(what, { cause: error })
    },
  })
const figure = (what: string, ms: number) => console.log(`${`${what}:`.padEnd(40)} ${ms.toFixed(0)} ms`)

try {
  for (let i = 0; i < scripts; i++) await write(`script-${i}`)
  // What is written while a compile begins is looked at again.
  await new Promise(resolve => setTimeout(resolve, 50))
  figure(`${scripts} scripts, none known`, (await registryOf().compile()).elapsedMs)
  const registry = registryOf()
  figure(`${scripts} scripts, nothing changed`, (await registry.compile()).elapsedMs)
  await write('script-7', '2')
  figure(`${scripts} scripts, one changed`, (await registry.compile()).elapsedMs)
  await write('script-7', "'wrong'")
  const { elapsedMs, failed } = await registry.compile()
  figure(`a type error in one of ${scripts}`, elapsedMs)
  if (failed !== 1 || elapsedMs > bar) {
    console.log(`beyond the bar of ${bar} ms`)
    process.exitCode = 1
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
