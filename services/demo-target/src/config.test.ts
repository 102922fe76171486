import { OnrushError } from '@onrush/protocol/error'
import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'

const faultsOf = (...args: string[]) => {
  try {
    readConfig(args)
  } catch (error) {
    if (error instanceof OnrushError) return error.errors
    throw error
  }
  return []
}

describe('readConfig', () => {
  it.each([
    { args: [], config: { host: '127.0.0.1', port: 7090, grpcPort: 7091, https: false, help: false } },
    { args: ['--port', '0', '--https'], config: { port: 0, grpcPort: 0, https: true } },
    { args: ['--port=8080', '--host=::1'], config: { port: 8080, host: '::1' } },
    { args: ['--grpc-port', '9000', '--port', '0'], config: { port: 0, grpcPort: 9000 } },
    { args: ['--port', '65535'], config: { port: 65535, grpcPort: 0 } },
    { args: ['--sqlite', 'shop.sqlite'], config: { sqlite: 'shop.sqlite' } },
    { args: ['--host', '0.0.0.0', '-h'], config: { host: '0.0.0.0', help: true } },
  ])('$args', ({ args, config }) => {
    expect(readConfig(args)).toMatchObject(config)
  })

  it('names every problem at once', () => {
    expect(faultsOf('--prt', '8080', '--port', '65536', '--host', '--quiet')).toEqual([
      { path: '--prt', message: 'not an option; did you mean "--port"?' },
      { path: '--port', message: 'expected a port from 0 to 65535, such as --port 7090, got "65536"' },
      { path: '--host', message: 'expected a host name or address, such as --host 127.0.0.1, got nothing' },
      { path: '--quiet', message: 'not an option; known are --port, --grpc-port, --host, --https, --sqlite, --help' },
    ])
  })

  it.each([
    ['--port'],
    ['--grpc-port', '65536'],
    ['--port', ''],
    ['--port', '-1'],
    ['--port', '1.5'],
    ['--port', '0x10'],
    ['extra'],
  ])('refuses %s %s', (...args) => {
    expect(faultsOf(...args)).toHaveLength(1)
  })
})
