import type { Context } from './context.ts'

/**
 * Whether a value meets a condition. A value that is `missing` meets `$exists: false` and what negates (`$ne`, `$nin`,
 * `$not`, `$nor`), nothing else. Throws `RenderError` when a reference in the condition finds nothing.
 */
export type Test = (actual: unknown, context: Context) => boolean

export const never: Test = () => false
