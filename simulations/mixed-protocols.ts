import { constantRate, grpc, http, rpc, scenario, simulation, sql } from 'onrush'

/**
 * One session speaks HTTP, SQL, gRPC and JSON-RPC, and hands on what each of them answers. The database is SQLite's own
 * in memory, so that nothing has to be installed; `--env` and `-e db=…` can name another.
 */
export default simulation({
  description: 'A value goes from SQL to gRPC to JSON-RPC to HTTP',
  environments: { local: { shop: 'http://127.0.0.1:7090', catalog: '127.0.0.1:7091', db: ':memory:' } },
  http: { baseUrl: '{{$._env.shop}}' },
  sql: { numbers: { client: 'better-sqlite3', connection: '{{$._env.db}}', pool: { max: 1 } } },
  grpc: { catalog: { address: '{{$._env.catalog}}', deadline: '2s' } },
  jsonrpc: { url: '{{$._env.shop}}/rpc' },
  inject: [constantRate(5, '10s')],
  scenarios: [
    scenario('across', {
      imports: { number: '{{randomInt(1,1000)}}' },
      steps: [
        http.post('log in', '/login', {
          body: { user: 'user-{{$._s.number}}', password: 'secret' },
          export: { token: '$.entity.token' },
        }),
        sql.query('draw', 'select 1 + (? * 37) % 1000 as item, ? as user', {
          on: 'numbers',
          params: ['{{$._s.number}}', 'user-{{$._s.number}}'],
          assert: { '$.entity': { $size: 1 }, '$.entity[0].user': 'user-{{$._s.number}}' },
          export: { item: '$.entity[0].item' },
        }),
        grpc.call('item', 'shop.Catalog/GetItem', {
          message: { id: '{{$._s.item}}' },
          assert: { '$.status': 0, '$.entity.id': '{{$._s.item}}' },
          export: { price: '$.entity.price' },
        }),
        rpc.call('twice', 'add', ['{{$._s.price}}', '{{$._s.price}}'], { assert: { '$.entity': { $gt: 0 } } }),
        http.post('order', '/orders', {
          auth: { bearer: '{{$._s.token}}' },
          body: { item: '{{$._s.item}}', quantity: 1 },
          assert: { '$.status': 201, '$.entity.total': '{{$._s.price}}' },
        }),
      ],
    }),
  ],
  thresholds: { failed: ['rate<0.01'] },
})
