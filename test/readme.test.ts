import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startDemoTarget } from '@onrush/servers/demo-target'
import { expect, it } from 'vitest'
import { cli, folderWith } from './support/cli.ts'
import { root } from './support/copy-tree.ts'

it("the README's first simulation is right as it stands there", async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const script = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  const target = await startDemoTarget()
  try {
    const folder = await folderWith({ 'first.ts': script })
    const { code, out, err } = await cli(['check', 'first.ts', '-e', `shop=${target.url}`], { cwd: folder })
    expect(code, `${out}${err}`).toBe(0)
    expect(out).toMatch(/✓ the session went well\n$/)
  } finally {
    await target.stop()
  }
})

it('every page that the README names is there', async () => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const pages = [...readme.matchAll(/\]\(([^)#]+?\.md)\)/g)].map(([, page]) => page ?? '')
  expect(pages.length).toBeGreaterThan(10)
  for (const page of pages) await expect(readFile(join(root, page), 'utf8'), page).resolves.toContain('# ')
})
