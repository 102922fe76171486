import { once } from 'node:events'
import process from 'node:process'
import { Worker } from 'node:worker_threads'
import { placesKey } from '../authoring/place.ts'
import { encode } from '../first-load/encode.ts'
import { framesOf } from '../first-load/frames.ts'
import { say } from '../first-load/say.ts'

/**
 * Loads scripts one after another in one process, because starting one for each is most of the time that a compile of a
 * whole folder takes. What is not plainly good is not judged here: it is loaded again in a process of its own.
 * Argument: the memory limit in megabytes.
 */
const [, , memoryMb = ''] = process.argv

Error.stackTraceLimit = 30
const places = new WeakMap<object, unknown>()
Reflect.set(globalThis, placesKey, places)

const guard = new Worker(new URL('../memory-guard/main.ts', import.meta.url), { workerData: Number(memoryMb) })
await once(guard, 'message')
guard.unref()

process.on('message', async (bundle: string) => {
  try {
    const module: Record<string, unknown> = await import(bundle)
    if (!Object.hasOwn(module, 'default')) return say({ type: 'no-default', exports: [] })
    const { value, faults, maps } = encode(module.default)
    const written = [...maps].flatMap(([path, map]) => {
      const frames = framesOf(places.get(map), bundle)
      return frames.length === 0 ? [] : [[path, frames] as const]
    })
    say({ type: 'loaded', value, faults, places: Object.fromEntries(written) })
  } catch (error) {
    say({ type: 'threw', message: String(error), frames: [] })
  }
})
process.send?.('ready')
