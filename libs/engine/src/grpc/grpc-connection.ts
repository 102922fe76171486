import type { GrpcConnection as Declared } from '@onrush/protocol/rpc-step'
import type { Session } from '../session/session.ts'
import type { Address, AddressBook, Found } from './address.ts'
import { type channelCredentials, GrpcChannel } from './grpc-channel.ts'
import type { Schema } from './schema.ts'

type Refused = Extract<Found, { ok: false }>

/** A connection of the simulation's `grpc`, for one thread. */
export class GrpcConnection {
  readonly declared: Declared
  /** `catalog.internal:7091` */
  readonly authority: string
  readonly #address: Address
  readonly #addresses: AddressBook
  readonly #credentials: ReturnType<typeof channelCredentials>
  readonly #own = new Map<Session, GrpcChannel>()
  #shared: GrpcChannel | undefined
  #schema: Schema | undefined
  #isClosed = false

  constructor(
    declared: Declared,
    address: Address,
    addresses: AddressBook,
    credentials: ReturnType<typeof channelCredentials>,
  ) {
    this.declared = declared
    this.#address = address
    this.#addresses = addresses
    this.#credentials = credentials
    const { host, port } = address
    this.authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  }

  get schema(): Schema | undefined {
    return this.#schema
  }

  describe(schema: Schema): void {
    this.#schema = schema
  }

  /** The session's own channel, or the thread's. At once where it is open. */
  channelFor(session: Session): GrpcChannel | Promise<GrpcChannel | Refused> {
    if (this.declared.channel !== 'per-session') return this.shared()
    return this.#own.get(session) ?? this.#openFor(session)
  }

  shared(): GrpcChannel | Promise<GrpcChannel | Refused> {
    return this.#shared ?? this.#openShared()
  }

  release(session: Session): void {
    this.#own.get(session)?.close()
    this.#own.delete(session)
  }

  close(): void {
    this.#isClosed = true
    this.#shared?.close()
    for (const channel of this.#own.values()) channel.close()
    this.#own.clear()
  }

  async #openFor(session: Session): Promise<GrpcChannel | Refused> {
    const channel = await this.#open()
    if (channel instanceof GrpcChannel) this.#own.set(session, channel)
    return channel
  }

  async #openShared(): Promise<GrpcChannel | Refused> {
    const channel = await this.#open()
    if (!(channel instanceof GrpcChannel)) return channel
    // Others may have waited for the same name.
    if (this.#shared !== undefined) channel.close()
    this.#shared ??= channel
    return this.#shared
  }

  async #open(): Promise<GrpcChannel | Refused> {
    const found = await this.#addresses.find(this.#address)
    if (!found.ok) return found
    const channel = new GrpcChannel(found.places, this.authority, this.#credentials)
    if (this.#isClosed) channel.close()
    return channel
  }
}
