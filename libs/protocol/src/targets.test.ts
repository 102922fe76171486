import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { closedMessage, parsePattern, TargetJudge, targetRules } from './targets.ts'

const listed = (...patterns: string[]) => new TargetJudge(targetRules(patterns, true))
const open = new TargetJudge(targetRules([], false))
const closed = new TargetJudge(targetRules([], true))

test('rules follow from the setting and from who can reach the service', () => {
  expect(targetRules([], true)).toEqual({ kind: 'closed' })
  expect(targetRules([], false)).toEqual({ kind: 'open' })
  expect(targetRules(['a.b'], false)).toEqual({ kind: 'listed', patterns: ['a.b'] })
})

describe('patterns', () => {
  test.each([
    'shop.example.com',
    'shop',
    'Shop.Example.Com.',
    '*.example.com',
    '*',
    '*:443',
    'shop:8080',
    'shop:8000-8999',
    '10.0.0.0/8',
    '10.0.0.1',
    '10.0.0.1:80',
    '10.0.0.0/8:80',
    '::1',
    '2001:db8::/32',
    '[2001:db8::/32]:443',
    '[::1]:7090',
    'localhost',
    'localhost:7090',
    'shop_1.internal',
  ])('%s', pattern => {
    expect(parsePattern(pattern)).toBeTypeOf('object')
  })

  test.each([
    '',
    'http://shop',
    'shop/path',
    'a b',
    '*.',
    '*a.com',
    'a.*.com',
    '10.0.0.0/33',
    '10.0.0.999',
    '10.0.0',
    'shop:0',
    'shop:70000',
    'shop:90-80',
    'shop:http',
    '-a.com',
    'a..b',
    '[::1',
    '::1/129',
    '2130706433',
    'user@shop',
  ])('refuses %j, and says what was expected', pattern => {
    expect(parsePattern(pattern)).toMatch(/^expected .*got/)
  })
})

describe('a list', () => {
  test.each<[pattern: string, host: string, address: string | undefined, port: number, allowed: boolean]>([
    ['shop.example.com', 'shop.example.com', '10.1.2.3', 80, true],
    ['shop.example.com', 'SHOP.example.com.', '93.184.216.34', 80, true],
    ['shop.example.com', 'shop.example.com', undefined, 80, true],
    ['shop.example.com', 'evil.shop.example.com', '10.1.2.3', 80, false],
    ['shop.example.com', 'shop.example.com.evil.net', '10.1.2.3', 80, false],
    ['shop.example.com:443', 'shop.example.com', '10.1.2.3', 80, false],
    ['shop.example.com:443', 'shop.example.com', '10.1.2.3', 443, true],
    ['shop.example.com', '10.1.2.3', '10.1.2.3', 80, false],
    ['*.example.com', 'a.example.com', '10.1.2.3', 80, true],
    ['*.example.com', 'a.b.example.com', '10.1.2.3', 80, true],
    ['*.example.com', 'example.com', '10.1.2.3', 80, false],
    ['*.example.com', 'badexample.com', '10.1.2.3', 80, false],
    ['10.0.0.0/8', 'whatever.net', '10.1.2.3', 80, true],
    ['10.0.0.0/8', 'whatever.net', '11.1.2.3', 80, false],
    ['10.0.0.0/8', 'whatever.net', undefined, 80, false],
    ['10.0.0.0/8', '10.1.2.3', undefined, 80, true],
    ['10.0.0.0/8:8080', '10.1.2.3', '10.1.2.3', 8081, false],
    ['10.0.0.0/8', 'x.net', '::ffff:10.1.2.3', 80, true],
    ['2001:db8::/32', 'x.net', '2001:db8::1', 80, true],
    ['*', 'x.net', '2001:db8::1', 80, true],
    ['*', 'x.net', '127.0.0.1', 80, true],
    ['*:80', 'x.net', '127.0.0.1', 81, false],
    // A listed name that is pointed at this machine, or at where credentials are.
    ['shop.example.com', 'shop.example.com', '127.0.0.1', 80, false],
    ['*.example.com', 'a.example.com', '::1', 80, false],
    ['*.example.com', 'a.example.com', '0.0.0.0', 80, false],
    ['*.example.com', 'a.example.com', '::ffff:127.0.0.1', 80, false],
    ['*.example.com', 'a.example.com', '169.254.169.254', 80, false],
    ['*.example.com', 'a.example.com', '64:ff9b::a9fe:a9fe', 80, false],
    ['*', 'a.example.com', '169.254.169.254', 80, false],
    ['*', '169.254.169.254', undefined, 80, false],
    ['*', 'metadata.google.internal', undefined, 80, false],
    ['*.internal', 'metadata.google.internal', '169.254.169.254', 80, false],
    ['metadata.google.internal', 'metadata.google.internal', '169.254.169.254', 80, true],
    ['169.254.169.254', 'a.example.com', '169.254.169.254', 80, true],
    ['127.0.0.1', 'localhost', '127.0.0.1', 80, true],
    ['localhost', 'localhost', '::1', 80, true],
    ['localhost', 'app.localhost', '127.0.0.1', 80, true],
    ['localhost:7090', 'localhost', '127.0.0.1', 7091, false],
    ['localhost', 'shop.example.com', '127.0.0.1', 80, true],
    ['localhost', 'shop.example.com', '10.0.0.1', 80, false],
    // Spellings that only some resolvers read as an address, behind a proxy.
    ['*', '2130706433', undefined, 80, false],
    ['*', '0x7f000001', undefined, 80, false],
    ['*', '127.1', undefined, 80, false],
    ['*', 'x.net', 'no address', 80, false],
  ])('of %s: %s (%s) port %i → %s', (pattern, host, address, port, allowed) => {
    const refusal = listed(pattern).refusal(host, address, port)
    if (allowed) expect(refusal).toBeUndefined()
    else expect(refusal).toMatch(/^refused by ONRUSH_TARGETS: /)
  })
})

test('without a list: everything on loopback but metadata; nothing where others can reach us, and it says what to set', () => {
  for (const [host, address] of [
    ['x.net', '10.0.0.1'],
    ['localhost', '127.0.0.1'],
    ['x.net', undefined],
  ] as const) {
    expect(open.refusal(host, address, 80)).toBeUndefined()
    expect(closed.refusal(host, address, 80)).toBe(closedMessage)
  }
  expect(closedMessage).toContain('ONRUSH_TARGETS=')
  for (const address of ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '::ffff:a9fe:a9fe', '168.63.129.16']) {
    expect(open.refusal('a.example.com', address, 80), address).toMatch(/named itself/)
    expect(open.refusal(address, undefined, 80), address).toMatch(/named itself/)
  }
  expect(open.refusal('metadata.google.internal', undefined, 80)).toMatch(/named itself/)
  expect(open.refusal('Metadata.Google.Internal.', undefined, 80)).toMatch(/named itself/)
})

describe('before a name is looked up', () => {
  test.each<[patterns: string[], host: string, port: number, sure: boolean]>([
    [['shop.test'], 'hooks.test', 443, true],
    [['hooks.test:443'], 'hooks.test', 80, true],
    [['hooks.test'], 'hooks.test', 443, false],
    [['*.test'], 'hooks.test', 443, false],
    // Its address may lie in the range.
    [['10.0.0.0/8'], 'hooks.test', 443, false],
    [['10.0.0.0/8:443'], 'hooks.test', 80, true],
    [['localhost'], 'hooks.test', 80, false],
    [['127.0.0.1'], 'localhost', 80, false],
    [['10.0.0.0/8'], '11.0.0.1', 80, true],
    [['10.0.0.0/8'], '10.0.0.1', 80, false],
    [['10.0.0.0/8', 'localhost', '*'], 'metadata.google.internal', 80, true],
    [['169.254.0.0/16'], 'metadata.google.internal', 80, false],
    [['*'], '169.254.169.254', 80, true],
    [['*'], '[fd00:ec2::254]', 80, true],
  ])('a list of %j and %s:%i: sure to be refused is %s', (patterns, host, port, sure) => {
    expect(listed(...patterns).sureRefusal(host, port) !== undefined).toBe(sure)
  })

  test('without a list', () => {
    expect(open.sureRefusal('hooks.test', 80)).toBeUndefined()
    expect(open.sureRefusal('127.0.0.1', 80)).toBeUndefined()
    expect(open.sureRefusal('metadata.google.internal', 80)).toMatch(/named itself/)
    expect(open.sureRefusal('169.254.169.254', 80)).toMatch(/named itself/)
    expect(closed.sureRefusal('hooks.test', 80)).toBe(closedMessage)
  })
})

const address = fc.oneof(fc.ipV4(), fc.ipV6())
const name = fc.domain()
const port = fc.integer({ min: 1, max: 65_535 })

test('a longer list never refuses what a shorter one admits, and a list of one range admits exactly that range', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(name, fc.ipV4())),
      fc.oneof(name, fc.ipV4()),
      name,
      address,
      port,
      (some, one, host, at, p) => {
        const fewer = listed('none.invalid', ...some)
        if (fewer.refusal(host, at, p) !== undefined) return
        expect(listed('none.invalid', ...some, one).refusal(host, at, p)).toBeUndefined()
      },
    ),
  )
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 1, max: 32 }), fc.ipV4(), name, port, (base, length, other, host, p) => {
      const judge = listed(`${base}/${length}`)
      const bits = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
      const same = Math.floor(bits(base) / 2 ** (32 - length)) === Math.floor(bits(other) / 2 ** (32 - length))
      expect(judge.refusal(host, other, p) === undefined).toBe(same)
      expect(judge.refusal(other, other, p) === undefined).toBe(same)
      expect(judge.refusal(host, `::ffff:${other}`, p) === undefined).toBe(same)
      expect(judge.refusal(host, undefined, p)).toBeDefined()
    }),
  )
})

test('what is surely refused is refused at whatever address', () => {
  const pattern = fc.oneof(name, fc.ipV4(), fc.constantFrom('localhost', '*', '*.test', '169.254.0.0/16', '10.0.0.0/8'))
  const host = fc.oneof(name, fc.constantFrom('localhost', 'metadata.google.internal', 'a.test'))
  fc.assert(
    fc.property(fc.array(pattern), host, address, port, (patterns, asked, at, p) => {
      const judge = listed('none.invalid', ...patterns)
      if (judge.sureRefusal(asked, p) !== undefined) expect(judge.refusal(asked, at, p)).toMatch(/^refused/)
    }),
  )
})

test('metadata and this machine stay out of reach of every list of names', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          name,
          name.map(each => `*.${each}`),
        ),
        { minLength: 1 },
      ),
      name,
      fc.constantFrom('169.254.169.254', '169.254.1.1', '127.0.0.1', '127.8.9.1', '::1', 'fd00:ec2::254', '0.0.0.0'),
      port,
      (patterns, host, at, p) => {
        const judge = listed(...patterns, host)
        expect(judge.refusal(host, at, p)).toMatch(/^refused/)
      },
    ),
  )
})
