import { createHmac } from 'node:crypto'
import { constantUsers, http, scenario, simulation, step } from 'onrush'

/** What no builder says is written as code: it has the session's variables, the same requests, and metrics of its own. */
export default simulation({
  description: 'A signed request, and paging until the end',
  environments: { local: { shop: 'http://127.0.0.1:7090' } },
  http: { baseUrl: '{{$._env.shop}}' },
  setup: async session => {
    const { entity } = await session.http.get('catalogue', '/items')
    const pages = typeof entity === 'object' && entity !== null && 'pages' in entity ? Number(entity.pages) : 1
    return { pages }
  },
  inject: [constantUsers(3, '8s')],
  scenarios: [
    scenario('sign and page', {
      steps: [
        step('sign', session => {
          const text = JSON.stringify({ at: Date.now(), user: session.get('$._g.user') })
          session.set('text', text)
          session.set('signature', createHmac('sha256', 'key').update(text).digest('hex'))
        }),
        http.post('signed', '/echo', {
          headers: { 'content-type': 'application/json', 'x-signature': '{{$._s.signature}}' },
          body: '{{$._s.text}}',
          assert: { "$.entity.headers['x-signature']": '{{$._s.signature}}' },
        }),
        step('read pages', async session => {
          const pages = Number(session.get('$._g.setup.pages'))
          const first = 1 + Math.floor(session.random() * (pages - 3))
          for (let page = first; page < first + 3; page++) {
            const started = performance.now()
            const { ok, status } = await session.http.get('page', `/items?page=${page}`)
            session.trend('page_time', performance.now() - started)
            session.count('pages_read', 1, { kind: 'items' })
            session.check('a page is there', status === 200)
            if (!ok) session.fail(`page ${page} answered ${status}`)
            await session.pause(50)
          }
        }),
      ],
    }),
  ],
  thresholds: { pages_read: ['count>0'], page_time: ['p(95)<300'], failed: ['rate<0.01'] },
})
