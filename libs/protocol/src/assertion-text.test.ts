import { expect, it } from 'vitest'
import { assertionFromText, joinAssertions } from './assertion-text.ts'

it.each([
  ['$.status=200', { '$.status': 200 }],
  ['$.status = 200', { '$.status': 200 }],
  ['$.status!=500', { '$.status': { $ne: 500 } }],
  ['$.time.request<=800', { '$.time.request': { $lte: 800 } }],
  ['$.entity.name=Ada', { '$.entity.name': 'Ada' }],
  ['$.entity.zip="0815"', { '$.entity.zip': '0815' }],
  ['$.entity.name~^A.*=b$', { '$.entity.name': { $regex: '^A.*=b$' } }],
  ['$.entity.code~200', { '$.entity.code': { $regex: '200' } }],
  ["$.headers['a=b']=c", { "$.headers['a=b']": 'c' }],
  ["$.entity[?(@.a=='x')].b>3", { "$.entity[?(@.a=='x')].b": { $gt: 3 } }],
  ['$.entity.list=[1,2]', { '$.entity.list': [1, 2] }],
])('reads %s', (text, assertion) => {
  expect(assertionFromText(text)).toEqual(assertion)
})

it.each(['status=200', '$.status', '', '=200'])('says what was expected of "%s"', text => {
  expect(assertionFromText(text)).toContain('like "$.status=200"')
})

it('loses none of two assertions on one path', () => {
  expect(joinAssertions([{ '$.status': { $gte: 200 } }, { '$.status': { $lt: 300 } }])).toEqual({
    $and: [{ '$.status': { $gte: 200 } }, { '$.status': { $lt: 300 } }],
  })
})
