import type { HttpOptions, HttpStep, Method } from './http-types.ts'
import { placed } from './place.ts'

/** Writes one HTTP step: a name to count it under, a URL (or a path after `http.baseUrl`), and what it sends and expects. */
type HttpBuilder = (name: string, url: string, options?: HttpOptions) => HttpStep

const request =
  (method: Method): HttpBuilder =>
  (name, url, options) =>
    placed({ type: 'http', name, method, url, ...options })

/** HTTP steps: `http.get('item', '/items/{{$._s.item}}', { assert: { '$.status': 200 } })`. */
export const http: {
  readonly get: HttpBuilder
  readonly post: HttpBuilder
  readonly put: HttpBuilder
  readonly patch: HttpBuilder
  readonly delete: HttpBuilder
  readonly head: HttpBuilder
  readonly options: HttpBuilder
} = {
  get: request('GET'),
  post: request('POST'),
  put: request('PUT'),
  patch: request('PATCH'),
  delete: request('DELETE'),
  head: request('HEAD'),
  options: request('OPTIONS'),
}
