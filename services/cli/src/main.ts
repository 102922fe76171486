import process from 'node:process'
import { processIo } from './config.ts'
import { dispatch } from './dispatch.ts'
import { leave } from './leave.ts'

// `onrush --help | head` closes our output early; that is no failure worth a stack trace.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })
}

leave(process, await dispatch(process.argv.slice(2), processIo))
