import fc from 'fast-check'
import { parse, Root } from 'protobufjs'
import { describe, expect, it } from 'vitest'
import { MessageType } from './message-type.ts'
import { MessageWalk } from './message-walk.ts'

const { root } = parse(
  `syntax = "proto3";
  import "google/protobuf/timestamp.proto";
  message All {
    double double = 1; float float = 2; int32 int32 = 3; uint32 uint32 = 4; sint32 sint32 = 5;
    fixed32 fixed32 = 6; sfixed32 sfixed32 = 7; int64 int64 = 8; uint64 uint64 = 9; sint64 sint64 = 10;
    fixed64 fixed64 = 11; sfixed64 sfixed64 = 12; bool bool = 13; string string = 14; bytes bytes = 15;
    Kind kind = 16; All inner = 17; repeated int64 list = 18; map<string, int64> by_name = 19;
    map<int32, All> by_id = 20; oneof either { string left = 21; int32 right = 22; } optional int32 maybe = 23;
    repeated All inners = 24;
  }
  enum Kind { NONE = 0; LAMP = 1; }`,
  new Root(),
  { keepCase: true },
)
root.resolveAll()
const all = new MessageType(root.lookupType('All'))

function roundTrip(value: unknown): Record<string, unknown> {
  const walk = new MessageWalk('$', false)
  const bytes = all.encode(value, walk)
  expect(walk.faults).toEqual([])
  return all.decode(bytes)
}

const faultsOf = (value: unknown) => all.check(value, '$').map(({ path, message }) => `${path}: ${message}`)

describe('scalars', () => {
  it.each<[field: string, written: unknown, read: unknown]>([
    ['double', 1.5, 1.5],
    ['double', '-2.5e3', -2500],
    ['float', 0.5, 0.5],
    ['int32', -2147483648, -2147483648],
    ['int32', '7', 7],
    ['uint32', 4294967295, 4294967295],
    ['sint32', -1, -1],
    ['fixed32', 4294967295, 4294967295],
    ['sfixed32', -2147483648, -2147483648],
    ['int64', 9007199254740991, 9007199254740991],
    ['int64', -9007199254740991, -9007199254740991],
    ['int64', '9007199254740993', '9007199254740993'],
    ['int64', '-9223372036854775808', '-9223372036854775808'],
    ['int64', '5', 5],
    ['uint64', '18446744073709551615', '18446744073709551615'],
    ['uint64', 7, 7],
    ['sint64', '-9223372036854775808', '-9223372036854775808'],
    ['sint64', -3, -3],
    ['fixed64', '18446744073709551615', '18446744073709551615'],
    ['sfixed64', '-9007199254740993', '-9007199254740993'],
    ['bool', true, true],
    ['bool', 'true', true],
    ['string', 'grüße', 'grüße'],
    ['string', 7, '7'],
    ['bytes', '/wAH', '/wAH'],
    ['bytes', Buffer.from([255, 0, 7]), '/wAH'],
    ['kind', 'LAMP', 'LAMP'],
    ['kind', 1, 'LAMP'],
    ['kind', 99, 99],
    ['inner', { int32: 3 }, expect.objectContaining({ int32: 3 })],
    ['list', [1, '9007199254740993'], [1, '9007199254740993']],
    ['by_name', { a: 1, b: '9007199254740993' }, { a: 1, b: '9007199254740993' }],
    ['by_id', { 7: { bytes: 'AA==' } }, { 7: expect.objectContaining({ bytes: 'AA==', int64: 0 }) }],
    ['left', '', ''],
    ['maybe', 0, 0],
  ])('%s %j', (field, written, read) => {
    expect(roundTrip({ [field]: written })[field]).toEqual(read)
  })

  it('have defaults, and what may be absent is', () => {
    const read = roundTrip({ int32: null })
    expect(read).toMatchObject({
      double: 0,
      int64: 0,
      bool: false,
      string: '',
      bytes: '',
      kind: 'NONE',
      list: [],
      by_name: {},
    })
    expect(read.inner).toBeNull()
    for (const field of ['left', 'right', 'maybe']) expect(read).not.toHaveProperty(field)
  })

  it('of 64 bits never lose a digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), value => {
        const read = roundTrip({ int64: String(value), sint64: String(value), list: [String(value)] })
        for (const each of [read.int64, read.sint64, read.list]) expect(String(each)).toBe(String(value))
      }),
    )
  })
})

describe('faults', () => {
  it.each<[unknown, string]>([
    [{ int32: 1.5 }, '$.int32: expected an int32, a whole number from -2147483648 to 2147483647, got 1.5'],
    [{ int32: 2147483648 }, 'got 2147483648'],
    [{ uint32: -1 }, '$.uint32: expected a uint32'],
    [{ int64: 9007199254740992 }, 'as text where it is beyond'],
    [{ int64: '9223372036854775808' }, '$.int64: expected an int64'],
    [{ uint64: '-1' }, '$.uint64: expected a uint64'],
    [{ double: 'x' }, '$.double: expected a number, got "x"'],
    [{ bool: 'yes' }, '$.bool: expected true or false, got "yes"'],
    [{ string: {} }, '$.string: expected a text, got {}'],
    [{ bytes: 'no base64!' }, '$.bytes: expected bytes in base64'],
    [{ kind: 'LAMPE' }, '$.kind: expected a name of Kind, got "LAMPE" (did you mean "LAMP"?)'],
    [{ strin: 'x' }, '$.strin: All has no field "strin" (did you mean "string"?)'],
    [{ inner: { inner: { x: 1 } } }, '$.inner.inner.x: All has no field "x"'],
    [{ list: 1 }, '$.list: expected a list, got 1'],
    [{ list: [1, 'x'] }, '$.list[1]: expected an int64'],
    [{ inners: [{}, { bool: 2 }] }, '$.inners[1].bool: expected true or false, got 2'],
    [{ by_id: { seven: {} } }, '$.by_id.seven: expected an int32'],
    [{ by_name: [] }, '$.by_name: expected a map, got []'],
    [{ left: 'a', right: 1 }, '$: expected one of left, right; got left and right'],
    [[], '$: expected a map, the message All, got []'],
  ])('%j', (value, message) => {
    expect(faultsOf(value)).toEqual([expect.stringContaining(message)])
  })

  it('are all told at once, and templates are judged when they are rendered', () => {
    expect(faultsOf({ int32: 'x', bool: '{{$._s.b}}', nope: 1, inner: '{{$._s.inner}}' })).toHaveLength(2)
  })

  it('of proto2: what is required', () => {
    const proto2 = parse('syntax = "proto2"; message M { required int32 id = 1; }', new Root()).root
    proto2.resolveAll()
    expect(new MessageType(proto2.lookupType('M')).check({}, '$')).toEqual([
      { path: '$', message: 'the field "id" is required' },
    ])
    expect(new MessageType(proto2.lookupType('M')).check({ id: '{{$._s.id}}' }, '$')).toEqual([])
  })
})
