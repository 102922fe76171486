import type { Endpoints } from '@onrush/protocol/endpoint'
import { type DocumentAbout, openApiDocument } from '@onrush/protocol/openapi'
import { Hono } from 'hono'
import { apiPage } from './api-page/api-page.ts'

/** The API as a document for programs and as a page for people. Made when it is first asked for: it takes a moment. */
export function apiRoutes(about: DocumentAbout, endpoints: Endpoints): Hono {
  const document = once(() => openApiDocument(about, endpoints))
  const page = once(() => apiPage(document(), endpoints))
  return new Hono().get('/openapi.json', c => c.json(document())).get('/docs', c => c.html(page()))
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What an app answers, as the document spells it; guards stand before every path and are none of it. */
export const answeredBy = (app: Pick<Hono, 'routes'>): string[] =>
  [
    ...new Set(app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)),
  ].sort()
