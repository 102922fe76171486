import { instantValue } from './instants.ts'
import { bigintValue, decimalValue, floatValue, singleValue, wholeValue } from './numbers.ts'

/** A column as mysql2 describes it. */
export interface MysqlColumn {
  readonly name: string
  readonly columnType: number | undefined
  readonly columnLength: number
}

const tiny = 1
const float = 4
const double = 5
const timestamp = 7
const longlong = 8
const datetime = 12
const bit = 16
const newDecimal = 246
const oldDecimal = 0

/** A value as mysql2 reads it from the binary protocol, big numbers and dates as text. */
export function mariadbValue(value: unknown, { columnType, columnLength }: MysqlColumn): unknown {
  switch (columnType) {
    case tiny:
      // BOOLEAN is a name for TINYINT(1) here; other numbers in such a column stay numbers.
      return columnLength === 1 && (value === 0 || value === 1) ? value === 1 : value
    case float:
      return typeof value === 'number' ? singleValue(value) : value
    case double:
      return typeof value === 'number' ? floatValue(value) : value
    case longlong:
      return typeof value === 'string' ? wholeValue(value) : value
    case newDecimal:
    case oldDecimal:
      return typeof value === 'string' ? decimalValue(value) : value
    case timestamp:
    case datetime:
      return typeof value === 'string' ? instantValue(value) : value
    case bit:
      return value instanceof Uint8Array ? bitsValue(value, columnLength) : value
    default:
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
  }
}

function bitsValue(bytes: Uint8Array, length: number): unknown {
  const number = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  return length === 1 ? number === 1n : bigintValue(number)
}
