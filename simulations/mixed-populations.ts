import { choose, constantRate, constantUsers, http, nothingFor, pause, scenario, simulation } from 'onrush'

/** Scenarios with an `inject` of their own are populations: they run beside each other, each under its own load. */
export default simulation({
  description: 'Readers arrive, editors stay, a report is asked for now and then',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}' },
  scenarios: [
    scenario('readers', {
      inject: [constantRate(20, '12s')],
      steps: [
        choose([
          { weight: 8, steps: [http.get('first page', '/items')] },
          { weight: 2, steps: [http.get('any page', '/items?page={{randomInt(2,50)}}')] },
        ]),
      ],
    }),
    scenario('editors', {
      inject: [constantUsers(5, '12s')],
      thinkTimes: 0.5,
      steps: [
        http.put('edit', '/echo', {
          body: { id: '{{uuid()}}', editor: '{{$._g.user}}' },
          assert: { '$.entity.method': 'PUT', '$.entity.body.editor': '{{$._g.user}}' },
        }),
        pause('500ms', '1s'),
      ],
    }),
    scenario('reports', {
      inject: [nothingFor('2s'), constantRate(1, '10s')],
      steps: [http.get('report', '/chunked?n=20&ms=10', { discardBody: true, timeout: '5s' })],
    }),
  ],
  thresholds: { 'failed{scenario:readers}': ['rate<0.01'], 'duration{step:edit}': ['p(95)<300'] },
})
