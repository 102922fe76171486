import { describe, expect, it } from 'vitest'
import { quickGrpc } from './quick-grpc.ts'

const inject = [{ type: 'iterations', iterations: 3, users: 1 }] as const
const quick = (more: object) =>
  quickGrpc({ method: 'shop.Catalog/GetItem', address: '127.0.0.1:7091', inject: [...inject], ...more })

describe('quickGrpc', () => {
  it('is one call under load', () => {
    expect(quick({ body: '{"id":7}', metadata: { tenant: 'a' }, assert: { '$.status': 0 }, deadline: '1s' })).toEqual({
      description: 'shop.Catalog/GetItem at 127.0.0.1:7091',
      grpc: { target: { address: '127.0.0.1:7091', tls: false } },
      inject,
      scenarios: [
        {
          name: 'shop.Catalog/GetItem',
          steps: [
            {
              type: 'grpc',
              name: 'shop.Catalog/GetItem',
              method: 'shop.Catalog/GetItem',
              metadata: { tenant: 'a' },
              deadline: '1s',
              assert: { '$.status': 0 },
              message: { id: 7 },
            },
          ],
        },
      ],
      thresholds: { checks: ['rate==1'] },
    })
  })

  it('sends a list as a stream, over TLS where the address says so', () => {
    const { grpc, scenarios } = quick({
      address: 'grpcs://shop.test:443',
      body: '[{"id":1},{"id":2}]',
      protos: ['a.proto'],
    })
    expect(grpc?.target).toEqual({ address: 'shop.test:443', tls: true, proto: ['a.proto'] })
    expect(scenarios[0]?.steps[0]).toMatchObject({ messages: [{ id: 1 }, { id: 2 }] })
    expect(quick({ insecure: true }).grpc?.target?.tls).toEqual({ insecure: true })
  })

  it.each([
    [{ body: '{id: 7}' }, 'expected the message as JSON'],
    [{ method: 'GetItem' }, 'expected "package.Service/Method"'],
  ])('refuses %j', (more, message) => {
    expect(() => quick(more)).toThrow(message)
  })
})
