import { z } from 'zod'

/** How a value is changed on its way into a variable. `regex` takes the first group (or the whole match). */
export const transformNames = [
  'toNumber',
  'toString',
  'toBoolean',
  'toJson',
  'fromJson',
  'trim',
  'upper',
  'lower',
  'length',
  'first',
  'last',
  'keys',
  'values',
  'base64',
  'fromBase64',
  'urlEncode',
  'urlDecode',
] as const

const Transform = z.union(
  [
    z.enum(transformNames),
    z.strictObject({ split: z.string().min(1) }),
    z.strictObject({ join: z.string() }),
    z.strictObject({ regex: z.string().min(1), group: z.union([z.int().nonnegative(), z.string()]).optional() }),
    z.strictObject({ replace: z.string().min(1), with: z.string() }),
    z.strictObject({ slice: z.tuple([z.int(), z.int()]) }),
  ],
  {
    error: `expected one of ${transformNames.join(', ')}, or { split }, { join }, { regex, group }, { replace, with }, { slice: [from, to] }`,
  },
)
export type Transform = z.infer<typeof Transform>

const Path = z.string().regex(/^\$/, { error: 'expected a path that starts with "$." like "$.entity.token"' })

const ExportRule = z.strictObject({
  path: Path,
  scope: z
    .enum(['_s', '_j'], { error: 'expected "_s" (scenario) or "_j" (job); the engine alone writes _g and _env' })
    .optional(),
  transform: z.union([Transform, z.array(Transform)]).optional(),
  default: z.json().optional(),
})
export type ExportRule = z.infer<typeof ExportRule>

const hostile = new Set(['__proto__', 'constructor', 'prototype'])
/** A variable's name, which becomes one step of a path: `$._s.<name>`. */
export const VariableName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u, {
    error: 'expected a name of letters, digits, _ and - that starts with a letter or _',
  })
  .refine(name => !hostile.has(name), { error: 'this name is reserved by JavaScript' })

export const Exports = z
  .record(
    VariableName,
    z.union([Path, ExportRule], { error: 'expected a path "$.…" or { path, scope, transform, default }' }),
  )
  .describe('variables to keep: { "token": "$.entity.token" }')
export type Exports = z.infer<typeof Exports>
