import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Machine } from './machine.ts'
import { redisProgram, startRedis } from './redis.ts'
import { requireProgram } from './require-program.ts'
import { makeScratch, type Scratch } from './scratch.ts'

let scratch: Scratch
let bin: string
let said: string[]
const say = (text: string) => said.push(text)

beforeEach(() => {
  scratch = makeScratch('require')
  bin = join(scratch.path, 'bin')
  mkdirSync(bin)
  mkdirSync(join(scratch.path, 'lists'))
  said = []
})
afterEach(() => scratch.remove())

/** A machine without any server, whose apt-get and sudo are ours. */
function machine(root: boolean): Machine {
  return {
    directories: [bin],
    root,
    aptLists: join(scratch.path, 'lists'),
    servicePolicy: join(scratch.path, 'policy-rc.d'),
    env: { PATH: `${bin}:/usr/bin:/bin`, SCRATCH: scratch.path },
  }
}

function script(name: string, body: string): void {
  writeFileSync(join(bin, name), `#!/bin/sh\n${body}\n`)
  chmodSync(join(bin, name), 0o755)
}

const calls = () => readFileSync(join(scratch.path, 'calls'), 'utf8')

/** Notes what it is called with and whether services were forbidden, and "installs" a redis-server. */
const fakeApt = `
echo "$1 $DEBIAN_FRONTEND $(sh "$SCRATCH/policy-rc.d"; echo $?)" >> "$SCRATCH/calls"
[ "$1" = install ] || { touch "$SCRATCH/lists/archive_Packages.lz4"; exit 0; }
for package; do :; done
[ "$package" = redis-server ] || exit 100
printf '#!/bin/sh\\n' > "$SCRATCH/bin/redis-server"
chmod 755 "$SCRATCH/bin/redis-server"`

it('installs the Debian package as root, fetching the lists when there are none, with services forbidden meanwhile', async () => {
  script('apt-get', fakeApt)
  expect(await requireProgram(redisProgram, machine(true), say)).toBe(join(bin, 'redis-server'))
  expect(calls()).toBe('update noninteractive 101\ninstall noninteractive 101\n')
  expect(existsSync(join(scratch.path, 'policy-rc.d'))).toBe(false)
  expect(said.join('\n')).toContain('apt-get install redis-server')
})

it('asks sudo when that needs no password, and keeps lists and a policy file that are there', async () => {
  script('apt-get', fakeApt)
  script('sudo', '[ "$1" = -n ] || exit 1; shift; exec "$@"')
  writeFileSync(join(scratch.path, 'lists', 'archive_Packages.lz4'), '')
  writeFileSync(join(scratch.path, 'policy-rc.d'), 'exit 104\n')
  expect(await requireProgram(redisProgram, machine(false), say)).toBe(join(bin, 'redis-server'))
  expect(calls()).toBe('install noninteractive 104\n')
  expect(readFileSync(join(scratch.path, 'policy-rc.d'), 'utf8')).toBe('exit 104\n')
  expect(said.join('\n')).toContain('sudo')
})

it('fetches the lists again when they are too old to install from', async () => {
  script(
    'apt-get',
    `${fakeApt.replace('for package', '[ "$(wc -l < "$SCRATCH/calls")" -gt 2 ] || exit 100\nfor package')}`,
  )
  writeFileSync(join(scratch.path, 'lists', 'archive_Packages.lz4'), '')
  expect(await requireProgram(redisProgram, machine(true), say)).toBe(join(bin, 'redis-server'))
  expect(calls().match(/^\w+/gm)).toEqual(['install', 'update', 'install'])
})

it("gives apt's own last words when it fails", async () => {
  script('apt-get', 'echo "E: Unable to locate package redis-server" >&2; exit 100')
  await expect(requireProgram(redisProgram, machine(true), say)).rejects.toMatchObject({
    code: 'server_missing',
    message: expect.stringContaining('Unable to locate package'),
  })
  expect(existsSync(join(scratch.path, 'policy-rc.d'))).toBe(false)
})

it.each([
  ['there is no apt-get', false],
  ['apt-get is there but sudo wants a password', true],
])('prints the command for each package manager when %s', async (_, withApt) => {
  if (withApt) {
    script('apt-get', fakeApt)
    script('sudo', 'exit 1')
  }
  await expect(startRedis({ dataDir: scratch.path, say, machine: machine(false) })).rejects.toMatchObject({
    code: 'server_missing',
    message: expect.stringMatching(
      /sudo apt-get install redis-server\n.*sudo dnf install valkey\n.*sudo apk add redis\n.*brew install redis/,
    ),
  })
  expect(said).toEqual([])
})
