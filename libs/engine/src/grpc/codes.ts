/** gRPC's status codes, by their number. */
const names = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const

export const codes = {
  ok: 0,
  cancelled: 1,
  deadlineExceeded: 4,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
} as const

/** A server may send any number. */
export const codeName = (code: number): string => names[code] ?? String(code)
