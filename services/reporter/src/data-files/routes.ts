import { Readable } from 'node:stream'
import { OnrushError } from '@onrush/protocol/error'
import { limits } from '@onrush/protocol/limits'
import type { AuthVariables } from '@onrush/web/authenticate'
import { mayActAs } from '@onrush/web/tokens'
import { type Context, Hono } from 'hono'
import { rangeHeaders, rangeOf } from '../content/range-answer.ts'
import type { DataFolder } from './data-folder.ts'
import { previewOf } from './preview.ts'
import { receiveUpload } from './receive-upload.ts'
import { safePath } from './safe-path.ts'

export interface DataNeeds {
  readonly data: DataFolder
  readonly mostUploadBytes: number
  /** Told that something under the folder has changed. */
  readonly onChange: () => void
}

const prefix = '/api/data/'
const mostUploads = limits.uploads.value
const mostRows = 1_000

const namesOf = (c: Context): string[] => safePath(new URL(c.req.url).pathname.slice(prefix.length))

/** Users and passwords lie in these files: who may only look at runs may not read them. */
function onlyOperators(c: Context<{ Variables: AuthVariables }>): void {
  if (!mayActAs(c.get('role'), 'operator')) throw new OnrushError('forbidden', 'data files are for operators')
}

function rowsOf(text: string): number {
  const rows = Number(text)
  if (Number.isInteger(rows) && rows >= 1 && rows <= mostRows) return rows
  const message = `expected a whole number from 1 to ${mostRows}, got "${text.slice(0, 80)}"`
  throw new OnrushError('invalid', `the query has a problem: ?preview: ${message}`, {
    errors: [{ path: '?preview', message }],
  })
}

/** The data files beside the simulations: what feeds and bodies are made of. */
export function dataRoutes({ data, mostUploadBytes, onChange }: DataNeeds): Hono<{ Variables: AuthVariables }> {
  let uploads = 0
  return new Hono<{ Variables: AuthVariables }>()
    .get('/api/data', async c => {
      onlyOperators(c)
      return c.json(await data.list())
    })
    .get(`${prefix}*`, async c => {
      onlyOperators(c)
      const names = namesOf(c)
      const preview = c.req.query('preview')
      const rows = preview === undefined ? undefined : rowsOf(preview)
      const { handle, size, modifiedAt } = await data.open(names)
      if (rows !== undefined) {
        try {
          return c.json(await previewOf(names.join('/'), handle, size, rows))
        } finally {
          await handle.close()
        }
      }
      const range = rangeOf(c.req.header('range'), size)
      const name = encodeURIComponent(names.at(-1) ?? 'data')
      const headers = {
        ...rangeHeaders(range, size),
        'last-modified': modifiedAt.toUTCString(),
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
        'x-content-type-options': 'nosniff',
      }
      if (range === 'unsatisfiable' || size === 0 || c.req.method === 'HEAD') {
        await handle.close()
        return c.body(null, range === 'unsatisfiable' ? 416 : 200, headers)
      }
      const { from, to } = range === 'whole' ? { from: 0, to: size - 1 } : range
      const stream = handle.createReadStream({ start: from, end: to, highWaterMark: 262_144 })
      return c.body(Readable.toWeb(stream) as ReadableStream, range === 'whole' ? 200 : 206, headers)
    })
    .put(`${prefix}*`, async c => {
      const names = namesOf(c)
      if (uploads >= mostUploads) throw new OnrushError('too_many', `${uploads} uploads are under way: try again later`)
      uploads++
      try {
        const declared = c.req.header('content-length')
        const length = declared === undefined ? undefined : Number(declared)
        const { file, created } = await receiveUpload(data, names, c.req.raw.body, length, mostUploadBytes)
        onChange()
        return c.json(file, created ? 201 : 200)
      } finally {
        uploads--
      }
    })
    .delete(`${prefix}*`, async c => {
      await data.remove(namesOf(c))
      onChange()
      return c.body(null, 204)
    })
}
