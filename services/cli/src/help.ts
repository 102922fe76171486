import { spell } from './arguments/operands.ts'
import type { Option } from './arguments/option.ts'
import type { Command, Group } from './command.ts'

const groups: readonly Group[] = ['Load', 'Fleet', 'Develop']

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

export function topHelp(commands: readonly Command[]): string {
  const sections = groups.flatMap(group => {
    const rows = commands
      .filter(command => command.group === group)
      .map(({ name, summary }) => [name, summary] as const)
    return rows.length === 0 ? [] : [`${group}\n${table(rows)}`]
  })
  return `Load tests on a laptop or on a fleet.

Usage: onrush <command> [options]

${sections.join('\n')}
onrush <command> --help explains a command; onrush --version prints the version.
`
}

function spellOption([name, { short, placeholder }]: readonly [string, Option<unknown>]): string {
  return `${short ? `-${short}, ` : '    '}--${name}${placeholder ? ` <${placeholder}>` : ''}`
}

export function commandHelp({ name, summary, options, operands, examples }: Command): string {
  const rows = [
    ...Object.entries(options).map(entry => [spellOption(entry), entry[1].summary] as const),
    ['-h, --help', 'print this and end'] as const,
  ]
  return [
    `${summary}\n`,
    `Usage: ${['onrush', name, ...(Object.keys(options).length > 0 ? ['[options]'] : []), ...operands.map(spell)].join(' ')}\n`,
    ...(operands.length === 0 ? [] : [table(operands.map(operand => [spell(operand), operand.summary] as const))]),
    `Options\n${table(rows)}`,
    ...(examples.length === 0 ? [] : [`Examples\n${examples.map(example => `  ${example}\n`).join('')}`]),
  ].join('\n')
}
