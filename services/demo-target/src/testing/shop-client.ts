import { createTarget, type Target } from '../target.ts'

/** What the tests look into; `toMatchObject` and `toEqual` check the rest. */
interface Body {
  readonly token: string
  readonly id: string
  readonly price: number
  readonly method: string
  readonly body: unknown
  readonly items: readonly { readonly id: number }[]
  readonly errors: readonly { readonly path: string }[]
  readonly bytes: { readonly sent: number }
}

export type ShopClient = ReturnType<typeof clientOf>

/** A target of its own and what a test of its routes says again and again. */
export async function startShop(): Promise<ShopClient> {
  return clientOf(await createTarget())
}

function clientOf(target: Target) {
  const send = (path: string, init: RequestInit = {}) => fetch(target.url + path, { redirect: 'manual', ...init })
  const postJson = (path: string, value: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof value === 'string' ? value : JSON.stringify(value),
    })
  const statusAndBody = async (answer: Promise<Response>) => {
    const response = await answer
    return { status: response.status, body: (await response.json()) as Body }
  }
  const bodyOf = async (answer: Promise<Response>) => (await statusAndBody(answer)).body
  return {
    url: target.url,
    close: () => target.close(),
    send,
    postJson,
    statusAndBody,
    bodyOf,
    reset: () => send('/stats/reset', { method: 'POST' }),
    tokenOf: async (user: string) => (await bodyOf(postJson('/login', { user, password: 'secret' }))).token,
  }
}
