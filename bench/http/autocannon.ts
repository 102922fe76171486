import { type Contender, installed, onClientCore } from './contender.ts'

const version = '9.0.0'

export const autocannon: Contender = {
  name: 'autocannon',
  tasks: ['bare'],
  async prepare() {
    await installed('autocannon', version)
    return undefined
  },
  async run({ url, sessions, seconds, folder }) {
    const binary = await installed('autocannon', version)
    const args = [binary, '-c', String(sessions), '-d', String(seconds), '--json', '--no-progress', url]
    const { stdout, cpuSeconds } = await onClientCore(process.execPath, args, folder)
    const said: { requests: { total: number; average: number }; errors: number; non2xx: number } = JSON.parse(stdout)
    return {
      requests: said.requests.total,
      perSecond: said.requests.average,
      errors: said.errors + said.non2xx,
      cpuSeconds,
    }
  },
}
