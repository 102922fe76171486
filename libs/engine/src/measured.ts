/** What is measured of anything that was sent. Instants are `performance.now()`, the rest microseconds and bytes. */
export interface Measured {
  /** When it was handed to a connection that stood; when it failed before that, when it was asked for. */
  readonly sentAt: number
  readonly endedAt: number
  /** Name and TCP. 0 where an existing connection was used. */
  readonly connectMicros: number
  readonly tlsMicros: number
  /** From its sending; 0 when nothing came. */
  readonly firstByteMicros: number
  /** As on the wire: heads, and for the first exchange of a connection its TLS handshake, included. */
  readonly bytesIn: number
  readonly bytesOut: number
}
