import type { RunJob } from '@onrush/fleet/jobs'

/** The contents of runs that have not ended: a worker may still come for them. */
export async function hashesInUse(
  runs: readonly string[],
  jobOf: (runId: string) => Promise<RunJob | undefined>,
): Promise<Set<string>> {
  const hashes = new Set<string>()
  for (const run of runs) {
    const contents = (await jobOf(run))?.plan.contents
    if (contents === undefined) continue
    const { bundle, sourceMap, files } = contents
    for (const { hash } of [bundle, sourceMap, ...Object.values(files)]) hashes.add(hash)
  }
  return hashes
}
