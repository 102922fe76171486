import { isIP } from 'node:net'
import { generate } from 'selfsigned'

export interface Certificate {
  readonly key: string
  readonly cert: string
}

type Name = { type: 2; value: string } | { type: 7; ip: string }

const nameOf = (host: string): Name => (isIP(host) === 0 ? { type: 2, value: host } : { type: 7, ip: host })

/** A certificate for this start only, good for a day: nobody but the one who started it has a reason to trust it. */
export async function selfSigned(host: string): Promise<Certificate> {
  const altNames = [...new Set(['localhost', '127.0.0.1', '::1', host])].map(nameOf)
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'onrush demo target' }], {
    algorithm: 'sha256',
    keyType: 'ec',
    notAfterDate: new Date(Date.now() + 86_400_000),
    extensions: [{ name: 'subjectAltName', altNames }],
  })
  return { key, cert }
}
