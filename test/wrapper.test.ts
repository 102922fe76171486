import { type SpawnSyncReturns, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copySources, linkNestedPackages, linkPackages, root } from './support/copy-tree.ts'

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const wantedNode = readFileSync(join(root, '.node-version'), 'utf8').trim()

let scratch: string
let tree: string
let bin: string

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'onrush wrapper '))
  tree = join(scratch, 'a tree')
  bin = join(scratch, 'bin')
  copySources(tree)
  linkPackages(join(tree, 'node_modules'))
  linkNestedPackages(tree)
  makeMachine()
})
afterEach(() => rmSync(scratch, { recursive: true, force: true }))

/** All that the wrapper may rely on. Any shell tool it uses beyond these is not there, so a test fails. */
const tools = ['cat', 'cksum', 'dirname', 'ln', 'mkdir', 'mv', 'readlink', 'rm', 'rmdir', 'sh', 'sleep', 'uname']

function script(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
}

/** A PATH with an old Node, and an npm that "installs" what this machine has and notes that it did. */
function makeMachine(): void {
  mkdirSync(bin)
  for (const tool of tools) {
    const found = ['/bin', '/usr/bin'].map(directory => join(directory, tool)).find(existsSync)
    if (found === undefined) throw new Error(`this machine has no ${tool}`)
    symlinkSync(found, join(bin, tool))
  }
  script('node', '[ "$1" = --version ] && echo v20.20.2 || exit 1')
  script(
    'npm',
    `echo "$1" >> '${scratch}/calls'
case $1 in
  install)
    for package; do :; done
    package=\${package%@${wantedNode}}
    mkdir -p "$3/node_modules/$package/bin"
    sleep 1
    ln -s '${process.execPath}' "$3/node_modules/$package/bin/node" ;;
  ci)
    [ -e node_modules ] || mv '${scratch}/packages' node_modules ;;
esac`,
  )
}

function uninstall(): void {
  renameSync(join(tree, 'node_modules'), join(scratch, 'packages'))
}

const calls = () =>
  existsSync(join(scratch, 'calls')) ? readFileSync(join(scratch, 'calls'), 'utf8').trim().split('\n') : []

interface Options {
  readonly command?: string
  readonly cwd?: string
  readonly env?: Record<string, string>
}

function onrush(
  args: string[],
  { command = join(tree, 'onrush'), cwd = scratch, env = {} }: Options = {},
): SpawnSyncReturns<string> {
  return spawnSync(command, args, { cwd, encoding: 'utf8', env: { PATH: bin, HOME: scratch, ...env } })
}

const current = { ONRUSH_NODE: process.execPath }

it('runs from any directory, through symlinks, with spaces in its path', () => {
  mkdirSync(join(scratch, 'far off', 'bin'), { recursive: true })
  symlinkSync('../../a tree/onrush', join(scratch, 'far off', 'bin', 'relative link'))
  symlinkSync(join(scratch, 'far off', 'bin', 'relative link'), join(scratch, 'link to a link'))
  const places: Options[] = [
    { command: './onrush', cwd: tree },
    { command: '../onrush', cwd: join(tree, 'libs') },
    { command: '../far off/bin/relative link', cwd: tree },
    { command: join(scratch, 'link to a link'), cwd: '/' },
  ]
  for (const place of places) {
    const { status, stdout, stderr } = onrush(['--version'], { ...place, env: current })
    expect({ place, status, stdout, stderr }).toEqual({ place, status: 0, stdout: `${version}\n`, stderr: '' })
  }
})

it('hands arguments, output and exit code through', () => {
  const help = onrush(['--help'], { env: current })
  expect([help.status, help.stderr]).toEqual([0, ''])
  expect(help.stdout).toMatch(/^ {2}test +\S/m)
  const mistyped = onrush(['tset', 'a b', '*'], { env: current })
  expect([mistyped.status, mistyped.stdout]).toEqual([104, ''])
  expect(mistyped.stderr).toContain('did you mean "test"?')
})

it('installs Node and the packages once where the Node on PATH is too old, and needs no npm after that', () => {
  uninstall()
  const first = onrush(['--version'])
  expect([first.status, first.stdout], first.stderr).toEqual([0, `${version}\n`])
  expect(first.stderr).toContain(`the Node on PATH is v20.20.2, Onrush needs >= 24: installing Node ${wantedNode}`)
  expect(calls()).toEqual(['install', 'ci'])
  expect(readdirSync(join(tree, '.runtime')).every(name => name.startsWith(`node-${wantedNode}-`))).toBe(true)
  rmSync(join(bin, 'npm'))
  const second = onrush(['--version'])
  expect([second.status, second.stdout, second.stderr]).toEqual([0, `${version}\n`, ''])
})

it('installs once when two start at the same time, and both run', async () => {
  uninstall()
  const runs = [1, 2].map(async () => {
    const child = spawn(join(tree, 'onrush'), ['--version'], { cwd: scratch, env: { PATH: bin, HOME: scratch } })
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { out, err, code }
  })
  const [one, two] = await Promise.all(runs)
  expect([one?.code, one?.out, two?.code, two?.out], `${one?.err}${two?.err}`).toEqual([
    0,
    `${version}\n`,
    0,
    `${version}\n`,
  ])
  expect(`${one?.err}${two?.err}`).toContain('waiting for another onrush')
  expect(calls()).toEqual(['install', 'ci'])
})

it('installs the packages again when the lock asks for something else', () => {
  expect(onrush(['--version'], { env: current }).status).toBe(0)
  expect(calls()).toEqual([])
  const file = join(tree, 'package-lock.json')
  const lock = JSON.parse(readFileSync(file, 'utf8'))
  lock.packages['node_modules/zod'].version = '0.0.1'
  writeFileSync(file, JSON.stringify(lock))
  expect(onrush(['--version'], { env: current }).status).toBe(0)
  expect(calls()).toEqual(['ci'])
})

it('takes the lock over from one that died, and gives up on a live one after its limit', () => {
  uninstall()
  mkdirSync(join(tree, '.runtime'))
  const lock = join(tree, '.runtime', 'lock')
  symlinkSync(`${hostname()}:${process.pid}`, lock)
  const waited = onrush(['--version'], { env: { ...current, ONRUSH_INSTALL_WAIT: '1' } })
  expect(waited.status).toBe(1)
  expect(waited.stderr).toContain(`waited 1 s for another onrush (${hostname()}:${process.pid})`)
  expect(waited.stderr).toContain(lock)
  expect(calls()).toEqual([])

  rmSync(lock)
  const dead = spawnSync('/bin/sh', ['-c', 'echo $$'], { encoding: 'utf8' }).stdout.trim()
  symlinkSync(`${hostname()}:${dead}`, lock)
  expect(onrush(['--version'], { env: current }).status).toBe(0)
  expect(calls()).toEqual(['ci'])
  expect(readdirSync(join(tree, '.runtime'))).toEqual([])
})

it('says in one sentence what is missing', () => {
  const tooOld = onrush(['--version'], { env: { ONRUSH_NODE: join(bin, 'node') } })
  expect([tooOld.status, tooOld.stderr.split('\n').length]).toEqual([1, 2])
  expect(tooOld.stderr).toContain('is not a Node >= 24')
  rmSync(join(bin, 'npm'))
  const noNpm = onrush(['--version'])
  expect([noNpm.status, noNpm.stderr.split('\n').length]).toEqual([1, 2])
  expect(noNpm.stderr).toContain('needs Node >= 24, found v20.20.2, and there is no npm to install it with')
})

it('leaves nothing half done when an install fails', () => {
  uninstall()
  script('npm', 'echo "npm error code E404" >&2; exit 1')
  const failed = onrush(['--version'])
  expect(failed.status).toBe(1)
  expect(failed.stderr).toContain('npm error code E404')
  expect(failed.stderr).toContain(`could not install Node ${wantedNode}`)
  expect(readdirSync(join(tree, '.runtime'))).toEqual([])
  const packages = onrush(['--version'], { env: current })
  expect(packages.status).toBe(1)
  expect(packages.stderr).toContain('npm ci failed')
  expect(readdirSync(join(tree, '.runtime'))).toEqual([])
})
