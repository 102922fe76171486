import { gzipSync } from 'node:zlib'
import { itemCount, pageCount, pageOf } from '../catalog.ts'
import { Fixed, fixedJson, fixedRoute } from '../fixed.ts'
import type { Route } from '../route.ts'

const page = JSON.stringify({ page: 1, pages: pageCount, total: itemCount, items: pageOf(1) })

/** Answers that never change. */
export const fixedRoutes: readonly Route[] = [
  fixedRoute('/json', fixedJson({ id: 1, name: 'onrush', ok: true, tags: ['fast', 'true'] })),
  fixedRoute(
    '/gzip',
    new Fixed(['content-type', 'application/json', 'content-encoding', 'gzip'], gzipSync(`${page}\n`)),
  ),
  fixedRoute(
    '/template',
    fixedJson({
      text: 'x is {{$._s.x}}',
      list: ['{{$._s.x}}'],
      unknown: '{{$._s.nothingOfThatName}}',
      notAReference: '{{uuid()}}',
    }),
  ),
]
