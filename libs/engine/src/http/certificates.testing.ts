import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'

export interface Certificates extends Disposable {
  /** Paths of PEM files by name, as a simulation would name them. */
  readonly files: ReadonlyMap<string, string>
  read(name: string): string
}

const names = {
  server: [
    { type: 2, value: 'localhost' },
    { type: 2, value: 'shop.test' },
    { type: 7, ip: '127.0.0.1' },
  ],
  client: [{ type: 2, value: 'client.test' }],
} as const

/** An authority, a server's certificate for `localhost`, `shop.test` and 127.0.0.1, and a client's. */
export async function makeCertificates(): Promise<Certificates> {
  const folder = mkdtempSync(join(tmpdir(), 'onrush-tls-'))
  const made = new Map<string, string>()
  const common = { algorithm: 'sha256', keyType: 'ec', notAfterDate: new Date(Date.now() + 86_400_000) } as const
  const authority = await generate([{ name: 'commonName', value: 'test authority' }], {
    ...common,
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  made.set('ca.pem', authority.cert)
  for (const [who, altNames] of Object.entries(names)) {
    const { private: key, cert } = await generate([{ name: 'commonName', value: who }], {
      ...common,
      ca: { key: authority.private, cert: authority.cert },
      extensions: [{ name: 'subjectAltName', altNames: [...altNames] }],
    })
    made.set(`${who}.pem`, cert).set(`${who}.key`, key)
  }
  for (const [name, pem] of made) writeFileSync(join(folder, name), pem)
  return {
    files: new Map([...made.keys()].map(name => [name, join(folder, name)])),
    read: name => made.get(name) ?? '',
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}
