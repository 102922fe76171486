import { constantRate, http, rampRate, scenario, simulation, threshold } from 'onrush'

/** Arrivals come at a rate that rises and then stays, whatever the target does; thresholds say what is good enough. */
export default simulation({
  description: 'A rising rate of arrivals',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}' },
  inject: [rampRate(1, 100, '10s'), constantRate(100, '5s')],
  arrivals: 'poisson',
  seed: 42,
  maxUsers: 1000,
  scenarios: [scenario('read', { steps: [http.get('json', '/json', { assert: { '$.status': 200 } })] })],
  thresholds: {
    duration: ['p(95)<200', 'p(99)<500'],
    'duration{step:json}': [threshold('p(95)<200', { over: '5s' })],
    failed: ['rate<0.01', threshold('rate<0.5', { after: '2s', abort: true })],
    dropped: ['count==0'],
  },
})
