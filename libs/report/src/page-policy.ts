import { open } from 'node:fs/promises'

const headBytes = 4_096

/**
 * The policy that a report's page brings in its head, which names its script and its style by their hashes. As a header
 * it also says what a `meta` cannot: that nobody may frame the page.
 */
export async function pagePolicy(path: string): Promise<string | undefined> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.toString('utf8', 0, bytesRead)
    const policy = /<meta http-equiv="Content-Security-Policy" content="([\x20-\x7e]*?)">/.exec(head)?.[1]
    return policy === undefined ? undefined : `${policy}; frame-ancestors 'none'`
  } finally {
    await file.close()
  }
}
