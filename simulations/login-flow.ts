import { constantRate, group, http, pause, scenario, simulation } from 'onrush'

/** Logs in, looks at the items, and orders one: each step uses what the step before it was given. */
export default simulation({
  description: 'Log in, browse, buy',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}', headers: { accept: 'application/json' } },
  inject: [constantRate(5, '10s')],
  scenarios: [
    scenario('buyer', {
      imports: { user: 'user-{{randomInt(1,100)}}' },
      steps: [
        http.post('log in', '/login', {
          body: { user: '{{$._s.user}}', password: 'secret' },
          assert: { '$.status': 200, '$.entity.user': '{{$._s.user}}', '$.entity.token': { $type: 'string' } },
          export: { token: '$.entity.token' },
        }),
        pause('100ms', '300ms'),
        group('browse', [
          http.get('items', '/items', {
            query: { page: '{{randomInt(1,50)}}' },
            assert: { '$.entity.items': { $size: 20 } },
            export: { item: { path: '$.entity.items[*].id', transform: 'last' } },
          }),
          http.get('item', '/items/{{$._s.item}}', {
            auth: { bearer: '{{$._s.token}}' },
            assert: { '$.entity.id': '{{$._s.item}}', '$.entity.price': { $gt: 0 } },
            export: { price: '$.entity.price' },
          }),
        ]),
        http.post('order', '/orders', {
          auth: { bearer: '{{$._s.token}}' },
          body: { item: '{{$._s.item}}', quantity: 1 },
          assert: { '$.status': 201, '$.entity.user': '{{$._s.user}}', '$.entity.total': '{{$._s.price}}' },
        }),
      ],
    }),
  ],
  thresholds: { failed: ['rate<0.01'], 'duration{step:log in}': ['p(95)<300'], checks: ['rate>0.99'] },
})
