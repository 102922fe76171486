/** What `onrush check` shows of one session, in order. Values have had their secrets removed. */
export type TraceEvent =
  | { type: 'scenario'; name: string; variables: { [name: string]: unknown } }
  | { type: 'step'; name: string; kind: string }
  | { type: 'request'; step: string; method?: string; url?: string; headers: { [name: string]: string }; body?: string }
  | { type: 'redirect'; step: string; status: number }
  | {
      type: 'response'
      step: string
      status: number
      headers: { [name: string]: string }
      /** Of a gRPC call: what it ended with. */
      trailers?: { [name: string]: string }
      body?: string
      ms: number
      connectMs: number
      firstByteMs: number
    }
  | { type: 'assertion'; step: string; check: string; ok: boolean; expected?: string; actual?: string }
  | { type: 'export'; step: string; name: string; scope: '_s' | '_j'; value: string }
  | { type: 'failure'; step: string; kind: string; message: string }
  | { type: 'pause'; ms: number }
  | { type: 'end'; ok: boolean }

export type Trace = (event: TraceEvent) => void
