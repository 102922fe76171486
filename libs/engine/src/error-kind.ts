/** Why a step failed, as it is counted. Other protocols have the server's own code behind a colon: `sql:23505`, `grpc:NOT_FOUND`. */
export type ErrorKind =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'reset'
  | 'timeout_connect'
  | 'timeout_headers'
  | 'timeout_body'
  | 'timeout_total'
  | 'malformed_response'
  | 'too_large'
  | 'too_many_redirects'
  | 'ports_exhausted'
  | 'files_exhausted'
  | 'target_refused'
  | 'proxy'
  | 'interrupted'
  | 'render'
  | 'assertion'
  | 'status'
  | 'export'
  | 'code'
  | `sql:${string}`
  | `grpc:${string}`
  | `rpc:${string}`
  | `other:${string}`
