import { expect, test } from 'vitest'
import { Mask } from './mask.ts'

const mask = new Mask(['hush', 'hush-hush', 'ab', 's3cret'])

test('secrets are hidden, the longer one first; what is too short to hide is left', () => {
  expect(mask.text('say hush-hush, hush and ab')).toBe('say ***, *** and ab')
})

test('credentials in headers are hidden whole, secrets in the others', () => {
  expect(mask.headers({ Authorization: 'Bearer x', cookie: 'a=b', accept: 'x/s3cret', n: 1 })).toEqual({
    Authorization: '***',
    cookie: '***',
    accept: 'x/***',
    n: '1',
  })
})

test('a body is masked before it is cut, so that no half of a secret is left', () => {
  expect(mask.body('1234s3cret', 7)).toBe('1234***')
  expect(mask.body('1234s3cret567', 7)).toBe('1234***… (10 characters)')
  expect(mask.body({ token: 's3cret' }, 100)).toBe('{"token":"***"}')
  expect(mask.body(new Uint8Array(12), 100)).toBe('(12 bytes)')
  expect(mask.body('', 100)).toBeUndefined()
})
