import { instantValue } from './instants.ts'
import { jsonValue } from './json-value.ts'
import { decimalValue, floatValue, wholeValue } from './numbers.ts'
import { parseArray } from './postgres-array.ts'

type FromText = (text: string) => unknown

const bytes: FromText = text => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text)
const float: FromText = text => floatValue(Number(text))
const itself: FromText = text => text

/** By the numbers that PostgreSQL has for its own types: the type, its list type, and how a value is read. */
const known: readonly (readonly [type: number, list: number, read: FromText])[] = [
  [16, 1000, text => text === 't'],
  [17, 1001, bytes],
  [20, 1016, wholeValue],
  [21, 1005, Number],
  [23, 1007, Number],
  [26, 1028, Number],
  [114, 199, jsonValue],
  [700, 1021, float],
  [701, 1022, float],
  [1114, 1115, instantValue],
  [1184, 1185, instantValue],
  [1700, 1231, decimalValue],
  [3802, 3807, jsonValue],
]
/** Lists whose values stay the text they are: text, varchar, char, name, date, time, timetz, interval, uuid, inet, … */
const textLists = [1009, 1015, 1014, 1002, 1003, 1182, 1183, 1270, 1187, 2951, 1041, 651, 1040, 791, 143, 1561, 1563]

const readers = new Map<number, FromText>([
  ...known.flatMap(([type, list, read]): [number, FromText][] => [
    [type, read],
    [list, text => parseArray(text, read)],
  ]),
  ...textLists.map((list): [number, FromText] => [list, text => parseArray(text, itself)]),
])

/** A value's text, as the server wrote it, by the number of its type. What has no rule stays text. */
export function postgresValue(text: unknown, type: number): unknown {
  return typeof text === 'string' ? (readers.get(type)?.(text) ?? text) : text
}
