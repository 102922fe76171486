import { fromProblem, OnrushError } from '@onrush/protocol/error'
import type { NodeRecord } from '@onrush/protocol/node'
import { Problem } from '@onrush/protocol/problem'

const callMs = 10_000

/** Calls other nodes of the fleet, as one of them. */
export class NodeCalls {
  readonly #secret: string

  constructor(secret: string) {
    this.#secret = secret
  }

  /** The answer, whatever its status; the caller reads or cancels its body. */
  async ask(node: NodeRecord, path: string, init: RequestInit = {}, limitMs = callMs): Promise<Response> {
    try {
      return await fetch(`${node.address}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${this.#secret}` },
        redirect: 'error',
        signal: AbortSignal.timeout(limitMs),
      })
    } catch (cause) {
      throw new OnrushError('unavailable', `${node.role} ${node.id} at ${node.address} cannot be reached`, { cause })
    }
  }

  async json(node: NodeRecord, path: string, init: RequestInit = {}, limitMs = callMs): Promise<unknown> {
    const response = await this.ask(node, path, init, limitMs)
    const body: unknown = await response.json().catch((cause: unknown) => {
      throw new OnrushError('unavailable', `${node.role} ${node.id} answers ${response.status} without JSON`, { cause })
    })
    if (response.ok) return body
    const problem = Problem.safeParse(body)
    if (problem.success) throw fromProblem(problem.data)
    throw new OnrushError('unavailable', `${node.role} ${node.id} answers ${response.status}`)
  }
}
