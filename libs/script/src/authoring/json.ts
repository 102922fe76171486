/** Any JSON value. Text in it may hold templates: `{{$._s.token}}`. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** A value that never appears in logs, traces, reports or messages. */
export type Secret = {
  readonly $secret: string
}
