import { writeFileSync } from 'node:fs'
import type { Reporter, SerializedError, TestModule, Vitest } from 'vitest/node'
import type { Skip, Tally } from './tally.ts'

/** Loaded by vitest beside its own reporter: counts, and keeps why a test was skipped, which vitest's JSON leaves out. */
export default class TallyReporter implements Reporter {
  #file = ''

  onInit({ config }: Vitest): void {
    const outputs = config.outputFile
    this.#file = (typeof outputs === 'object' ? outputs.tally : undefined) ?? ''
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const skipped: Skip[] = []
    let passed = 0
    let failed = unhandled.length
    for (const module of modules) {
      // A module that cannot be loaded has no tests to count, and one whose hooks fail may have only passed ones.
      let told = false
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === 'passed') passed++
        else if (result.state === 'skipped') {
          const todo = test.options.mode === 'todo'
          skipped.push({
            test: `${module.relativeModuleId} › ${test.fullName}`,
            reason: result.note ?? (todo ? 'to do' : 'no reason given'),
          })
        } else {
          failed++
          told = true
        }
      }
      if (!told && !module.ok()) failed++
    }
    const tally: Tally = { passed, failed, skipped }
    writeFileSync(this.#file, JSON.stringify(tally))
  }
}
