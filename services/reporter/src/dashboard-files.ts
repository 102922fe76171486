import { readdir, readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { unlessMissing } from '@onrush/protocol/missing-file'
import { Hono } from 'hono'

interface PageFile {
  readonly type: string
  readonly plain: Buffer<ArrayBuffer>
  readonly zipped: Buffer<ArrayBuffer>
  /** Its name changes whenever its content does. */
  readonly forever: boolean
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Onrush</title>
<p>The API answers, but the page has not been built: run <code>npm run build -w @onrush/dashboard</code>, then start the reporter again.`

/** The built page, read once: it is a few hundred kilobytes, and no request can name another file. */
export class DashboardFiles {
  readonly #files: ReadonlyMap<string, PageFile>

  private constructor(files: ReadonlyMap<string, PageFile>) {
    this.#files = files
  }

  static async read(folder: string): Promise<DashboardFiles> {
    const files = new Map<string, PageFile>()
    for (const path of await pathsOf(folder)) {
      const type = types[extname(path)]
      if (type === undefined) continue
      const plain = await readFile(join(folder, path))
      const zipped = Buffer.from(await promisify(gzip)(plain, { level: 9 }))
      const name = `/${path.split(sep).join('/')}`
      files.set(name, { type, plain: Buffer.from(plain), zipped, forever: name.startsWith('/assets/') })
    }
    return new DashboardFiles(files)
  }

  /** Paths that anyone may ask for: they hold no data, and a login is one of the things that they show. */
  has(path: string): boolean {
    return path === '/' || this.#files.has(path)
  }

  routes(): Hono {
    const app = new Hono()
    app.get('/', c => this.#answer('/index.html', c.req.header('accept-encoding')) ?? c.html(notBuilt, 503))
    for (const path of this.#files.keys()) {
      app.get(path, c => this.#answer(path, c.req.header('accept-encoding')) ?? c.notFound())
    }
    return app
  }

  #answer(path: string, accepted = ''): Response | undefined {
    const file = this.#files.get(path)
    if (file === undefined) return undefined
    const zips = /\bgzip\b/.test(accepted)
    return new Response(zips ? file.zipped : file.plain, {
      headers: {
        'content-type': file.type,
        'cache-control': file.forever ? 'public, max-age=31536000, immutable' : 'no-cache',
        vary: 'accept-encoding',
        ...(zips ? { 'content-encoding': 'gzip' } : {}),
      },
    })
  }
}

async function pathsOf(folder: string): Promise<string[]> {
  return await unlessMissing(readdir(folder, { recursive: true }), [])
}
