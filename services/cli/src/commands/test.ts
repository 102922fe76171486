import { OnrushError } from '@onrush/protocol/error'
import { flag } from '../arguments/option.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { root } from '../tree.ts'

export const test = defineCommand({
  name: 'test',
  group: 'Develop',
  summary: 'Check and test the tree, or only the part that is named.',
  options: {
    checks: flag('only the checks: typecheck, lint, import rules, unused code'),
    drills: flag('also the long drills in test/drills: ten thousand hostile requests, attacks during a run'),
  },
  operands: [
    {
      name: 'path',
      summary: 'test only what lies here; of the checks only the typecheck runs then',
      optional: true,
      many: true,
    },
  ],
  examples: [
    'onrush test',
    'onrush test --checks',
    'onrush test --drills',
    'onrush test libs/protocol',
    'onrush test test/wrapper.test.ts',
  ],
  async run({ checks, drills }, words, io) {
    if (checks && drills) {
      throw new OnrushError('invalid', '--checks runs no tests, and the drills are tests; leave one of the two out')
    }
    if (checks && words.length > 0) {
      throw new OnrushError(
        'invalid',
        '--checks looks at the whole tree; leave the paths out, or leave --checks out to test them',
      )
    }
    const [{ runTests }, { fromRoot }] = await Promise.all([
      import('../testing/run-tests.ts'),
      import('../testing/workspaces.ts'),
    ])
    const { failed } = await runTests(root, { paths: fromRoot(root, io.cwd, words), onlyChecks: checks, drills }, io)
    return failed === 0 ? exitCodes.passed : exitCodes.internal
  },
})
