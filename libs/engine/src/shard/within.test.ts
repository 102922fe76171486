import { expect, test } from 'vitest'
import { within } from './within.ts'

test('says what was waited for', async () => {
  await expect(within(10, 'the moon', new Promise(() => undefined))).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('the moon'),
  })
  expect(await within(1000, 'nothing', Promise.resolve(7))).toBe(7)
  await expect(within(1000, 'nothing', Promise.reject(new Error('own')))).rejects.toThrow('own')
})
