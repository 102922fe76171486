import { OnrushError } from '@onrush/protocol/error'
import { expect, test } from 'vitest'
import { withPlaces } from './with-places.ts'

const script = { placeOf: (path: string) => (path === '$.a' ? 'shop.ts:3:7' : undefined) }

test('what lies in the script is told with its line; everything else as it came', async () => {
  const errors = [
    { path: '$.a', message: 'no' },
    { path: '$.b', message: 'nor this' },
  ]
  const failed = withPlaces(script, () =>
    Promise.reject(new OnrushError('invalid', 'it has 2 problems: $.a: no; …', { errors })),
  )
  await expect(failed).rejects.toMatchObject({
    code: 'invalid',
    message: 'it has 2 problems: shop.ts:3:7 $.a: no; …',
    errors: [{ path: 'shop.ts:3:7 $.a', message: 'no' }, errors[1]],
  })
  await expect(withPlaces(script, () => Promise.reject(new TypeError('ours')))).rejects.toThrow(TypeError)
  await expect(withPlaces(script, async () => 7)).resolves.toBe(7)
})
