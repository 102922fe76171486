import { resolve } from 'node:path'

/** The root of the tree that this command was started from. */
export const root = resolve(import.meta.dirname, '../../..')
