import { expect, it } from 'vitest'
import { masked } from './masked.ts'

it.each([
  ['https://ada:hunter2@example.com/x.git', 'https://…@example.com/x.git'],
  ['https://ghp_token@example.com/x.git', 'https://…@example.com/x.git'],
  [
    "unable to access 'http://a:b@h/?access_token=abc&x=1': 403",
    "unable to access 'http://…@h/?access_token=…&x=1': 403",
  ],
  ['ssh://git@example.com/x.git', 'ssh://…@example.com/x.git'],
  ['https://example.com/a@b/x.git', 'https://example.com/a@b/x.git'],
])('%s is shown as %s', (text, shown) => {
  expect(masked(text)).toBe(shown)
})
