import type { JobMonitorMessage } from '@onrush/protocol/job-monitor'
import type { Output } from '../io.ts'
import { painter } from '../terminal/paint.ts'
import { liveLines } from './live-lines.ts'
import { progressLine } from './plain-view.ts'
import { RemoteState } from './remote-state.ts'
import { Screen } from './screen.ts'

export interface RemoteView {
  hear(message: JobMonitorMessage): void
  note(text: string): void
  close(): void
}

const redrawMs = 250
const plainMs = 5_000

/** Shows a run of a fleet like one of this machine: redrawn for a person, a line each few seconds for a log. */
export function openRemoteView(title: string, { quiet }: { readonly quiet: boolean }, err: Output): RemoteView {
  const remote = new RemoteState(title)
  let told: string | undefined
  const tell = (note: (text: string) => void) => {
    const { status, waiting } = remote.job ?? {}
    const now = waiting === undefined ? status : `${status}: ${waiting}`
    if (now !== undefined && now !== told) note(`${title}: ${now}`)
    told = now
  }
  if (quiet) return { hear: message => remote.hear(message, performance.now()), note: noteTo(err), close: () => {} }
  if (!err.tty) {
    const timer = setInterval(() => {
      if (remote.job?.status === 'running') err.write(`${progressLine(remote.state(performance.now()))}\n`)
    }, plainMs)
    return {
      hear(message) {
        remote.hear(message, performance.now())
        tell(noteTo(err))
      },
      note: noteTo(err),
      close: () => clearInterval(timer),
    }
  }
  const screen = new Screen(err)
  const paint = painter(err.colours)
  const timer = setInterval(() => screen.draw(liveLines(remote.state(performance.now()), err, paint)), redrawMs)
  return {
    hear(message) {
      remote.hear(message, performance.now())
      tell(text => screen.print(text))
    },
    note: text => screen.print(paint('yellow', text)),
    close() {
      clearInterval(timer)
      screen.clear()
    },
  }
}

const noteTo = (err: Output) => (text: string) => err.write(`${text}\n`)
