import type { CodeSession } from './code-session.ts'
import type { HttpStep } from './http-step.ts'
import type { Json } from './json.ts'

type Without<T, K extends PropertyKey> = { [P in keyof T as P extends K ? never : P]: T[P] }
export type CodeHttpOptions = Without<HttpStep, 'type' | 'name' | 'url' | 'method'>

type Session = CodeSession<CodeHttpOptions>
export type CodeFunction = (session: Session) => unknown
/** Runs once per run; what it returns (JSON) every session reads as `$._g.setup`. */
export type SetupFunction = (session: Session) => Json | undefined | Promise<Json | undefined>
export type TeardownFunction = (session: Session) => unknown
