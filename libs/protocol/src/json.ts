import { z } from 'zod'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Any JSON value. Strings in it may be templates. */
export const Json: z.ZodType<Json> = z.json()
