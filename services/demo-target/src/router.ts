import type { Route } from './route.ts'

export interface Match {
  readonly route: Route
  readonly param: string
}

/** Finds a path's route with one look-up, or two where its last part is a parameter. */
export class Router {
  readonly #whole = new Map<string, Match>()
  readonly #prefixes = new Map<string, Route>()

  constructor(routes: Iterable<Route>) {
    for (const route of routes) {
      const colon = route.template.indexOf(':')
      if (colon === -1) this.#whole.set(route.template, { route, param: '' })
      else this.#prefixes.set(route.template.slice(0, colon), route)
    }
  }

  match(path: string): Match | undefined {
    const whole = this.#whole.get(path)
    if (whole !== undefined) return whole
    const start = path.lastIndexOf('/') + 1
    const route = this.#prefixes.get(path.slice(0, start))
    return route === undefined || start === path.length ? undefined : { route, param: path.slice(start) }
  }
}
