// Checking: a script of 5 and one of 500 steps from file to spec, types and first load included (bar: 2 s).
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadSimulation } from 'onrush/load-simulation'

const script = (steps: number) => `import { constantRate, http, pause, scenario, simulation } from 'onrush'

export default simulation({
  http: { baseUrl: 'http://127.0.0.1:7090' },
  inject: [constantRate(10, '1m')],
  scenarios: [
    scenario('many', {
      steps: [
${Array.from(
  { length: steps },
  (_, i) => `        http.get('item ${i}', '/items/${i}', {
          headers: { authorization: 'Bearer {{uuid()}}' },
          assert: { '$.status': 200, '$.entity.price': { $gt: 0 } },
          export: { item${i}: { path: '$.entity.id', scope: '_j' } },
        }),
        pause('1s', '3s'),`,
).join('\n')}
      ],
    }),
  ],
})
`

const folder = await mkdtemp(join(tmpdir(), 'onrush-bench-'))
try {
  for (const steps of [5, 500]) {
    const file = join(folder, `steps-${steps}.ts`)
    await writeFile(file, script(steps))
    const times: number[] = []
    for (let i = 0; i < 5; i++) {
      const start = performance.now()
      await loadSimulation(file, { cacheDir: join(folder, 'cache') })
      times.push(performance.now() - start)
    }
    const [first = 0, ...more] = times
    const best = Math.min(...more)
    console.log(
      `${`${steps} requests:`.padEnd(16)} first ${first.toFixed(0)} ms, best of four more ${best.toFixed(0)} ms`,
    )
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
