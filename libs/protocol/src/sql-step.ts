import { z } from 'zod'
import { Duration } from './duration.ts'
import { Json } from './json.ts'
import { limits } from './limits.ts'
import { requestFields } from './step-fields.ts'

export const sqlClients = ['pg', 'mysql2', 'better-sqlite3'] as const

const connectionShape = z.strictObject({
  client: z.enum(sqlClients),
  connection: z.string().min(1).describe('a URL (pg, mysql2) or a file (better-sqlite3); may be a template on _env'),
  pool: z
    .strictObject({ min: z.int().nonnegative().optional(), max: z.int().positive().max(10_000).optional() })
    .optional(),
  maxConnections: z
    .int()
    .positive()
    .optional()
    .describe('over all threads and workers; a run that would open more is refused'),
  timeout: Duration.optional(),
})

export const SqlConnection = connectionShape.superRefine(({ client, pool }, context) => {
  const report = (field: 'min' | 'max', message: string) =>
    context.addIssue({ code: 'custom', path: ['pool', field], message })
  const { min = 0, max } = pool ?? {}
  if (client === 'better-sqlite3' && max !== undefined && max > 1) {
    report('max', `expected 1: SQLite blocks its thread, so a second connection would never be used; got ${max}`)
  } else if (max !== undefined && min > max) report('min', `expected at most pool.max, which is ${max}, got ${min}`)
})
export type SqlConnection = z.infer<typeof SqlConnection>

const statement = {
  query: z.string().min(1).max(limits.sqlQuery.value),
  params: z.array(Json).optional().describe('bound, never spliced into the text'),
  raw: z.boolean().optional().describe('the text itself may hold templates'),
}

export const SqlStep = z
  .strictObject({
    type: z.literal('sql'),
    ...requestFields,
    on: z.string().min(1),
    query: statement.query.optional(),
    params: statement.params,
    raw: statement.raw,
    transaction: z.array(z.strictObject(statement)).min(1).optional(),
    timeout: Duration.optional(),
  })
  .superRefine((step, context) => {
    if ((step.query === undefined) === (step.transaction === undefined)) {
      context.addIssue({ code: 'custom', message: 'expected either "query" or "transaction"' })
    }
  })
export type SqlStep = z.infer<typeof SqlStep>
