import { faultsInWords } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { expect, it } from 'vitest'
import { printError } from './print-error.ts'

function printed(error: unknown): string {
  let text = ''
  printError(error, { write: more => (text += more), tty: false, columns: 80, rows: 24, colours: false })
  return text
}

it('says each fault once, under what it is a fault of', () => {
  const errors = [
    { path: '$.a', message: 'expected b' },
    { path: '$.c', message: 'expected d' },
  ]
  expect(printed(new OnrushError('invalid', faultsInWords('the request', errors), { errors }))).toBe(
    'error: the request has 2 problems\n  $.a: expected b\n  $.c: expected d\n',
  )
})

it('keeps a sentence that says more than its faults', () => {
  const errors = [{ path: 'a.ts:1', message: 'expected b' }]
  expect(printed(new OnrushError('script_error', 'the script does not load', { errors, cause: new Error('x') }))).toBe(
    'error: the script does not load\n  a.ts:1: expected b\n  because x\n',
  )
})

it('shows where our own mistakes are', () => {
  expect(printed(new TypeError('oops'))).toContain('print-error.test.ts')
})
