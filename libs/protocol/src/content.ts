import { z } from 'zod'

/** sha256 in hex: what a content is called everywhere. */
export const ContentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'expected a sha256 in hex, 64 characters of 0-9 and a-f' })
export type ContentHash = z.infer<typeof ContentHash>

export const ContentRef = z.strictObject({ hash: ContentHash, size: z.int().nonnegative().describe('bytes') })
export type ContentRef = z.infer<typeof ContentRef>

/** Up to here a content travels through Redis, whose memory is the fleet's; beyond it over HTTP from who holds it. */
export const smallContent = 1_048_576

/** What a worker needs to get everything that a run is made of. */
export const Contents = z.strictObject({
  bundle: ContentRef.describe('the ES module whose default export is the simulation'),
  sourceMap: ContentRef,
  script: z.string().min(1).max(255).describe("the script's file name, for errors"),
  files: z.record(z.string(), ContentRef).describe('by the name in the script'),
  sources: z.array(z.url({ protocol: /^https?$/ })).describe('nodes that hold what is not in Redis'),
})
export type Contents = z.infer<typeof Contents>
