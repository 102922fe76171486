import { describe, expect, it } from 'vitest'
import { readRpcAnswer } from './rpc-answer.ts'

const call = (method: string) => ({ method, isNotification: false })
const notification = { method: 'seen', isNotification: true }
const add = [call('add')]

describe('an answer to a call', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":4,"result":3}', 3],
    ['{"jsonrpc":"2.0","id":4,"result":null}', null],
    ['{"jsonrpc":"2.0","id":4,"result":{"a":[1]},"error":null}', { a: [1] }],
  ])('%s', (text, entity) => {
    expect(readRpcAnswer(text, add, false, 4)).toEqual({ ok: true, entity, error: undefined })
  })

  it.each([
    ['{"jsonrpc":"2.0","id":4,"error":{"code":-32601,"message":"none"}}', { code: -32601, message: 'none' }],
    [
      '{"jsonrpc":"2.0","id":4,"error":{"code":1,"message":"m","data":{"a":1}}}',
      { code: 1, message: 'm', data: { a: 1 } },
    ],
    // What the server could not read has no id to answer to.
    ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}', { code: -32700, message: 'parse' }],
  ])('%s', (text, error) => {
    expect(readRpcAnswer(text, add, false, 4)).toEqual({ ok: true, entity: error, error })
  })

  it.each([
    ['', 'expected an answer to the call 4 ("add"), got an empty body'],
    ['<html>', 'expected JSON-RPC, got <html>'],
    ['{"jsonrpc":"2.0","id":5,"result":3}', 'expected the answer to the call 4 ("add"), got the id 5'],
    ['{"jsonrpc":"2.0","id":"4","result":3}', 'got the id 4'],
    ['{"jsonrpc":"2.0","result":3}', 'got the id none'],
    ['{"jsonrpc":"1.0","id":4,"result":3}', 'expected {"jsonrpc": "2.0"'],
    ['{"jsonrpc":"2.0","id":4}', 'expected {"jsonrpc": "2.0"'],
    ['{"jsonrpc":"2.0","id":4,"error":"oh"}', 'expected {"jsonrpc": "2.0"'],
    ['[{"jsonrpc":"2.0","id":4,"result":3}]', 'expected {"jsonrpc": "2.0"'],
  ])('refuses %s', (text, message) => {
    expect(readRpcAnswer(text, add, false, 4)).toEqual({ ok: false, message: expect.stringContaining(message) })
  })
})

describe('an answer to a batch', () => {
  const calls = [call('a'), notification, call('b'), call('c')]
  const member = (id: number, rest: object) => ({ jsonrpc: '2.0', id, ...rest })

  it('is put in the order of the calls, whatever its own', () => {
    const error = { code: -5, message: 'no' }
    const text = JSON.stringify([member(9, { result: 'C' }), member(7, { result: 'A' }), member(8, { error })])
    expect(readRpcAnswer(text, calls, true, 7)).toEqual({ ok: true, entity: ['A', null, error, 'C'], error })
  })

  it.each([
    [[member(7, { result: 1 }), member(9, { result: 1 })], 'no answer to the call 8 ("b")'],
    [[7, 8, 9, 10].map(id => member(id, { result: 1 })), 'an answer to a call that was not made: id 10'],
    [[7, 7, 8, 9].map(id => member(id, { result: 1 })), 'two answers have the id 7'],
    [[member(7, { result: 1 }), 5], 'expected {"jsonrpc": "2.0"'],
    [member(7, { result: 1 }), 'expected a list of answers'],
  ])('refuses %j', (body, message) => {
    const answer = readRpcAnswer(JSON.stringify(body), calls, true, 7)
    expect(answer).toEqual({ ok: false, message: expect.stringContaining(message) })
  })

  it('is one error where the server could not read it', () => {
    const error = { code: -32600, message: 'too many' }
    const text = JSON.stringify({ jsonrpc: '2.0', id: null, error })
    expect(readRpcAnswer(text, calls, true, 7)).toEqual({ ok: true, entity: error, error })
  })
})

describe('notifications', () => {
  it('have no answer', () => {
    expect(readRpcAnswer('', [notification], false, 1)).toEqual({ ok: true, entity: null, error: undefined })
    expect(readRpcAnswer(' \n', [notification, notification], true, 1)).toMatchObject({
      ok: true,
      entity: [null, null],
    })
    const answered = readRpcAnswer('{"jsonrpc":"2.0","id":1,"result":1}', [notification], false, 1)
    expect(answered).toEqual({ ok: false, message: expect.stringContaining('expected no answer') })
  })
})
