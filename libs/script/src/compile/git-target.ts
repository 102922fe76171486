import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { OnrushError } from '@onrush/protocol/error'
import { closedMessage, TargetJudge, type TargetRules } from '@onrush/protocol/targets'

/** What makes git connect to the address that was judged, and to no other. */
export interface GitRoute {
  readonly args: readonly string[]
  /** What ssh is told beside what it is configured to do. */
  readonly ssh: readonly string[]
}

interface Remote {
  readonly scheme: 'http' | 'https' | 'ssh'
  readonly host: string
  readonly port: number
}

const asIs: GitRoute = { args: [], ssh: [] }
const ports = { http: 80, https: 443, ssh: 22 }

/** Whether it lies on this machine: nothing is sent anywhere. */
const isLocal = (url: string): boolean => /^(file:|\/|\.{1,2}\/)/i.test(url)

function remoteOf(url: string): Remote | undefined {
  // `git@host:path`, which is no URL.
  const short = /^(?:[^@/\s]+@)?(\[[0-9a-f:.]+\]|[^\s:/[\]]+):(?!\/\/)/i.exec(url)?.[1]
  if (short !== undefined) return { scheme: 'ssh', host: short.replace(/^\[(.*)\]$/, '$1'), port: ports.ssh }
  const parsed = URL.parse(url)
  const scheme = parsed?.protocol.slice(0, -1)
  if (parsed === null || (scheme !== 'http' && scheme !== 'https' && scheme !== 'ssh')) return undefined
  return {
    scheme,
    host: parsed.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: parsed.port === '' ? ports[scheme] : Number(parsed.port),
  }
}

/** Judges where a fetch would go. `url` is the remote's own, after git's rewriting. */
export async function routeTo(url: string, rules: TargetRules): Promise<GitRoute> {
  if (isLocal(url)) return asIs
  if (rules.kind === 'closed') throw refused(closedMessage)
  const judge = new TargetJudge(rules)
  const remote = remoteOf(url)
  if (remote === undefined) {
    if (rules.kind === 'open') return asIs
    throw refused('only https, http and ssh remotes can be held to the address that was checked')
  }
  const { scheme, host, port } = remote
  if (rules.kind === 'open') {
    const refusal = judge.refusal(host, undefined, port)
    if (refusal !== undefined) throw refused(refusal)
    return asIs
  }
  const addresses = isIP(host) === 0 ? (await addressesOf(host)).map(({ address }) => address) : [host]
  for (const address of addresses) {
    const refusal = judge.refusal(host, address, port)
    if (refusal !== undefined) throw refused(refusal)
  }
  const [address = ''] = addresses
  if (scheme === 'ssh') {
    const options = [
      'BatchMode=yes',
      `HostName=${address}`,
      `HostKeyAlias=${host}`,
      'ProxyCommand=none',
      'ProxyJump=none',
    ]
    return { args: [], ssh: options.flatMap(each => ['-o', each]) }
  }
  return {
    args: [
      ...['-c', `http.curloptResolve=${host}:${port}:${isIP(address) === 6 ? `[${address}]` : address}`],
      // A redirect leads to a host that nobody has judged, and so does a proxy.
      ...['-c', 'http.followRedirects=false', '-c', 'http.proxy='],
    ],
    ssh: [],
  }
}

async function addressesOf(host: string) {
  // It goes into a command line: what is no host name goes nowhere.
  if (!/^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/.test(host)) throw refused(`"${host.slice(0, 80)}" is no name of a host`)
  try {
    return await lookup(host, { all: true })
  } catch (cause) {
    throw new OnrushError('unavailable', `the git remote's host ${host} cannot be found`, { cause })
  }
}

const refused = (why: string) => new OnrushError('target_refused', `the git remote is not fetched: ${why}`)
