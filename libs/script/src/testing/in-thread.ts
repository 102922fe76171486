import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'

const code = `
import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
process.setSourceMapsEnabled(true)
const { default: simulation } = await import(workerData.url)
const run = new Function('simulation', 'return (' + workerData.expression + ')')
parentPort.postMessage(await run(simulation))
`

/** What an expression on `simulation` gives in a plain thread of Node, where bundles run. */
export async function inThread(bundleFile: string, expression: string): Promise<unknown> {
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { url: pathToFileURL(bundleFile).href, expression },
  })
  const [value] = await once(worker, 'message')
  await worker.terminate()
  return value
}
