import type { CodeSession as Session } from '@onrush/protocol/code-session'
import type { HttpOptions } from './http-types.ts'
import type { Json } from './json.ts'

/** What a code step gets: its session's context, the protocols, and a place to count into. */
export type CodeSession = Session<HttpOptions>

/** The HTTP steps, to be called from code. */
export type CodeHttp = CodeSession['http']

export type CodeFunction = (session: CodeSession) => unknown
/** Runs once per run; what it returns (JSON) every session reads as `$._g.setup`. */
export type SetupFunction = (session: CodeSession) => Json | undefined | Promise<Json | undefined>
/** Runs once at the end of a run. */
export type TeardownFunction = (session: CodeSession) => unknown
