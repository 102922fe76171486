import { http, pause, scenario, simulation, stairsUsers } from 'onrush'

/** A number of sessions is kept going and rises in levels: 5, 10, 15, 20. */
export default simulation({
  description: 'More and more sessions at once',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}' },
  inject: [stairsUsers({ from: 5, step: 5, times: 4, eachLevelLasting: '3s', separatedByRampsLasting: '1s' })],
  rampDown: '1s',
  scenarios: [
    scenario('wait and read', {
      steps: [
        http.get('slow', '/slow?ms=50', { assert: { '$.entity.ms': 50 } }),
        pause({ mean: '100ms', distribution: 'exponential' }),
        http.get('gzip', '/gzip', { compression: true, assert: { '$.entity.items': { $size: { $gt: 0 } } } }),
      ],
    }),
  ],
  thresholds: { 'duration{step:slow}': ['p(95)<500'], failed: ['rate<0.01'] },
})
