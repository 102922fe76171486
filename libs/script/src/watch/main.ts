import { Session } from 'node:inspector/promises'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { Answer } from '../first-load/answer.ts'
import type { Frame } from '../first-load/frames.ts'
import { say } from '../first-load/say.ts'

/**
 * Watches the thread that loads a script: a loop that never ends or an allocation without bound keeps that thread from
 * watching itself. As a debugger of it, this thread can also say at which line it was.
 */
export interface WatchData {
  readonly bundle: string
  readonly timeMs: number
  readonly memoryMb: number
}
const { bundle, timeMs, memoryMb }: WatchData = workerData
const megabyte = 1_048_576
const pollMs = 20
/** What V8 and the watch take before a script has done anything. */
const ownMb = 80

const session = new Session()
session.connectToMainThread()
let framesOfPause: readonly Frame[] = []
let tell = () => {}
const paused = new Promise<void>(resolve => {
  tell = resolve
})
let bundleId = ''
session.on('Debugger.scriptParsed', ({ params }) => {
  if (params.url === bundle) bundleId = params.scriptId
})
session.on('Debugger.paused', ({ params }) => {
  framesOfPause = params.callFrames
    // By its id: frames of ES modules carry no URL.
    .filter(({ location }) => location.scriptId === bundleId)
    .map(({ location }) => [location.lineNumber + 1, (location.columnNumber ?? 0) + 1])
  // V8 pauses by itself just before its heap is full, when a debugger listens.
  if (params.reason === 'OOM') end({ type: 'memory', megabytes: memoryMb, frames: framesOfPause })
  tell()
})

let ended = false
/** Never comes back to the script: it stays paused, and its process is ended by the one who reads this. */
function end(answer: Answer): void {
  if (ended) return
  ended = true
  say(answer)
}

// An inspector's session does not keep its thread alive.
setInterval(() => undefined, 3_600_000)
await session.post('Debugger.enable')
parentPort?.postMessage('watching')

const start = performance.now()
let megabytes = 0
while (performance.now() - start < timeMs && megabytes < memoryMb + ownMb) {
  await sleep(pollMs)
  megabytes = Math.round(process.memoryUsage.rss() / megabyte)
}
void session.post('Debugger.pause')
// A single native call cannot be paused; it is ended without its line.
await Promise.race([paused, sleep(300)])
end(
  megabytes < memoryMb + ownMb
    ? { type: 'time', frames: framesOfPause }
    : { type: 'memory', megabytes, frames: framesOfPause },
)
