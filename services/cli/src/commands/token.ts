import { one } from '../arguments/option.ts'
import { text } from '../arguments/readings.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'

export const token = defineCommand({
  name: 'token',
  group: 'Fleet',
  summary: 'Make a token for somebody: shown once; the services keep only what proves it.',
  options: {
    role: one<'viewer' | 'operator'>({
      placeholder: 'role',
      summary: 'operator (starts and stops) or viewer (looks; the default)',
      read: given =>
        given === 'viewer' || given === 'operator'
          ? { value: given }
          : { problem: `expected "viewer" or "operator", got "${given}"` },
      fallback: 'viewer',
    }),
    expires: one({
      placeholder: 'date',
      summary: 'until when it is good, like 2027-01-31 (default: until it is taken out)',
      read: text,
    }),
    file: one({
      placeholder: 'file',
      summary: 'add its line to this file, which ONRUSH_TOKENS_FILE names',
      read: text,
    }),
  },
  operands: [
    { name: 'new', summary: 'the word "new"' },
    { name: 'name', summary: 'whose it is, for the audit log' },
  ],
  examples: ['onrush token new ada --role operator', 'onrush token new grafana --file tokens --expires 2027-01-31'],
  async run({ role, expires, file }, [action = '', name = ''], io) {
    const { makeToken } = await import('../tokens/make-token.ts')
    const { appendLine } = await import('../tokens/append-line.ts')
    const made = makeToken({ action, name, role, expires })
    if (file !== undefined) await appendLine(io.cwd, file, made.line)
    io.out.write(`${made.token}\n`)
    io.err.write(
      `Give this token to ${name} now: it is not shown again.\n` +
        (file === undefined
          ? `The line for the file that ONRUSH_TOKENS_FILE names:\n${made.line}\n`
          : `Its line was added to ${file}.\n`),
    )
    return exitCodes.passed
  },
})
