import { lookup } from 'node:dns'
import { request as plainRequest } from 'node:http'
import { request as tlsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { OnrushError } from '@onrush/protocol/error'
import type { TargetJudge } from '@onrush/protocol/targets'

export interface Post {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly limitMs: number
}

interface Place {
  readonly host: string
  readonly port: number
}

const placeOf = ({ hostname, port, protocol }: URL): Place => ({
  host: hostname.replace(/^\[(.*)\]$/, '$1'),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})

/** Why a post there is sure to be refused; what a name stands for is looked up and judged when it is sent. */
export function postRefusal(url: URL, judge: TargetJudge): string | undefined {
  const { host, port } = placeOf(url)
  return judge.sureRefusal(host, port)
}

/**
 * Posts to where somebody else has asked us to. The address that was judged is the one that is connected to: there is no
 * second lookup. Redirects are not followed, because they lead anywhere. Answers the status; the body is not read.
 */
export async function guardedPost(url: URL, post: Post, judge: TargetJudge): Promise<number> {
  const { host, port } = placeOf(url)
  const refusal = isIP(host) === 0 ? undefined : judge.refusal(host, host, port)
  if (refusal !== undefined) throw new OnrushError('target_refused', refusal)
  const checked: LookupFunction = (name, options, found) => {
    lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return found(error, [])
      const refused = addresses
        .map(({ address }) => judge.refusal(name, address, port))
        .find(each => each !== undefined)
      const [first] = addresses
      if (refused !== undefined) found(new OnrushError('target_refused', refused), [])
      else if (options.all === true) found(null, addresses)
      else found(null, first?.address ?? '', first?.family)
    })
  }
  return await new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? tlsRequest : plainRequest
    const request = send(url, {
      method: 'POST',
      headers: { ...post.headers, 'content-length': Buffer.byteLength(post.body) },
      lookup: checked,
      agent: false,
      signal: AbortSignal.timeout(post.limitMs),
    })
    request.on('error', reject)
    request.on('response', response => {
      resolve(response.statusCode ?? 0)
      response.destroy()
    })
    request.end(post.body)
  })
}
