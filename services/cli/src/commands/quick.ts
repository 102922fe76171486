import { assertionFromText } from '@onrush/protocol/assertion-text'
import { flag, many, one, type Read } from '../arguments/option.ts'
import { duration, integer, number, text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { header, method } from '../quick/readings.ts'

const assertion: Read<string> = given => {
  const read = assertionFromText(given)
  return typeof read === 'string' ? { problem: read } : { value: given }
}

export const quick = defineCommand({
  name: 'quick',
  group: 'Load',
  summary: 'Put one URL, gRPC method or SQL statement under load and print what came of it.',
  options: {
    users: one({
      short: 'c',
      placeholder: 'n',
      summary: 'requests at once (default 50)',
      read: integer(1, 10_000_000),
    }),
    requests: one({
      short: 'n',
      placeholder: 'n',
      summary: 'how many in all (default 200, without -z)',
      read: integer(1, 1_000_000_000),
    }),
    duration: one({ short: 'z', placeholder: 'time', summary: 'how long, in place of -n', read: duration }),
    rate: one({
      short: 'q',
      placeholder: 'n',
      summary: 'requests per second in all, whatever the target does; with -c at most so many at once',
      read: number(0.000_001, 10_000_000),
    }),
    method: one({ short: 'm', placeholder: 'name', summary: 'default GET, or POST with a body', read: method }),
    header: many({ short: 'H', placeholder: 'name: value', summary: 'may be repeated', read: header }),
    body: one({ short: 'b', placeholder: 'text', summary: 'what is sent; @file sends what is in a file', read: text }),
    assert: many({
      placeholder: 'path=value',
      summary: 'like $.status=200 or $.time.request<800; may be repeated; all must hold, or the exit code is 99',
      read: assertion,
    }),
    timeout: one({ short: 't', placeholder: 'time', summary: 'for each request, in all', read: duration }),
    insecure: flag('accept any certificate', 'k'),
    sql: one({
      placeholder: 'statement',
      summary: 'run this on the database at the URL, in place of a request',
      read: text,
    }),
    grpc: one({
      placeholder: 'service/method',
      summary: 'call this at the address host:port (grpcs:// for TLS), in place of a request; -b is the message',
      read: text,
    }),
    threads: one({
      placeholder: 'n',
      summary: 'threads that generate load (default: one per core less one)',
      read: integer(1, 1024),
    }),
    out: one({ placeholder: 'folder', summary: 'write the whole report there', read: text }),
    json: flag('print the report as JSON, and nothing else, on the standard output'),
    quiet: flag('show nothing while the run goes on'),
  },
  // As curl and hey call them.
  elsewhere: { '-d': '-b, the body', '-X': '-m, the method' },
  operands: [
    {
      name: 'url',
      summary:
        'an http or https URL, which may hold templates like {{uuid()}}; with --grpc host:port, with --sql a database',
    },
  ],
  examples: [
    'onrush quick http://127.0.0.1:7090/json',
    'onrush quick http://127.0.0.1:7090/json -c 100 -z 30s',
    'onrush quick http://127.0.0.1:7090/json -q 500 -z 1m --assert $.status=200 --assert "$.time.request<100"',
    'onrush quick --grpc shop.Catalog/GetItem 127.0.0.1:7091 -b \'{"id":7}\' -z 10s',
    'onrush quick --sql "select 1" postgres://user:password@127.0.0.1/shop -c 8 -z 10s',
    `onrush quick http://127.0.0.1:7090/echo -b '{"id":1}' -H 'x-trace: 1'`,
  ],
  async run(given, [address = ''], io) {
    const { runQuick } = await import('../quick/run-quick.ts')
    return runQuick(address, given, io)
  },
})
