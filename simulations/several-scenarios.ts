import { constantRate, http, pause, scenario, simulation, when } from 'onrush'

/**
 * Scenarios without an `inject` of their own run one after the other in each session. `_s` is new in each of them; what
 * is to last for the whole session goes to `_j`.
 */
export default simulation({
  description: 'Log in, then browse, then buy: one session, three scenarios',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  variables: { quantity: 2 },
  http: { baseUrl: '{{$._env.shop}}' },
  inject: [constantRate(4, '10s')],
  scenarios: [
    scenario('log in', {
      imports: { user: 'user-{{randomInt(1,1000)}}' },
      steps: [
        http.post('log in', '/login', {
          body: { user: '{{$._s.user}}', password: 'secret' },
          export: { token: { path: '$.entity.token', scope: '_j' } },
        }),
      ],
    }),
    scenario('browse', {
      imports: { page: '{{randomInt(1,50)}}' },
      steps: [
        http.get('items', '/items?page={{$._s.page}}', {
          assert: { '$.entity.page': '{{$._s.page}}' },
          export: {
            item: { path: '$.entity.items[0].id', scope: '_j' },
            stock: { path: '$.entity.items[0].stock', scope: '_j' },
          },
        }),
        pause('100ms'),
      ],
    }),
    scenario('buy', {
      steps: [
        when({ '$._j.stock': { $gt: 0 } }, [
          http.post('order', '/orders', {
            auth: { bearer: '{{$._j.token}}' },
            body: { item: '{{$._j.item}}', quantity: '{{$._j.quantity}}' },
            assert: { '$.status': 201, '$.entity.quantity': '{{$._j.quantity}}' },
          }),
        ]).otherwise([http.get('sold out', '/items/{{$._j.item}}', { auth: { bearer: '{{$._j.token}}' } })]),
      ],
    }),
  ],
  thresholds: { failed: ['rate<0.01'] },
})
