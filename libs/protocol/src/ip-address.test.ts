import fc from 'fast-check'
import { expect, test } from 'vitest'
import { embeddedIp, inRange, parseIp, parseRange } from './ip-address.ts'

test('reads addresses of both families, and one in the other one’s coat', () => {
  expect(parseIp('127.0.0.1')).toEqual({ family: 4, bits: 0x7f00_0001n })
  expect(parseIp('::1')).toEqual({ family: 6, bits: 1n })
  expect(parseIp('fe80::1%eth0')?.family).toBe(6)
  expect(parseIp('2001:db8::8:800:200c:417a')).toEqual(parseIp('2001:DB8:0:0:8:800:200C:417A'))
  for (const mapped of ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:127.0.0.1', '0000::ffff:7f00:0001']) {
    expect(parseIp(mapped)).toEqual(parseIp('127.0.0.1'))
  }
})

test.each([
  '',
  '1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '010.0.0.1',
  '1.2.3.256',
  '1.2.3.4.5',
  '1.2.3.4 ',
  'a.b.c.d',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8:9',
  '12345::',
  'g::',
  '::1.2.3',
  '::1.2.3.256',
])('is no address: %j', text => {
  expect(parseIp(text)).toBeUndefined()
})

test('finds the IPv4 address that a gateway would reach', () => {
  const metadata = parseIp('169.254.169.254')
  for (const coat of ['64:ff9b::a9fe:a9fe', '64:ff9b::169.254.169.254', '2002:a9fe:a9fe::', '::a9fe:a9fe']) {
    const address = parseIp(coat)
    expect(address && embeddedIp(address), coat).toEqual(metadata)
  }
  for (const own of ['::', '::1', '2001:db8::1', '10.0.0.1']) {
    const address = parseIp(own)
    expect(address && embeddedIp(address), own).toBeUndefined()
  }
})

const v4 = fc.ipV4()
const v6 = fc.ipV6()

test('any address of either family is read, and lies in its own ranges', () => {
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.nat(128), (text, wanted) => {
      const address = parseIp(text)
      if (address === undefined) throw new Error(`not read: ${text}`)
      const width = address.family === 4 && text.includes(':') ? 128 : address.family === 4 ? 32 : 128
      const least = address.family === 4 && text.includes(':') ? 96 : 0
      const length = Math.min(width, Math.max(least, wanted))
      const range = parseRange(`${text}/${length}`)
      if (range === undefined) throw new Error(`not read: ${text}/${length}`)
      expect(inRange(address, range)).toBe(true)
      // Its size is a power of two and it begins at a multiple of it.
      const size = range.last - range.first + 1n
      expect(size & (size - 1n)).toBe(0n)
      expect(range.first % size).toBe(0n)
      expect(inRange({ ...address, bits: range.last + 1n }, range)).toBe(false)
      expect(inRange({ ...address, bits: range.first - 1n }, range)).toBe(false)
    }),
  )
})

test('reads nothing as an address that is none, and throws at nothing', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f:./%]{0,40}$/)), text => {
      const address = parseIp(text)
      parseRange(text)
      if (address === undefined) return
      // The URL parser agrees, except on what it reads leniently.
      const plain = text.replace(/%.*/, '')
      expect(URL.canParse(`http://${plain.includes(':') ? `[${plain}]` : plain}/`)).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
