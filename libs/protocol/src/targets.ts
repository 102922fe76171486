import { embeddedIp, type IpAddress, type IpRange, inRange, parseIp, parseRange } from './ip-address.ts'

/**
 * Where a service may send requests to. `closed`: others can reach it and nobody has said what it may load; `open`:
 * it listens on loopback, so who uses it could send the requests without it. Plain data: it travels to threads.
 */
export type TargetRules =
  | { readonly kind: 'listed'; readonly patterns: readonly string[] }
  | { readonly kind: 'open' }
  | { readonly kind: 'closed' }

export const targetsSetting = 'ONRUSH_TARGETS'

export const targetRules = (patterns: readonly string[], reachable: boolean): TargetRules =>
  patterns.length > 0 ? { kind: 'listed', patterns } : { kind: reachable ? 'closed' : 'open' }

interface Ports {
  readonly from: number
  readonly to: number
}

type Pattern = { readonly ports: Ports | undefined } & (
  | { readonly kind: 'everything' }
  | { readonly kind: 'loopback' }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'below'; readonly suffix: string }
  | { readonly kind: 'range'; readonly range: IpRange }
)

const form = 'expected a name, "*.name", an address or a CIDR range, with ":port" or ":from-to" after it or not'
const label = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/

const cleanName = (host: string): string =>
  host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')

/** A pattern, or what is wrong with it. */
export function parsePattern(text: string): Pattern | string {
  const written = text.trim()
  const bracketed = /^\[([^\]]+)\](?::(.+))?$/.exec(written)
  // A bare IPv6 address has colons of its own: with a port it stands in brackets.
  const isBare6 = bracketed === null && parseRange(written)?.family === 6
  const split = bracketed ?? (isBare6 ? [written, written, undefined] : /^([^:]+)(?::(.+))?$/.exec(written))
  const host = split?.[1]
  if (host === undefined) return `${form}, got "${written.slice(0, 100)}"`
  const ports = portsOf(split?.[2])
  if (ports === 'wrong') return `expected a port from 1 to 65535 or a range "8000-8999", got "${split?.[2]}"`
  if (host === '*') return { kind: 'everything', ports }
  const range = parseRange(host)
  if (range !== undefined) return { kind: 'range', range, ports }
  const name = cleanName(host)
  if (name === 'localhost') return { kind: 'loopback', ports }
  const below = name.startsWith('*.')
  const labels = (below ? name.slice(2) : name).split('.')
  // All digits and dots would be an address that is none, such as 10.0.0.999 or 10.0.0.
  const isName = labels.every(each => label.test(each)) && /[a-z_-]/.test(labels.at(-1) ?? '')
  if (!isName) return `${form}, got "${written.slice(0, 100)}"`
  return below ? { kind: 'below', suffix: name.slice(1), ports } : { kind: 'name', name, ports }
}

function portsOf(text: string | undefined): Ports | undefined | 'wrong' {
  if (text === undefined) return undefined
  const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text)
  if (found === null) return 'wrong'
  const from = Number(found[1])
  const to = Number(found[2] ?? found[1])
  return from >= 1 && from <= to && to <= 65_535 ? { from, to } : 'wrong'
}

const ranges = (...texts: string[]): IpRange[] => texts.flatMap(text => parseRange(text) ?? [])

const loopback = ranges('127.0.0.0/8', '::1/128', '0.0.0.0/8', '::/128')
/** Where clouds keep their machines' metadata and credentials; the whole link-local range, because they share it. */
const metadata = ranges(
  '169.254.0.0/16',
  '100.100.100.200/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
)
const metadataNames = new Set([
  'metadata.goog',
  'metadata.google.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'instance-data',
  'instance-data.ec2.internal',
])

const isLocalName = (name: string): boolean => name === 'localhost' || name.endsWith('.localhost')
const among = (address: IpAddress, all: readonly IpRange[]): boolean => all.some(range => inRange(address, range))
const overlaps = (one: IpRange, other: IpRange): boolean =>
  one.family === other.family && one.first <= other.last && other.first <= one.last
const isMetadata = (address: IpAddress): boolean => {
  const inner = embeddedIp(address)
  return among(address, metadata) || (inner !== undefined && among(inner, metadata))
}
const isLoopbackAddress = (address: IpAddress): boolean => {
  const inner = embeddedIp(address)
  return among(address, loopback) || (inner !== undefined && among(inner, loopback))
}

/**
 * Judges where requests may go. A name in the list admits whatever public or private address it has now, but never
 * loopback or metadata: those are named themselves, or whoever runs a listed name could point it there.
 */
export class TargetJudge {
  readonly #rules: TargetRules
  readonly #patterns: readonly Pattern[]

  /** Throws a `TypeError` for a pattern that is none: settings are checked where they are read. */
  constructor(rules: TargetRules) {
    this.#rules = rules
    this.#patterns = rules.kind === 'listed' ? rules.patterns.map(mustParse) : []
  }

  /**
   * Why not, or `undefined` if it may. `host` is what the request names, `address` what that name stands for now;
   * `undefined` where a proxy looks it up, so that only the name can be judged.
   */
  refusal(host: string, address: string | undefined, port: number): string | undefined {
    const name = cleanName(host)
    const literal = parseIp(address ?? name)
    if (this.#rules.kind === 'closed') return closedMessage
    // Other resolvers read 2130706433, 0x7f.1 or 127.1 as an address; nobody else means to send to such a name.
    if (literal === undefined && (address !== undefined || /(^|\.)(\d+|0x[0-9a-f]*)$/.test(name)))
      return this.#say(name, address, port, 'is no address')
    const named = this.#at(port)
    if (literal !== undefined && named.some(each => namesAddress(each, literal))) return undefined
    const exactly = named.some(each => each.kind === 'name' && each.name === name)
    if (metadataNames.has(name) || (literal !== undefined && isMetadata(literal))) {
      if (exactly && metadataNames.has(name)) return undefined
      return this.#say(name, address, port, 'is where clouds keep credentials; it has to be named itself')
    }
    if (this.#rules.kind === 'open' || named.some(({ kind }) => kind === 'everything')) return undefined
    if (literal === undefined ? isLocalName(name) : isLoopbackAddress(literal)) {
      if (named.some(({ kind }) => kind === 'loopback')) return undefined
      return this.#say(name, address, port, 'is this machine itself; it has to be named, as "localhost"')
    }
    if (exactly || named.some(each => each.kind === 'below' && name.endsWith(each.suffix))) return undefined
    return this.#say(name, address, port, `is not in it (${this.#patterns.length} entries)`)
  }

  /**
   * The same before the name is looked up: only what is refused whatever address it turns out to have. A range may admit
   * it by its address, so that a name which no pattern holds is refused here only where there is no such range.
   */
  sureRefusal(host: string, port: number): string | undefined {
    const name = cleanName(host)
    const refusal = this.refusal(host, undefined, port)
    if (refusal === undefined || this.#rules.kind === 'closed' || parseIp(name) !== undefined) return refusal
    return this.#at(port).some(each => mayHold(each, name)) ? undefined : refusal
  }

  #at(port: number): Pattern[] {
    return this.#patterns.filter(({ ports }) => ports === undefined || (port >= ports.from && port <= ports.to))
  }

  #say(name: string, address: string | undefined, port: number, why: string): string {
    const place = address === undefined || address === name ? name : `${name} (${address})`
    return `refused by ${targetsSetting}: ${place}, port ${port}, ${why}`
  }
}

export const closedMessage =
  `refused: this service can be reached from the network and has no list of what it may send requests to. ` +
  `Set ${targetsSetting} where it runs, for example ${targetsSetting}=shop.example.com,*.staging.example.com,10.0.0.0/8:8080`

function namesAddress(pattern: Pattern, address: IpAddress): boolean {
  if (pattern.kind === 'range') return inRange(address, pattern.range)
  return pattern.kind === 'loopback' && among(address, loopback)
}

/** Whether an address that the name may have is one that the pattern names. */
function mayHold(pattern: Pattern, name: string): boolean {
  if (pattern.kind === 'loopback') return !metadataNames.has(name)
  if (pattern.kind !== 'range') return false
  return !metadataNames.has(name) || metadata.some(range => overlaps(range, pattern.range))
}

function mustParse(text: string): Pattern {
  const pattern = parsePattern(text)
  if (typeof pattern === 'string') throw new TypeError(`${targetsSetting}: ${pattern}`)
  return pattern
}
