import { readHeader } from '@onrush/context/headers'
import type { Answer } from './transport.ts'

type Map = Exclude<Answer['headers'], readonly unknown[]>

const isMap = (headers: Answer['headers']): headers is Map => !Array.isArray(headers)

/** A header of an answer, `name` in lower case. Looked for after each response, so that a miss must cost nothing. */
export function answerHeader({ headers }: Answer, name: string): string | undefined {
  return isMap(headers) && !Object.hasOwn(headers, name) ? undefined : readHeader(headers, name)
}
