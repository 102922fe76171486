import type { SessionAnswer } from '@onrush/protocol/login'
import { Store } from '../store.ts'

/** Whether the reporter lets us in: it answers 401 until somebody has logged in. */
export const locked = new Store(false)

/** Who we are to it; nothing until it has told. */
export const session = new Store<SessionAnswer | undefined>(undefined)

/** What a viewer may not do is not offered: the stylesheet hides it. */
session.watch(who => {
  if (who === undefined) delete document.documentElement.dataset.role
  else document.documentElement.dataset.role = who.role
})

const at = (path: string) => new URL(path, document.baseURI)
const json = { accept: 'application/json', 'content-type': 'application/json' }

/**
 * The token itself is not kept here: the reporter answers with a cookie that no script can read. Gives what is wrong, in
 * the reporter's words.
 */
export async function logIn(token: string): Promise<string | undefined> {
  const response = await fetch(at('api/login'), { method: 'POST', headers: json, body: JSON.stringify({ token }) })
  const answer = await response.json()
  if (!response.ok) return String(answer.detail)
  session.set(answer)
  locked.set(false)
  return undefined
}

export async function logOut(): Promise<void> {
  await fetch(at('api/logout'), { method: 'POST', headers: json, body: '{}' })
  session.set(undefined)
  locked.set(true)
}

export async function lookWho(): Promise<void> {
  const response = await fetch(at('api/session'), { headers: json })
  if (response.ok) session.set(await response.json())
}
