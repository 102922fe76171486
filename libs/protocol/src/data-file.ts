import { z } from 'zod'
import { Json } from './json.ts'

/** A file beside the simulations, as `GET /api/data` lists it. */
export const DataFile = z.strictObject({
  path: z.string().describe('in the folder of simulations'),
  size: z.int().nonnegative().describe('bytes'),
  modifiedAt: z.iso.datetime(),
})
export type DataFile = z.infer<typeof DataFile>

/** What an upload answers. */
export const UploadedFile = DataFile.extend({ hash: z.string().describe('sha256') })
export type UploadedFile = z.infer<typeof UploadedFile>

/** The first rows of a data file, as a feed would give them. */
export const DataPreview = z.strictObject({
  format: z.enum(['csv', 'json', 'jsonl', 'text']),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), Json)).describe('of text: one column, `line`'),
  complete: z.boolean().describe('there are no more rows'),
  fault: z.string().optional().describe('why it cannot be read as what its name says it is'),
})
export type DataPreview = z.infer<typeof DataPreview>
