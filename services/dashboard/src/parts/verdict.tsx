import type { RunState, Verdict } from '@onrush/protocol/job'

const verdicts = {
  passed: { mark: '✓', word: 'passed' },
  failed: { mark: '✗', word: 'failed' },
  invalid: { mark: '!', word: 'invalid' },
} as const satisfies Record<Verdict, { mark: string; word: string }>

/** State is never colour alone: a mark and a word go with it. */
export function VerdictWord({ verdict, children }: { verdict: Verdict; children?: preact.ComponentChildren }) {
  return (
    <span class={`word ${verdict}`}>
      <span class="mark" aria-hidden="true">
        {verdicts[verdict].mark}
      </span>
      {children ?? verdicts[verdict].word}
    </span>
  )
}

const states = {
  queued: { mark: '◌', word: 'queued' },
  starting: { mark: '◔', word: 'starting' },
  running: { mark: '●', word: 'running' },
  gathering: { mark: '◕', word: 'building the report' },
  finished: { mark: '■', word: 'finished' },
  stopped: { mark: '◼', word: 'stopped' },
  failed: { mark: '✗', word: 'broke off' },
} as const satisfies Record<RunState, { mark: string; word: string }>

export function StateWord({ state }: { state: RunState }) {
  return (
    <span class={`word state-${state}`}>
      <span class="mark" aria-hidden="true">
        {states[state].mark}
      </span>
      {states[state].word}
    </span>
  )
}
