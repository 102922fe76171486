import type { z } from 'zod'
import type { Code } from '../codes.ts'

/** JSON of a schema, something else of a content type, or nothing at all. */
export type Answer =
  | { readonly json: z.ZodType; readonly what: string /** What it may be instead. */; readonly also?: string }
  | { readonly type: string; readonly what: string }
  | { readonly what: string }

/** A call as a person would make it; tests make each of them. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: unknown
  readonly status: number
}

/** One call of the API: what it takes, what it answers, who may make it. The document, the client and the tests read it. */
export interface Endpoint {
  readonly summary: string
  readonly role: 'anyone' | 'viewer' | 'operator' | 'node'
  readonly group: string
  readonly params?: Readonly<Record<string, z.ZodType>>
  readonly query?: z.ZodObject
  readonly headers?: Readonly<Record<string, { readonly schema: z.ZodType; readonly what: string }>>
  readonly body?: z.ZodType
  /** A body that is no JSON. */
  readonly bodyType?: string
  readonly answers: Readonly<Record<number, Answer>>
  /** Failures that belong to this call, beside those that every call has. */
  readonly fails?: readonly Code[]
  /** Of a websocket: what it says. */
  readonly says?: z.ZodType
  /** Of an answer that is a file: what each of them holds. */
  readonly files?: Readonly<Record<string, z.ZodType>>
  readonly examples?: Readonly<Record<string, Example>>
}

/** `GET /api/job/:runId`, as the app spells it. */
export type Endpoints = Readonly<Record<string, Endpoint>>
