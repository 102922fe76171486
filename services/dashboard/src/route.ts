import { useEffect, useState } from 'preact/hooks'

/** Where the page is: `#/runs/checkout-1?step=log%20in`. In the fragment, because that works behind any base path and from a file. */
export interface Route {
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2)
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A stray % in a typed address means itself.
    return text
  }
}

export function href(path: readonly string[], query: Record<string, string | undefined> = {}): string {
  const entries = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  const search = new URLSearchParams(entries).toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

const here = () => parseRoute(window.location.hash)

export function useRoute(): Route {
  const [route, setRoute] = useState(here)
  useEffect(() => {
    const follow = () => setRoute(here())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return route
}

export function go(to: string): void {
  window.location.hash = to
}

/** A link to where one is already moves nothing; whoever follows it wants to be taken there all the same. */
export function again(to: string): void {
  if (window.location.hash === to) window.dispatchEvent(new HashChangeEvent('hashchange'))
}

/** A part of the view that its address remembers; it does not become a step of the browser's history. */
export function useQuery(name: string): readonly [string | undefined, (value: string | undefined) => void] {
  const { query } = useRoute()
  const set = (value: string | undefined) => {
    const { path, query: now } = here()
    const next = Object.fromEntries(now)
    window.history.replaceState(null, '', href(path, { ...next, [name]: value }))
    window.dispatchEvent(new HashChangeEvent('hashchange'))
  }
  return [query.get(name) ?? undefined, set]
}
