import { writeSync } from 'node:fs'
import { type Answer, answerFd } from './answer.ts'

/** Written synchronously: it must go out from an exit handler too, and before a loop that never ends is killed. */
export function say(answer: Answer): void {
  const bytes = Buffer.from(`${JSON.stringify(answer)}\n`)
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(answerFd, bytes, sent)
}
