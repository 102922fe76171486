import type { Route } from './route.ts'

/** What a newcomer can type, for the terminal and for `GET /`. */
export function thingsToTry(url: string, grpc?: string): string {
  const curl = url.startsWith('https:') ? 'curl -k' : 'curl'
  return `try:
  ${curl} ${url}/json
  ${curl} -d '{"user":"ada","password":"secret"}' ${url}/login
  ${curl} '${url}/items?page=2'
  ${curl} ${url}/stats
  ${curl} -d '{"jsonrpc":"2.0","id":1,"method":"add","params":[1,2]}' ${url}/rpc
  ./onrush quick ${url}/json -c 10 -z 10s
${grpc === undefined ? '' : `  ./onrush quick --grpc shop.Catalog/GetItem ${grpc} -b '{"id":7}'\n`}`
}

/** The page behind `GET /`. */
export function welcome(url: string, grpc: string | undefined, routes: readonly Route[]): string {
  const lines = routes.map(({ template, handlers }) => `  ${Object.keys(handlers).join(' ').padEnd(5)}${template}`)
  return `The Onrush demo target: a service to try load tests on. It counts what it answers.

${thingsToTry(url, grpc)}
routes (* is any method):
${lines.join('\n')}
  GET  /stats        the counts; ?rows=1 adds the values seen in x-row or ?row=
  POST /stats/reset  answers the counts and clears them
`
}
