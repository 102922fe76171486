import { hostname } from 'node:os'
import type { Hono } from 'hono'
import { type Listening, listen } from './listen.ts'

type App = Pick<Hono, 'fetch'>

export interface EarlyPort extends Listening {
  /** From here on it answers. */
  serve(app: App): void
}

/** Listens before there is an app, because a node's id may hold its port. Requests that come early wait for the app. */
export async function listenEarly(host: string, port: number): Promise<EarlyPort> {
  const { promise, resolve } = Promise.withResolvers<App>()
  const listening = await listen({ fetch: async (...request) => (await promise).fetch(...request) }, host, port)
  return { ...listening, serve: resolve }
}

const everywhere = ['0.0.0.0', '::']

/** Where others reach a service: what they were told, else what it listens on, or this host's name where that is every address. */
export function addressOf(advertised: string | undefined, { host, url, port }: Listening): string {
  return advertised ?? (everywhere.includes(host) ? `http://${hostname()}:${port}` : url)
}
