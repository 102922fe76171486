import { z } from 'zod'

/** What a file holds, as everyone who may look at runs may read it. */
export const SourceText = z.strictObject({
  text: z.string().describe('each line where it stands in the file; literals that look like secrets are hidden'),
  cut: z.boolean().describe('there is more of it than fits in this answer'),
})
export type SourceText = z.infer<typeof SourceText>

export const SourceFile = z.strictObject({
  file: z.string().describe('relative to the folder of simulations'),
  now: SourceText.optional().describe('as it lies there; left out where it is gone'),
  good: SourceText.optional().describe('as the last good version was made of it, where that is not what lies there'),
})
export type SourceFile = z.infer<typeof SourceFile>

/** What a registered script is written as. */
export const SimulationSource = z.strictObject({
  name: z.string(),
  files: z.array(SourceFile).describe("the script, then its author's own modules that it imports; no data files"),
  left: z.int().nonnegative().describe('modules that are not shown, because there are too many'),
})
export type SimulationSource = z.infer<typeof SimulationSource>
