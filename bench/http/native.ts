import { type Contender, isOnPath, onClientCore } from './contender.ts'

const number = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

const missing = async (name: string): Promise<string | undefined> =>
  (await isOnPath(name)) ? undefined : `${name} is not on the PATH (Debian's package ${name})`

export const wrk: Contender = {
  name: 'wrk',
  tasks: ['bare'],
  prepare: () => missing('wrk'),
  async run({ url, sessions, seconds, folder }) {
    const { stdout, cpuSeconds } = await onClientCore('wrk', ['-t1', `-c${sessions}`, `-d${seconds}s`, url], folder)
    return {
      requests: number(stdout, /(\d+) requests in/),
      perSecond: number(stdout, /Requests\/sec: *([\d.]+)/),
      errors: number(stdout, /Non-2xx or 3xx responses: (\d+)/),
      cpuSeconds,
    }
  },
}

export const hey: Contender = {
  name: 'hey',
  tasks: ['bare'],
  prepare: () => missing('hey'),
  async run({ url, sessions, seconds, folder }) {
    const args = ['-z', `${seconds}s`, '-c', String(sessions), '-cpus', '1', url]
    const { stdout, cpuSeconds } = await onClientCore('hey', args, folder)
    const requests = number(stdout, /\[200\]\s+(\d+) responses/)
    const all = [...stdout.matchAll(/\[\d+\]\s+(\d+) responses/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    return { requests, perSecond: number(stdout, /Requests\/sec:\s*([\d.]+)/), errors: all - requests, cpuSeconds }
  },
}
