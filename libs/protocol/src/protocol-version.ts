/**
 * Raised when nodes of the version before could misread what this one says: a job, a plan, a frame. Nodes of different
 * numbers refuse each other's work; the package's own version may differ freely.
 */
export const protocolVersion = 1

/** Another node, or whoever made a job. */
export interface Speaker {
  /** As people call it: `worker w1`, `this reporter`. */
  readonly name: string
  readonly protocol: number
}

/** Why two do not work together and which of them is the older, or nothing where they do. */
export function versionFault(a: Speaker, b: Speaker): string | undefined {
  if (a.protocol === b.protocol) return undefined
  const older = a.protocol < b.protocol ? a : b
  return `${a.name} speaks protocol ${a.protocol}, ${b.name} protocol ${b.protocol}: upgrade ${older.name} and run the same version everywhere`
}
