/** A reference that finds nothing, or a function given what it cannot use. The step fails before anything is sent. */
export class RenderError extends Error {
  override readonly name = 'RenderError'
  /** The reference or call as written in the script: of bounded cardinality, fit to be a key of errors. */
  readonly reference: string

  constructor(reference: string, message: string) {
    super(message)
    this.reference = reference
  }
}

export function notFound(path: string): RenderError {
  const way = path.startsWith('$._env') ? 'set it in the environment or with -e' : 'export it before'
  return new RenderError(path, `${path} finds nothing; ${way}, or give it a default ({{${path} ?? 'none'}})`)
}
