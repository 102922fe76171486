import type { Output } from '../io.ts'
import type { View } from '../running/view.ts'
import { painter } from '../terminal/paint.ts'
import { liveLines } from './live-lines.ts'
import { LiveRun } from './live-state.ts'
import { Screen } from './screen.ts'

const redrawMs = 250

/** For a person at a terminal: the run in a few lines that are redrawn in place. */
export function openLiveView(title: string, err: Output): View {
  const run = new LiveRun(title)
  const screen = new Screen(err)
  const paint = painter(err.colours)
  let begun: number | undefined
  let closed = false
  const draw = (): void => {
    if (closed) return
    const elapsedMs = begun === undefined ? 0 : performance.now() - begun
    screen.draw(liveLines(run.state(elapsedMs), err, paint))
  }
  const timer = setInterval(draw, redrawMs)
  draw()
  return {
    phase(phase) {
      run.phase(phase)
      draw()
    },
    begin(account) {
      begun = performance.now()
      run.begin(account)
      draw()
    },
    frame: frame => run.frame(frame),
    note: text => screen.print(paint('yellow', text)),
    close() {
      closed = true
      clearInterval(timer)
      screen.clear()
    },
  }
}
