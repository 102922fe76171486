import { constantRate, http, scenario, simulation } from 'onrush'

export default simulation({
  description: 'Looks at the item it was set up with',
  environments: { local: { shop: 'http://127.0.0.1:1' } },
  // Two busy cores may keep the generator from keeping up; what is tested here is not its speed.
  generator: { lagP99: '1m', missed: 1 },
  setup: () => ({ item: 7 }),
  teardown: () => {},
  scenarios: [
    scenario('looker', {
      inject: [constantRate(20, '2s')],
      steps: [http.get('item', '{{$._env.shop}}/json?row={{$._g.setup.item}}')],
    }),
  ],
})
