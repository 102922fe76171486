/** A place in the context: `$.status`, `$.entity.items[0].id`, `$.headers.content-type`, `$._s.token`. */
export type Path = '$' | `$.${string}` | `$[${string}`
