import { createHash, createHmac, getHashes } from 'node:crypto'
import { RenderError } from '../render-error.ts'
import { show, textAt } from './arguments.ts'
import type { BuiltIn } from './built-in.ts'

function digest(algorithm: 'md5' | 'sha256'): BuiltIn {
  return {
    usage: `${algorithm}(text)`,
    arity: [1, 1],
    pure: true,
    call: given =>
      createHash(algorithm)
        .update(textAt(given, 0, 'text'))
        .digest('hex'),
  }
}

export const md5 = digest('md5')
export const sha256 = digest('sha256')

const algorithms: ReadonlySet<string> = new Set(getHashes())

export const hmac: BuiltIn = {
  usage: "hmac(algorithm, key, text, ['hex' or 'base64'])",
  arity: [3, 4],
  pure: true,
  call(given) {
    const algorithm = textAt(given, 0, 'algorithm')
    if (!algorithms.has(algorithm))
      throw new RenderError('', `algorithm ${show(algorithm)} is unknown (sha256, sha512, …)`)
    const encoding = given[3] ?? 'hex'
    if (encoding !== 'hex' && encoding !== 'base64') throw new RenderError('', `encoding is ${show(encoding)}`)
    return createHmac(algorithm, textAt(given, 1, 'key'))
      .update(textAt(given, 2, 'text'))
      .digest(encoding)
  },
}
