/**
 * The closed list of what can go wrong, with the HTTP status each answers. People and programs branch on these, so a
 * code is never renamed and never means two things.
 */
export const codes = {
  malformed: 400,
  unauthorized: 401,
  forbidden: 403,
  target_refused: 403,
  cross_site_refused: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  worker_busy: 409,
  idempotency_conflict: 409,
  capacity: 409,
  version_mismatch: 409,
  too_large: 413,
  invalid: 422,
  script_error: 422,
  too_many: 429,
  timeout: 504,
  unavailable: 503,
  server_missing: 503,
  worker_lost: 503,
  run_failed: 500,
  internal: 500,
} as const

export type Code = keyof typeof codes

export const codeNames = Object.keys(codes) as [Code, ...Code[]]
