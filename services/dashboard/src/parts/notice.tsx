import { OnrushError } from '@onrush/protocol/error'
import type { ComponentChildren } from 'preact'
import { Faults } from './faults.tsx'

const marks = { passed: '✓', failed: '✗', invalid: '!', info: 'i' } as const

export function Notice({ kind, children }: { kind: keyof typeof marks; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'failed' ? 'alert' : undefined}>
      <span class="mark" aria-hidden="true">
        {marks[kind]}
      </span>
      <div>{children}</div>
    </div>
  )
}

/** What went wrong, with every fault and its place. */
export function ErrorNotice({ error }: { error: Error }) {
  const faults = error instanceof OnrushError ? error.errors : []
  return (
    <Notice kind="failed">
      <p>{error.message}</p>
      <Faults faults={faults} />
    </Notice>
  )
}

/** Where nothing is yet: what to do about it. */
export function Empty({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
