import type { Fault } from '@onrush/protocol/problem'
import { useMemo } from 'preact/hooks'
import { reachable } from '../parts/reachable.ts'
import { type Token, tokenLines } from './tokens.ts'

/** More than a person writes: it is shown as it is, because each coloured piece is an element. */
const mostColoured = 200_000

export interface CodeProps {
  file: string
  text: string
  /** By their lines. */
  faults?: ReadonlyMap<number, readonly Fault[]>
  /** The line that the address names. */
  line?: number | undefined
}

export const lineId = (line: number): string => `line-${line}`

const linesOf = (text: string, file: string): readonly (readonly Token[])[] =>
  text.length <= mostColoured
    ? tokenLines(text, file)
    : text
        .replace(/\r?\n$/, '')
        .split(/\r?\n/)
        .map(each => [{ text: each }])

/** A file with its lines numbered, and what is wrong with a line below it. */
export function Code({ file, text, faults, line }: CodeProps) {
  const lines = useMemo(() => linesOf(text, file), [text, file])
  return (
    <section
      class="source"
      aria-label={`The source of ${file}`}
      style={{ '--digits': `${String(lines.length).length}ch` }}
      {...reachable}
    >
      {lines.map((tokens, i) => (
        <Line key={i} number={i + 1} tokens={tokens} faults={faults?.get(i + 1)} isNamed={line === i + 1} />
      ))}
    </section>
  )
}

interface LineProps {
  number: number
  tokens: readonly Token[]
  faults: readonly Fault[] | undefined
  isNamed: boolean
}

function Line({ number, tokens, faults, isNamed }: LineProps) {
  const state = `line${faults === undefined ? '' : ' wrong'}${isNamed ? ' named' : ''}`
  return (
    <div id={lineId(number)} class={state} tabIndex={faults === undefined && !isNamed ? undefined : -1}>
      <span class="line-number" data-number={number} aria-hidden="true" />
      <code>
        {tokens.map(({ text, kind }, i) =>
          kind === undefined ? (
            text
          ) : (
            <span key={i} class={`code-${kind}`}>
              {text}
            </span>
          ),
        )}
      </code>
      {faults?.map(({ path, message }) => (
        <p key={`${path} ${message}`} class="line-fault">
          <span class="unseen">line {number}: </span>
          {message}
        </p>
      ))}
    </div>
  )
}
