/** A service's log line as a person reads it: what happened, and the fields that tell which. */
export function readable(line: string): string {
  const fields = fieldsOf(line)
  if (fields === undefined) return line
  const { time: _time, level, message, node: _node, ...rest } = fields
  const told = Object.entries(rest).map(([name, value]) => `${name}=${shown(value)}`)
  const grave = level === 'warn' || level === 'error' ? [`${level}:`] : []
  return [...grave, String(message), ...told].join(' ')
}

function fieldsOf(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null && 'message' in parsed ? { ...parsed } : undefined
  } catch {
    // Not one of ours: it is shown as it came.
    return undefined
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const [first = ''] = text.split('\n')
  return /^[^\s"]+$/.test(first) ? first : JSON.stringify(first)
}

/** Cuts what comes in pieces into lines, each with its speaker's name before it. */
export function prefixed(name: string, width: number, write: (text: string) => void): (chunk: string) => void {
  let rest = ''
  return chunk => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) write(`${name.padEnd(width)} │ ${readable(line)}\n`)
  }
}
