import { z } from 'zod'

/** Where a scenario's rows come from, in which order, and whether one row may be used twice. */
export const Feed = z
  .strictObject({
    file: z.string().min(1).max(4096).optional().describe('CSV, JSON (a list) or JSONL, beside the script'),
    format: z.enum(['csv', 'json', 'jsonl']).optional().describe('when the name does not tell'),
    rows: z.array(z.record(z.string(), z.json())).min(1).optional().describe('the rows themselves'),
    delimiter: z.string().length(1).optional(),
    columns: z.array(z.string().min(1)).optional().describe('names of the columns, when the file has no header'),
    order: z.enum(['sequential', 'shuffle', 'random']).optional(),
    share: z.enum(['circular', 'unique']).optional(),
    whenEmpty: z.enum(['stop', 'wrap']).optional().describe('unique rows used up: end the sessions, or begin again'),
  })
  .superRefine((feed, context) => {
    if ((feed.file === undefined) === (feed.rows === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "file" or "rows"' })
    }
    if (feed.share === 'unique' && feed.order === 'random') {
      context.addIssue({
        code: 'custom',
        path: ['order'],
        message: '"random" draws rows again and again; unique rows need "sequential" or "shuffle"',
      })
    }
  })
export type Feed = z.infer<typeof Feed>
