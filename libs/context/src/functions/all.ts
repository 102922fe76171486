import type { BuiltIn } from './built-in.ts'
import { randomFloat, randomInt, randomItem, randomString } from './chance.ts'
import { hmac, md5, sha256 } from './digest.ts'
import { uuid } from './identity.ts'
import { isoDate, now, timestamp } from './time.ts'
import { base64, json, lower, trim, upper, urlEncode } from './write.ts'

const all: ReadonlyMap<string, BuiltIn> = new Map(
  Object.entries({
    uuid,
    now,
    timestamp,
    isoDate,
    randomInt,
    randomFloat,
    randomString,
    randomItem,
    base64,
    urlEncode,
    md5,
    sha256,
    hmac,
    json,
    upper,
    lower,
    trim,
  }),
)

export const functionNames: readonly string[] = [...all.keys()]

export function findFunction(name: string): BuiltIn | undefined {
  return all.get(name)
}
