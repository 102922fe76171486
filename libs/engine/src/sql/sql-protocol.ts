import type { Environment } from '@onrush/context/environment'
import { durationMs } from '@onrush/protocol/duration'
import type { Fault } from '@onrush/protocol/problem'
import { checkSqlBudget, sqlBudget } from '@onrush/protocol/sql-budget'
import type { SqlConnection, SqlStep } from '@onrush/protocol/sql-step'
import type { RequestStep } from '@onrush/protocol/step'
import { NameLookup } from '../http/name-lookup.ts'
import { createSettle } from '../http/settle.ts'
import type { TargetGuard } from '../http/target-guard.ts'
import type { Outcome, Protocol, RequestRunner } from '../protocol.ts'
import type { Session } from '../session/session.ts'
import { bindingOf } from './binding.ts'
import { type OpenConnection, openConnection, timeoutOf } from './open-connection.ts'
import { readPlace } from './place.ts'
import { SqlExchange } from './sql-exchange.ts'
import { toSqlFailure } from './sql-failure.ts'
import { refusalOf } from './sql-guard.ts'
import { type CompiledWork, compileWork } from './sql-work.ts'

export interface SqlTools {
  readonly connections: { readonly [name: string]: SqlConnection }
  readonly environment: Environment
  /** Threads of this worker. */
  readonly threads: number
  readonly guard?: TargetGuard | undefined
}

/** A connection that steps use: named when they are compiled, open when they run. */
interface Used {
  readonly declared: SqlConnection
  open: OpenConnection | undefined
}

/** `sql` steps: one pool per connection name and thread. Drivers are loaded for the connections that steps use. */
export class SqlProtocol implements Protocol {
  readonly failsFrom = 1
  readonly #tools: SqlTools
  readonly #used = new Map<string, Used>()
  readonly #names = new NameLookup()

  constructor(tools: SqlTools) {
    this.#tools = tools
  }

  compile(step: RequestStep, where: string, faults: Fault[]): RequestRunner | undefined {
    if (step.type !== 'sql') return undefined
    const declared = this.#tools.connections[step.on]
    if (declared === undefined) {
      faults.push({ path: `${where}.on`, message: `no SQL connection "${step.on}"` })
      return undefined
    }
    if (declared.client === 'better-sqlite3' && step.timeout !== undefined) {
      const message =
        "SQLite runs a statement inside the thread and cannot end it; the connection's timeout says how long it waits for a file that is locked"
      faults.push({ path: `${where}.timeout`, message })
    }
    const used = this.#used.get(step.on) ?? { declared, open: undefined }
    this.#used.set(step.on, used)
    const work = compileWork(step, declared.client, bindingOf(declared.client), where, faults)
    return new SqlRunner(used, work, step)
  }

  async prepare(faults: Fault[]): Promise<void> {
    const { connections, threads } = this.#tools
    const declared = Object.fromEntries([...this.#used.keys()].flatMap(name => entryOf(connections, name)))
    faults.push(...checkSqlBudget(sqlBudget(declared, threads)))
    const closed = [...this.#used].filter(([, { open }]) => open === undefined)
    await Promise.all(closed.map(([name, used]) => this.#open(name, used, faults)))
  }

  endSession(): void {
    // A session leaves nothing behind: its connection went back with each statement.
  }

  async close(): Promise<void> {
    await Promise.all([...this.#used.values()].map(({ open }) => open?.close()))
  }

  async #open(name: string, used: Used, faults: Fault[]): Promise<void> {
    const { environment, guard } = this.#tools
    const { declared } = used
    const path = `$.sql.${name}`
    const settle = createSettle(environment, path, faults)
    const text = settle.text(declared.connection, '.connection')
    if (!text.isStatic) {
      settle.fault(
        '.connection',
        'expected a text that refers to the environment only ({{$._env.…}}): all sessions share it',
      )
      return
    }
    const place = readPlace(declared.client, text.constant ?? '', message => settle.fault('.connection', message))
    if (place === undefined) return
    // A server is refused where it is reached, as its steps' failures; a file before it is opened.
    const refusal = place.kind === 'file' ? refusalOf(place, guard) : undefined
    if (refusal !== undefined) return settle.fault('.connection', refusal)
    used.open = await openConnection(name, declared, place, this.#names, guard)
    try {
      await used.open.pool.warm(declared.pool?.min ?? 0)
    } catch (error) {
      settle.fault('.pool.min', `cannot connect: ${toSqlFailure(error, 'tcp').message}`)
    }
  }
}

function entryOf(connections: SqlTools['connections'], name: string): [string, SqlConnection][] {
  const declared = connections[name]
  return declared === undefined ? [] : [[name, declared]]
}

const noHeaders: readonly never[] = Object.freeze([])

class SqlRunner implements RequestRunner {
  readonly #used: Used
  readonly #work: CompiledWork
  readonly #on: string
  readonly #timeoutMs: number

  constructor(used: Used, work: CompiledWork, { on, timeout }: SqlStep) {
    this.#used = used
    this.#work = work
    this.#on = on
    this.#timeoutMs = timeout === undefined ? timeoutOf(used.declared) : durationMs(timeout)
  }

  run(session: Session): Promise<Outcome> {
    const { open } = this.#used
    if (open === undefined) throw new Error(`the connection ${this.#on} was not opened before its step ran`)
    // Rendered first: a statement may refer to the response before it, which sending erases.
    const work = this.#work.render(session.context)
    session.sending()
    const { statements, isTransaction } = work
    const [first] = statements
    const shown = ({ written, params }: (typeof statements)[number]) => ({ query: written, params })
    session.context.requestSent({
      method: isTransaction ? 'TRANSACTION' : 'STATEMENT',
      url: this.#on,
      headers: noHeaders,
      body: isTransaction || first === undefined ? statements.map(shown) : shown(first),
    })
    return new Promise(resolve =>
      open.begin(new SqlExchange(open, session, work, this.#timeoutMs, resolve), this.#timeoutMs),
    )
  }
}
