import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'

/** Ends its process when that takes more memory than `workerData` megabytes: a busy thread cannot watch itself. */
const megabyte = 1_048_576
/** What V8 and this thread take before a script has done anything. */
const ownMb = 80
const pollMs = 20

setInterval(() => {
  if (process.memoryUsage.rss() / megabyte > Number(workerData) + ownMb) process.kill(process.pid, 'SIGKILL')
}, pollMs)
parentPort?.postMessage('watching')
