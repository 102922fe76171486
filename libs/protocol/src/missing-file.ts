/** Whether a failure only says that there is no such file. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** What was found, or `nothing` where there is no such file; any other failure stays one. */
export async function unlessMissing<T, U>(found: Promise<T>, nothing: U): Promise<T | U> {
  try {
    return await found
  } catch (error) {
    if (isMissing(error)) return nothing
    throw error
  }
}
