import { csv, http, iterations, scenario, simulation } from 'onrush'

/** Every row of a file is used once, by one session: as many sessions as rows, shared out over ten users. */
export default simulation({
  description: 'Each user of users.csv logs in once',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}' },
  inject: [iterations(200, 10, { maxDuration: '20s' })],
  seed: 1,
  scenarios: [
    scenario('log in once', {
      feed: csv('users.csv', { order: 'shuffle', share: 'unique' }),
      steps: [
        http.post('log in', '/login', {
          headers: { 'x-row': '{{$._s.user}}' },
          body: { user: '{{$._s.user}}', password: '{{$._s.password}}' },
          assert: { '$.status': 200 },
          export: { token: '$.entity.token' },
        }),
        http.get('item', '/items/{{$._s.item}}', {
          auth: { bearer: '{{$._s.token}}' },
          assert: { '$.status': 200, '$.entity.name': { $empty: false } },
        }),
      ],
    }),
  ],
  thresholds: { failed: ['rate==0'] },
})
