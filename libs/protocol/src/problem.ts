import { z } from 'zod'
import { codeNames } from './codes.ts'

/** One fault and its place: a JSON path, a query parameter, or `file:line`. */
export const Fault = z.strictObject({
  path: z.string().describe('where: a JSON path ($.scenarios[0].name), ?parameter, a flag, or file:line:column'),
  message: z.string().describe('what was expected, what came, and how to fix it'),
})
export type Fault = z.infer<typeof Fault>

/** RFC 9457 problem details, as every failing answer carries them. */
export const Problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.enum(codeNames),
  detail: z.string(),
  instance: z.string().optional(),
  errors: z.array(Fault).optional(),
})
export type Problem = z.infer<typeof Problem>
