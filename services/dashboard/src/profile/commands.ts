import type { Single } from '@onrush/protocol/single'

/** A word of a shell's line, quoted where a shell would read it otherwise. */
export function quoted(text: string): string {
  return /^[A-Za-z0-9_./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export function curlLine(url: string, body: unknown): string {
  return `curl -X POST ${quoted(url)} \\\n  -H 'content-type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`
}

function loadFlags(single: Single): string[] | undefined {
  const [only, ...others] = single.inject ?? []
  if (only === undefined || others.length > 0) return undefined
  switch (only.type) {
    case 'constantUsersPerSec':
      return ['-q', String(only.rate), '-z', String(only.duration)]
    case 'constantConcurrentUsers':
      return ['-c', String(only.users), '-z', String(only.duration)]
    case 'iterations':
      return only.maxDuration === undefined ? ['-n', String(only.iterations), '-c', String(only.users)] : undefined
    default:
      return undefined
  }
}

/** The same load by `onrush quick`; nothing where its flags cannot say it. */
export function quickLine(single: Single): string | undefined {
  const { url, method, headers = {}, body, assert, thresholds } = single
  const load = loadFlags(single)
  if (load === undefined || assert !== undefined || thresholds !== undefined) return undefined
  return [
    'onrush',
    'quick',
    url,
    ...load,
    ...(method === undefined ? [] : ['-m', method]),
    ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(body === undefined ? [] : ['-b', typeof body === 'string' ? body : JSON.stringify(body)]),
  ]
    .map(quoted)
    .join(' ')
}

const sayable = ['simulation', 'environment', 'workers']

/** The same run of a registered script by `onrush run --remote`; nothing where its flags cannot say it. */
export function remoteLine(reporter: string, body: Readonly<Record<string, unknown>>): string | undefined {
  const { simulation, environment, workers } = body
  if (typeof simulation !== 'string' || Object.keys(body).some(name => !sayable.includes(name))) return undefined
  return [
    'onrush',
    'run',
    simulation,
    '--remote',
    reporter,
    ...(environment === undefined ? [] : ['--env', String(environment)]),
    ...(workers === undefined ? [] : ['--workers', String(workers)]),
  ]
    .map(quoted)
    .join(' ')
}
