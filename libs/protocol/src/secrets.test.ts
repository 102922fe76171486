import fc from 'fast-check'
import { expect, it } from 'vitest'
import { formsOfSecret, masked, maskedSource, maskedYaml, secretTexts, withoutSecrets } from './secrets.ts'

it('hides what is secret and keeps the shape', () => {
  const schedule = {
    id: 'nightly',
    single: {
      url: 'https://ada:hunter2@shop.test/login?x=1',
      headers: { Authorization: 'Bearer hunter2', accept: 'x', 'X-Api-Key': 'hunter2', cookie: 'a=hunter2' },
      env: { password: { $secret: 'hunter2' }, token: 'hunter2', n: 3 },
      body: ['Bearer hunter2', 'sealed:1:hunter2', null],
      users: 2,
      export: { token: '$.entity.token' },
      cookies: { secret: '{{$._s.cookie}}' },
    },
  }
  const shown = withoutSecrets(schedule)
  expect(JSON.stringify(shown)).not.toContain('hunter2')
  expect(shown).toMatchObject({
    id: 'nightly',
    single: {
      url: 'https://…@shop.test/login?x=1',
      headers: { Authorization: '…', accept: 'x' },
      env: { password: { $secret: '…' }, n: 3 },
      body: ['Bearer …', '…', null],
      users: 2,
      export: { token: '$.entity.token' },
      cookies: { secret: '{{$._s.cookie}}' },
    },
  })
})

it('takes literals that look like secrets out of a source, and leaves code and templates', () => {
  const source = `
    headers: { authorization: 'Bearer hunter2', "X-Api-Key": "hunter2", cookie: \`a=hunter2\`, accept: 'json' },
    environments: { test: { key1: secret('marked-one') } }, apiKey = "hunter2"
    password: '{{$._env.password}}', export: { token: '$.entity.token' }, tokenCount: 3, url: 'http://u:hunter2@h/'
    escaped: { secret: 'it\\'s hunter2' }, body: "marked-one"`
  const shown = maskedSource(source, ['marked-one'])
  expect(shown).not.toMatch(/hunter2|marked-one/)
  for (const kept of [
    "accept: 'json'",
    "'{{$._env.password}}'",
    "token: '$.entity.token'",
    'tokenCount: 3',
    'http://…@h/',
  ]) {
    expect(shown).toContain(kept)
  }
})

it('hides what YAML writes without quotes, and leaves references, lists and maps', () => {
  const source = `environments:
  staging: { shop: http://a/, api_key: hunter2, region: eu }
steps:
  - password: hunter2
    "X-Token": hunter2 # comment
    token: $.entity.token
    cookie: "{{$._s.cookie}}"
    secret: { $secret: hunter2 }
    tokens: [a, b]
`
  const shown = maskedYaml(source, [])
  expect(shown).not.toContain('hunter2')
  for (const kept of ['region: eu }', 'token: $.entity.token', '"{{$._s.cookie}}"', 'tokens: [a, b]'])
    expect(shown).toContain(kept)
})

it('keeps lines where they are, and is not held up by a megabyte without a break', () => {
  const key = '-----BEGIN KEY-----\nhunter2\nhunter3\n-----END KEY-----'
  const shown = maskedSource(`a\n${key}\nb`, [key])
  expect(shown).not.toContain('hunter')
  expect(shown.split('\n').at(-1)).toBe('b')
  expect(shown.split('\n')).toHaveLength(6)
  const blob = 'a'.repeat(1_000_000)
  expect(maskedYaml(`data: ${blob}`, [])).toHaveLength(blob.length + 6)
})

it('finds the marked ones, however they are written', () => {
  expect(secretTexts({ a: { $secret: 'x' }, b: 'y', c: { $secret: 3 } }, undefined)).toEqual(['x'])
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 8 }), secret => {
      const forms = formsOfSecret(secret)
      const url = new URL('http://h/')
      url.searchParams.set('q', secret)
      const written = [secret, JSON.stringify({ a: secret }), url.search, `?q=${encodeURIComponent(secret)}`]
      expect(written.every(text => forms.some(form => text.includes(form)))).toBe(true)
    }),
  )
  expect(masked('Bearer {{$._s.token}} and Bearer abc')).toBe('Bearer {{$._s.token}} and Bearer …')
})
