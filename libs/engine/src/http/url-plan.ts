import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import type { HttpStep } from '@onrush/protocol/http-step'
import { type Address, cleanPath, parseAddress } from './origin.ts'
import { compilePairs, encodeQuery } from './query-plan.ts'
import type { Settle } from './settle.ts'

/** Where a step's requests go. */
export interface UrlPlan {
  /** Set when they all go to the same place. */
  readonly constant: Address | undefined
  /** Throws `RenderError` when what is rendered is no URL. */
  render(context: Context): Address
}

const absolute = /^https?:\/\//i
const expected = 'expected a URL like "http://host/path"'

/**
 * A URL that does not begin with `http://` or `https://` continues the base URL, path and all. In nearly all scripts
 * the base is a constant by now, and what is left to do for a request is to render its path.
 */
export function compileUrl(
  step: Pick<HttpStep, 'url' | 'query'>,
  baseUrl: string | undefined,
  settle: Settle,
): UrlPlan {
  const url = settle.text(step.url, '.url')
  const query = step.query === undefined ? undefined : compilePairs(step.query, '.query', encodeQuery, settle)
  const base = baseUrl === undefined ? undefined : settle.text(baseUrl, ' (http.baseUrl)')

  const whole = (context: Context): string => {
    const text = url.render(context)
    return absolute.test(text) || base === undefined ? text : joinUrl(base.render(context), text)
  }
  const withQuery = (text: string, context: Context): string => {
    const more = query?.render(context) ?? ''
    return more === '' ? text : addQuery(text, more)
  }
  const parse = (context: Context): Address => {
    const address = parseAddress(withQuery(whole(context), context))
    if (address === undefined) throw new RenderError(step.url, `${expected}, got ${shown(whole(context))}`)
    return address
  }

  const isStatic = url.isStatic && (base === undefined || base.isStatic || absolute.test(url.constant ?? ''))
  if (isStatic) {
    const text = absolute.test(url.constant ?? '') ? url.constant : joinUrl(base?.constant ?? '', url.constant ?? '')
    const address = parseAddress(text ?? '')
    if (address === undefined) {
      settle.fault('.url', `${expected}, got ${shown(text ?? '')}`)
      return { constant: undefined, render: parse }
    }
    if (query === undefined) return { constant: address, render: () => address }
    if (query.constant !== undefined) {
      const constant = { origin: address.origin, path: addQuery(address.path, query.constant) }
      return { constant, render: () => constant }
    }
    return {
      constant: undefined,
      render: context => ({ origin: address.origin, path: addQuery(address.path, query.render(context)) }),
    }
  }

  // Only a path that begins as one can be known to be a path whatever is rendered after it.
  const beginning = base?.constant === undefined || !step.url.startsWith('/') ? undefined : parseAddress(base.constant)
  if (beginning === undefined) return { constant: undefined, render: parse }
  const { origin, path } = beginning
  const prefix = withoutSlash(path)
  return {
    constant: undefined,
    render: context => ({ origin, path: cleanPath(withQuery(prefix + url.render(context), context)) }),
  }
}

const withoutSlash = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path)

function joinUrl(base: string, rest: string): string {
  return rest === '' || rest.startsWith('?') ? base + rest : `${withoutSlash(base)}/${rest.replace(/^\//, '')}`
}

function addQuery(url: string, query: string): string {
  if (query === '') return url
  const fragment = url.indexOf('#')
  const kept = fragment === -1 ? url : url.slice(0, fragment)
  return `${kept}${kept.includes('?') ? '&' : '?'}${query}`
}

/** Cut, and without a password that the URL may hold. */
const shown = (url: string): string => JSON.stringify(url.slice(0, 200).replace(/\/\/[^/@]*@/, '//***@'))
