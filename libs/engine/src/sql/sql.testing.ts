import type { SessionSettings } from '@onrush/context/context'
import { createEnvironment } from '@onrush/context/environment'
import { Random } from '@onrush/context/random'
import type { Json } from '@onrush/protocol/json'
import type { Fault } from '@onrush/protocol/problem'
import { SqlConnection, SqlStep } from '@onrush/protocol/sql-step'
import type { Outcome } from '../protocol.ts'
import { Session } from '../session/session.ts'
import { SqlProtocol, type SqlTools } from './sql-protocol.ts'

type StepFields = Omit<Partial<SqlStep>, 'type'>

/** A thread's `sql` with one connection, `db`, and sessions to run its steps in. */
export class SqlBench {
  readonly protocol: SqlProtocol
  readonly #settings: SessionSettings

  constructor(
    connection: object,
    more: { env?: Record<string, Json>; guard?: SqlTools['guard']; threads?: number } = {},
  ) {
    const faults: Fault[] = []
    const environment = createEnvironment(more.env ?? {}, [], faults)
    this.#settings = { environment, variables: { names: [], apply: () => undefined }, renderResponses: true }
    this.protocol = new SqlProtocol({
      connections: { db: SqlConnection.parse(connection) },
      environment,
      threads: more.threads ?? 1,
      guard: more.guard,
    })
  }

  session(variables: Record<string, unknown> = {}): Session {
    const session = new Session({ sendLag: () => undefined })
    session.reset(1)
    const globals = { runId: 'test-run', worker: 'here', user: 1, iteration: 1, arrival: 1 }
    session.context.beginSession(this.#settings, globals, new Random(1, 1))
    session.context.beginScenario(undefined, variables)
    return session
  }

  async compile(fields: StepFields) {
    const faults: Fault[] = []
    const step = SqlStep.parse({ type: 'sql', name: 'step', on: 'db', ...fields })
    const runner = this.protocol.compile(step, '$.steps[0]', faults)
    if (faults.length === 0) await this.protocol.prepare(faults)
    return { runner, faults }
  }

  /** Runs one step in a session, and answers what came of it with what the session then sees. */
  async run(
    fields: StepFields,
    session = this.session(),
  ): Promise<{ outcome: Outcome; status: unknown; entity: unknown }> {
    const { runner, faults } = await this.compile(fields)
    if (runner === undefined || faults.length > 0) throw new Error(JSON.stringify(faults))
    const outcome = await runner.run(session)
    const { status, entity } = session.context
    // As JSON has it, which is what a scope's maps are compared as.
    return { outcome, status, entity: entity === undefined ? undefined : JSON.parse(JSON.stringify(entity)) }
  }

  query(query: string, params: Json[] = [], more: StepFields = {}) {
    return this.run({ query, params, ...more })
  }

  async entity(query: string, params: Json[] = []): Promise<unknown> {
    const { outcome, entity } = await this.query(query, params)
    const wrong = outcome.failure ?? outcome.refusal
    if (wrong !== undefined) throw new Error(`${query}: ${wrong.kind}: ${wrong.message}`)
    return entity
  }

  close(): Promise<void> {
    return this.protocol.close()
  }
}
