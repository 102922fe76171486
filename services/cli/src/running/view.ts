import type { RunPhase } from '@onrush/engine/run'
import type { Frame } from '@onrush/protocol/frame'
import type { RunAccount } from '@onrush/report/run-account'

/** Whoever shows a run while it goes on. */
export interface View {
  phase(phase: RunPhase): void
  begin(account: RunAccount): void
  frame(frame: Frame): void
  /** A sentence that a person should read now. */
  note(text: string): void
  /** Nothing is shown any more; what is written next stands on a line of its own. */
  close(): void
}
