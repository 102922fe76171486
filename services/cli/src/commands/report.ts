import { dirname, join, relative, resolve } from 'node:path'
import { flag, one } from '../arguments/option.ts'
import { text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'

export const report = defineCommand({
  name: 'report',
  group: 'Load',
  summary: 'Build the report again from a run log, also from one that breaks off.',
  options: {
    out: one({ placeholder: 'folder', summary: 'where it goes (default: beside the log)', read: text }),
    json: flag('print the report as JSON, and nothing else, on the standard output'),
  },
  operands: [{ name: 'log', summary: 'a log.ndjson, or the folder that holds one' }],
  examples: ['onrush report runs/checkout-20260102030405-abcdef.unfinished', 'onrush report log.ndjson --out rebuilt'],
  async run(given, [named = ''], io) {
    const [{ reportOfLog }, { writeReport }, { printerFor }] = await Promise.all([
      import('../reports/open-report.ts'),
      import('@onrush/report/write-report'),
      import('../running/run-simulation.ts'),
    ])
    const { file, report: built } = await reportOfLog(named, io.cwd)
    const folder = given.out === undefined ? dirname(file) : resolve(io.cwd, given.out)
    await writeReport(folder, built)
    printerFor(given, io)(built, join(relative(io.cwd, folder) || '.', 'index.html'))
    return 0
  },
})
