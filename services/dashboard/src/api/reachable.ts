import { Store } from '../store.ts'

/** Since when the reporter has not answered; nothing while it does. */
export const unreachableSince = new Store<number | undefined>(undefined)

export const answered = (): void => unreachableSince.set(undefined)

export function noAnswer(): void {
  if (unreachableSince.value === undefined) unreachableSince.set(Date.now())
}
