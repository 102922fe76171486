import { useEffect, useState } from 'preact/hooks'

/** A value that several components watch. */
export class Store<T> {
  #value: T
  readonly #watchers = new Set<(value: T) => void>()

  constructor(value: T) {
    this.#value = value
  }

  get value(): T {
    return this.#value
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return
    this.#value = value
    for (const watcher of this.#watchers) watcher(value)
  }

  watch(watcher: (value: T) => void): () => void {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}

export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.value)
  useEffect(() => {
    // It may have changed between the first rendering and now.
    setValue(() => store.value)
    return store.watch(next => setValue(() => next))
  }, [store])
  return value
}
