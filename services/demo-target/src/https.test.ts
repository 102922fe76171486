import { request } from 'node:https'
import { connect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTarget, type Target } from './target.ts'

let target: Target
beforeAll(async () => {
  target = await createTarget({ https: true })
})
afterAll(() => target.close())

const send = (path: string, method = 'GET', body = '') =>
  new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const req = request(target.url + path, { method, rejectUnauthorized: false }, res => {
      let text = ''
      res.on('data', chunk => {
        text += chunk
      })
      res.on('end', () => resolve({ status: res.statusCode, text }))
      res.on('error', reject)
    })
    req.on('error', reject).end(body)
  })

describe('--https', () => {
  it('answers with and without the parser, and counts both', async () => {
    expect(target.url).toMatch(/^https:/)
    expect((await send('/json')).text).toBe((await send('/json?parsed')).text)
    expect((await send('/login', 'POST', '{"user":"ada","password":"secret"}')).status).toBe(200)
    expect((await send('/bytes?n=1000000')).text).toHaveLength(1_000_000)
    expect(JSON.parse((await send('/stats')).text)).toMatchObject({
      seen: 4,
      completed: 4,
      aborted: 0,
      connections: { used: 1 },
    })
  })

  it('cuts the connection on /reset', async () => {
    await expect(send('/reset')).rejects.toThrow()
  })

  it('has a certificate for the names it is reached by, good for a day', async () => {
    const { port } = new URL(target.url)
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false })
    await new Promise(resolve => socket.once('secureConnect', resolve))
    const certificate = socket.getPeerCertificate()
    socket.destroy()
    for (const name of ['DNS:localhost', 'IP Address:127.0.0.1']) expect(certificate.subjectaltname).toContain(name)
    const days = (Date.parse(certificate.valid_to) - Date.parse(certificate.valid_from)) / 86_400_000
    expect(Math.round(days)).toBe(1)
  })

  it('outlives clients that do not speak TLS', async () => {
    await expect(fetch(target.url.replace('https', 'http'))).rejects.toThrow()
    expect((await send('/json')).status).toBe(200)
  })
})
