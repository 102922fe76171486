import type { Link } from './database.ts'
import { Replies, type Reply } from './reply.ts'
import type { Statement } from './sql-work.ts'

/** All statements in one transaction, or none: rolled back when one fails or when it is cut. */
export async function allOf(statements: readonly Statement[], link: Link, isCut: () => boolean): Promise<Reply> {
  const replies: Reply[] = []
  await link.begin()
  try {
    for (const { text, values } of statements) {
      if (isCut()) throw new Error('the transaction was cut')
      replies.push(await link.run(text, values))
    }
    if (isCut()) throw new Error('the transaction was cut')
    await link.commit()
  } catch (error) {
    if (statements.length > 1 && error instanceof Error && replies.length < statements.length) {
      error.message = `statement ${replies.length + 1} of ${statements.length}: ${error.message}`
    }
    // A connection that broke has nothing to roll back; that a commit failed has ended the transaction already.
    if (link.usable) await link.rollback()
    throw error
  }
  return new Replies(replies)
}
