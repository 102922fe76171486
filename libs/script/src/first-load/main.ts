import { once } from 'node:events'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { placesKey } from '../authoring/place.ts'
import type { WatchData } from '../watch/main.ts'
import { encode } from './encode.ts'
import { framesOf } from './frames.ts'
import { say } from './say.ts'

/**
 * The first load of a script, in a process of its own: whatever the script does to its process, its caller goes on.
 * Arguments: the bundle's URL, the time limit in milliseconds, the memory limit in megabytes.
 */
const [, , bundle = '', timeMs = '', memoryMb = ''] = process.argv
const megabyte = 1_048_576

Error.stackTraceLimit = 30
const places = new WeakMap<object, unknown>()
Reflect.set(globalThis, placesKey, places)

let said = false
const answer: typeof say = value => {
  if (said) return
  said = true
  say(value)
}
const threw = (error: unknown) => {
  const isError = error instanceof Error
  const message = isError ? `${error.name}: ${error.message}` : `the value ${String(error)} was thrown`
  answer({ type: 'threw', message, frames: framesOf(isError ? error.stack : undefined, bundle) })
}

// An exit handler runs inside of process.exit, so its own stack names the line that called it.
process.on('exit', code => answer({ type: 'exited', code, frames: framesOf(new Error('exit').stack, bundle) }))
process.on('uncaughtException', error => {
  threw(error)
  process.exit()
})

const watchData: WatchData = { bundle, timeMs: Number(timeMs), memoryMb: Number(memoryMb) }
const watch = new Worker(new URL('../watch/main.ts', import.meta.url), { workerData: watchData })
await once(watch, 'message')
watch.unref()

try {
  const module: Record<string, unknown> = await import(bundle)
  const { external, arrayBuffers } = process.memoryUsage()
  // Memory that was taken and not yet touched does not show in the resident size, and will when it is used.
  const taken = Math.round((external + arrayBuffers) / megabyte)
  if (taken > Number(memoryMb)) answer({ type: 'memory', megabytes: taken, frames: [] })
  else if (!Object.hasOwn(module, 'default')) answer({ type: 'no-default', exports: Object.keys(module) })
  else {
    const { value, faults, maps } = encode(module.default)
    const written = [...maps].flatMap(([path, map]) => {
      const frames = framesOf(places.get(map), bundle)
      return frames.length === 0 ? [] : [[path, frames] as const]
    })
    answer({ type: 'loaded', value, faults, places: Object.fromEntries(written) })
  }
} catch (error) {
  threw(error)
}
process.exit()
