import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { OnrushError } from '@onrush/protocol/error'
import { findBinary } from './find-binary.ts'
import type { Machine, Say } from './machine.ts'

// Debian's packages start their service as soon as they are installed; a server on a default port is not what was asked
// for. The policy file forbids that for as long as this runs. In a shell of its own, so that one sudo covers it all and
// the file goes even when we are killed.
const script = `
apt=$1 lists=$2 policy=$3
shift 3
export DEBIAN_FRONTEND=noninteractive
# One at a time: the first one to end takes the policy away from the others, and apt's lists have a lock that nobody waits for.
exec 9>"\${TMPDIR:-/tmp}/onrush-apt.lock"
if command -v flock >/dev/null; then flock -w 600 9; fi
if [ ! -e "$policy" ]; then
  trap 'rm -f "$policy"' EXIT
  trap 'exit 1' HUP INT TERM
  printf '#!/bin/sh\\nexit 101\\n' > "$policy" && chmod 755 "$policy" || exit 1
fi
updated=
update() { updated=yes; "$apt" update -q; }
install() { "$apt" install -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 "$@"; }
ls "$lists"/*_Packages* >/dev/null 2>&1 || update
install "$@" || { [ -z "$updated" ] && update && install "$@"; }
`

/** How to run something as root here: directly, through a sudo that asks nothing, or not at all. */
function asRoot({ root, directories, env }: Machine): readonly string[] | undefined {
  if (root) return []
  const sudo = findBinary(['sudo'], directories)
  if (sudo === undefined) return undefined
  return spawnSync(sudo, ['-n', 'true'], { env, stdio: 'ignore' }).status === 0 ? [sudo, '-n'] : undefined
}

export function canInstallDebianPackages(machine: Machine): boolean {
  return findBinary(['apt-get'], machine.directories) !== undefined && asRoot(machine) !== undefined
}

/** Installs a Debian package, with its service left off. */
export async function installDebianPackage(name: string, machine: Machine, say: Say): Promise<void> {
  const apt = findBinary(['apt-get'], machine.directories)
  const prefix = asRoot(machine)
  if (apt === undefined || prefix === undefined) {
    throw new OnrushError(
      'server_missing',
      `cannot install ${name}: that takes apt-get and root, or sudo without a password`,
    )
  }
  say(
    `installing Debian's package ${name} (${[...prefix, 'apt-get install', name].join(' ')}); its own service stays off`,
  )
  const [command = '/bin/sh', ...args] = [
    ...prefix,
    '/bin/sh',
    '-c',
    script,
    'sh',
    apt,
    machine.aptLists,
    machine.servicePolicy,
    name,
  ]
  const child = spawn(command, args, { env: machine.env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const collect = (chunk: string) => {
    output += chunk
  }
  child.stdout.setEncoding('utf8').on('data', collect)
  child.stderr.setEncoding('utf8').on('data', collect)
  const [code] = await once(child, 'close')
  if (code !== 0) {
    const last = output.trimEnd().split('\n').slice(-10).join('\n')
    throw new OnrushError('server_missing', `apt-get could not install ${name}:\n${last}`)
  }
}
