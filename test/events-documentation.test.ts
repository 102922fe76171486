import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import { JsonSchemas } from '@onrush/protocol/json-schemas'
import { CompilerMessage, EngineMonitorMessage } from '@onrush/protocol/monitor'
import { RunLogLine } from '@onrush/protocol/run-log'
import { expect, test } from 'vitest'
import { formsOf, schemaSection } from './support/schema-markdown.ts'

const file = join(resolve(import.meta.dirname, '..'), 'docs/events.md')

const streams = [
  {
    title: 'A run: `GET /api/job/:runId/monitor` on a reporter',
    schema: JobMonitorMessage,
    about:
      'First a `snapshot`, then a `second` once a second, `state` at each change of state, `trace` in a verbose run. After the last `state` the socket is closed with 1000. Each message makes those before it stale.',
  },
  {
    title: 'A worker: `GET /api/engine/monitor` on a worker',
    schema: EngineMonitorMessage,
    about: 'First its `state`, then each change of it, a `frame` each second while it runs, `trace` in a verbose run.',
  },
  {
    title: 'The compiler: `GET /api/compile/stream` on a reporter, `GET /api/engine/compiler` on a worker',
    schema: CompilerMessage,
    about:
      'First what was said lately, then each line as it comes. None is left out: a client that does not read is cut off.',
  },
  {
    title: 'The run log: `log.ndjson` of a report, `GET /api/engine/simulation/:runId` on a worker',
    schema: RunLogLine,
    about:
      'One JSON object per line. `start` first; a `frame` for each second of each worker; `end` last. Where `end` is missing the run was cut off, and `onrush report` still makes a report of what is there.',
  },
]

const schemas = new JsonSchemas(streams.map(({ schema }) => schema))
const roots = streams.map(({ schema }) => schemas.of(schema, 'output'))
const named = schemas.components(roots)
const shown = new Set(['JobMonitorMessage', 'EngineMonitorMessage', 'CompilerMessage', 'RunLogLine'])

const page = `# Events

What the websockets say and what a run log holds, printed from the schemas that the services share;
\`UPDATE_DOCS=1 onrush test test/events-documentation.test.ts\` prints it again. A websocket wants a token like everything else: as a header,
by the browser's login, or as a ticket (\`POST /api/ticket\`, then \`?ticket=…\`, once and within half a minute).
Clients are not asked anything; a message of more than 64 KiB ends the connection.

${streams.map(({ title, about }, i) => `## ${title}\n\n${about}\n\n${formsOf(roots[i], named)}`).join('\n\n')}

## Shapes

${Object.entries(named)
  .filter(([name]) => !shown.has(name))
  .map(([name, schema]) => schemaSection(name, schema))
  .join('\n\n')}
`

test('docs/events.md says what is sent', async () => {
  if (process.env.UPDATE_DOCS !== undefined) await writeFile(file, page)
  expect(await readFile(file, 'utf8')).toBe(page)
})

test('every shape that is referred to is there', () => {
  const anchors = new Set([...page.matchAll(/^#+ (\w+)$/gm)].map(([, name = '']) => name.toLowerCase()))
  const links = [...page.matchAll(/\]\(#(\w+)\)/g)].map(([, name = '']) => name)
  expect(links.filter(link => !anchors.has(link))).toEqual([])
})
