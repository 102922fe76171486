import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { OnrushError } from '@onrush/protocol/error'
import type { TargetRules } from '@onrush/protocol/targets'
import { type GitRoute, routeTo } from './git-target.ts'
import { masked } from './masked.ts'

export interface GitSettings {
  /** A remote's name or URL, and a branch; the checkout's own upstream where they are not set. */
  readonly remote?: string | undefined
  readonly branch?: string | undefined
  /** Where this host may fetch from; anywhere where it is not set. */
  readonly targets?: TargetRules | undefined
  readonly limitMs?: number
}

export interface PullResult {
  readonly from: string
  readonly to: string
}

const defaultLimitMs = 60_000
const longestOutput = 16_384

/** Nothing of the repository runs here but git itself, and it never waits for a person. */
const careful = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'protocol.ext.allow=never'],
  ...['-c', 'submodule.recurse=false'],
  ...['-c', 'gc.auto=0'],
  ...['-c', 'maintenance.auto=false'],
]

interface Ran {
  readonly code: number
  readonly out: string
  /** What git said, without credentials. */
  readonly said: string
}

type Git = (...args: string[]) => Promise<Ran>

function gitIn(folder: string, limitMs: number, route: GitRoute = { args: [], ssh: [] }, ssh = 'ssh'): Git {
  // Its variable beats every configuration of ssh; `env` sets it and leaves the rest of ours as it is.
  const settings = route.ssh.length === 0 ? [] : [`GIT_SSH_COMMAND=${[ssh, ...route.ssh].join(' ')}`]
  const end = Date.now() + limitMs
  return (...args) =>
    new Promise((resolve, reject) => {
      // A session of its own has no terminal on which it could ask for a password.
      const child = spawn('env', [...settings, 'git', ...careful, ...route.args, ...args], {
        cwd: folder,
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let out = ''
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        if (out.length < longestOutput) out += text
      })
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        if (said.length < longestOutput) said += text
      })
      const timer = setTimeout(
        () => {
          // git ends its helpers when it is asked to; by force, only itself.
          child.kill('SIGTERM')
          setTimeout(() => child.kill('SIGKILL'), 2_000).unref()
          reject(new OnrushError('timeout', `git ${args[0]} took longer than ${limitMs / 1000} s and was ended`))
        },
        Math.max(0, end - Date.now()),
      )
      const missing = (cause?: Error) =>
        reject(new OnrushError('unavailable', 'git cannot be run; install it on this host', { cause }))
      child.once('error', cause => {
        clearTimeout(timer)
        missing(cause)
      })
      child.once('close', code => {
        clearTimeout(timer)
        // What `env` answers for a program that is not there.
        if (code === 127) missing()
        resolve({ code: code ?? 1, out: out.trim(), said: masked(said.trim()) })
      })
    })
}

const words = (said: string) => said.replaceAll(/\s*\n\s*/g, ' ').slice(0, 1_000)

async function must(ran: Promise<Ran>, what: string): Promise<string> {
  const { code, out, said } = await ran
  if (code !== 0) throw new OnrushError('conflict', `${what}: ${words(said) || `git ended with ${code}`}`)
  return out
}

const safeBranch = /^(?!-)(?!.*\.\.)[A-Za-z0-9._/-]{1,200}$/

/** Where to pull from: what is configured, or what the checkout's own branch follows. */
async function upstreamOf(git: Git, settings: GitSettings): Promise<{ remote: string; branch: string }> {
  const current = await must(git('symbolic-ref', '--short', '-q', 'HEAD'), 'the checkout is on no branch (detached)')
  const configured = async (field: string) => (await git('config', '--get', `branch.${current}.${field}`)).out
  const remote = settings.remote ?? ((await configured('remote')) || 'origin')
  const followed = (await configured('merge')).replace(/^refs\/heads\//, '')
  const branch = settings.branch ?? (followed || current)
  if (remote.startsWith('-'))
    throw new OnrushError('invalid', 'ONRUSH_GIT_REMOTE: expected a remote or a URL, got an option')
  if (!safeBranch.test(branch)) {
    throw new OnrushError('invalid', `ONRUSH_GIT_BRANCH: expected the name of a branch, got "${branch.slice(0, 100)}"`)
  }
  return { remote, branch }
}

/**
 * Brings a checkout up to its remote, by fast-forward only: what people changed here, or rewrote there, is for people to
 * sort out. Everything git says is shown without credentials.
 */
export async function gitPull(folder: string, settings: GitSettings = {}): Promise<PullResult> {
  const git = gitIn(folder, settings.limitMs ?? defaultLimitMs)
  const where = basename(folder)
  const inside = await git('rev-parse', '--is-inside-work-tree')
  if (inside.out !== 'true') {
    throw new OnrushError('conflict', `${where} is no git checkout, so there is nothing to pull: ${words(inside.said)}`)
  }
  const from = await must(git('rev-parse', '--verify', 'HEAD'), 'the checkout has no commit yet')
  const { remote, branch } = await upstreamOf(git, settings)
  const url = (await git('ls-remote', '--get-url', '--', remote)).out
  const route = settings.targets === undefined ? undefined : await routeTo(url, settings.targets)
  const ssh = (await git('config', '--get', 'core.sshCommand')).out || undefined
  const outside = gitIn(folder, settings.limitMs ?? defaultLimitMs, route, ssh)
  const fetch = outside('fetch', '--no-tags', '--no-recurse-submodules', '--quiet', '--', remote, branch)
  await must(fetch, `${masked(remote)} ${branch} cannot be fetched`)
  const to = await must(git('rev-parse', '--verify', 'FETCH_HEAD'), `nothing came from ${masked(remote)} ${branch}`)

  const holds = async (older: string, newer: string) =>
    (await git('merge-base', '--is-ancestor', older, newer)).code === 0
  // Commits of our own that the remote lacks are no reason to stop: there is nothing to bring.
  if (await holds(to, from)) return { from, to: from }
  if (!(await holds(from, to))) {
    throw new OnrushError(
      'conflict',
      `${masked(remote)} ${branch} (${to.slice(0, 10)}) does not continue what is here (${from.slice(0, 10)}): its history was rewritten, or there are commits of this host; only a fast-forward is pulled. Nothing was changed`,
    )
  }
  await must(
    git('merge', '--ff-only', '--no-stat', '--quiet', to),
    `${masked(remote)} ${branch} is newer, but changes made here are in its way; nothing was changed`,
  )
  return { from, to }
}
