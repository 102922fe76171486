/** An address as a number, so that it can be compared with a range. */
export interface IpAddress {
  readonly family: 4 | 6
  readonly bits: bigint
}

const octet = /^(?:0|[1-9]\d{0,2})$/

function bitsOf4(text: string): bigint | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  let bits = 0n
  for (const part of parts) {
    // `010` is eight to some resolvers and ten to others, so it is no address here.
    if (!octet.test(part) || Number(part) > 255) return undefined
    bits = (bits << 8n) | BigInt(part)
  }
  return bits
}

function groupsOf(text: string): bigint[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return groups.map(group => BigInt(`0x${group}`))
}

function bitsOf6(text: string): bigint | undefined {
  // The last 32 bits may be written as an IPv4 address.
  const dotted = /^(.*:)([\d.]+\.[\d.]+)$/.exec(text)
  let written = text
  if (dotted !== null) {
    const tail = bitsOf4(dotted[2] ?? '')
    if (tail === undefined) return undefined
    written = `${dotted[1]}${(tail >> 16n).toString(16)}:${(tail & 0xffffn).toString(16)}`
  }
  const halves = written.split('::')
  if (halves.length > 2) return undefined
  const head = groupsOf(halves[0] ?? '')
  const tail = groupsOf(halves[1] ?? '')
  if (head === undefined || tail === undefined) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array<bigint>(halves.length === 1 ? 0 : missing).fill(0n), ...tail]
  return groups.reduce((bits, group) => (bits << 16n) | group, 0n)
}

const ipv4Mapped = 0xffffn

/** `undefined` for what is no address. An IPv4 address in an IPv6 coat (`::ffff:10.0.0.1`) is the IPv4 address it reaches. */
export function parseIp(text: string): IpAddress | undefined {
  const bits4 = bitsOf4(text)
  if (bits4 !== undefined) return { family: 4, bits: bits4 }
  const bits6 = bitsOf6(text.replace(/%[\w.-]+$/, ''))
  if (bits6 === undefined) return undefined
  return bits6 >> 32n === ipv4Mapped ? { family: 4, bits: bits6 & 0xffff_ffffn } : { family: 6, bits: bits6 }
}

/** IPv4 addresses that a gateway would reach for this IPv6 address: NAT64, 6to4, and the old compatible form. */
export function embeddedIp({ family, bits }: IpAddress): IpAddress | undefined {
  if (family === 4) return undefined
  const low = bits & 0xffff_ffffn
  if (bits >> 32n === 0x64_ff9bn << 64n) return { family: 4, bits: low }
  if (bits >> 112n === 0x2002n) return { family: 4, bits: (bits >> 80n) & 0xffff_ffffn }
  // :: and ::1 are addresses of their own.
  if (bits >> 32n === 0n && low > 1n) return { family: 4, bits: low }
  return undefined
}

export interface IpRange {
  readonly family: 4 | 6
  readonly first: bigint
  readonly last: bigint
}

/** `10.0.0.0/8`, `2001:db8::/32`, or one address. */
export function parseRange(text: string): IpRange | undefined {
  const [written = '', length, ...rest] = text.split('/')
  if (rest.length > 0) return undefined
  const address = parseIp(written)
  if (address === undefined) return undefined
  const { family, bits } = address
  const width = family === 4 ? 32 : 128
  if (length === undefined) return { family, first: bits, last: bits }
  if (!/^\d{1,3}$/.test(length)) return undefined
  // A range of mapped addresses (`::ffff:10.0.0.0/104`) counts its length from the IPv6 side.
  const prefix = Number(length) - (family === 4 && written.includes(':') ? 96 : 0)
  if (prefix < 0 || prefix > width) return undefined
  const size = 1n << BigInt(width - prefix)
  const first = bits - (bits % size)
  return { family, first, last: first + size - 1n }
}

export const inRange = ({ family, bits }: IpAddress, range: IpRange): boolean =>
  family === range.family && bits >= range.first && bits <= range.last
