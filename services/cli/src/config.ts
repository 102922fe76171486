import process from 'node:process'
import type { Io, Output, Signal } from './io.ts'
import { sizeOf } from './terminal/size.ts'

function toOutput(stream: NodeJS.WriteStream): Output {
  return {
    write: text => {
      stream.write(text)
    },
    tty: stream.isTTY === true,
    colours: stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    get columns() {
      return sizeOf(stream).columns
    },
    get rows() {
      return sizeOf(stream).rows
    },
  }
}

/** The real process as commands see it. */
export const processIo: Io = {
  out: toOutput(process.stdout),
  err: toOutput(process.stderr),
  env: process.env,
  cwd: process.cwd(),
  node: process.execPath,
  nodeVersion: process.versions.node,
  onSignal(listener) {
    const signals: Signal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, listener)
    return () => {
      for (const signal of signals) process.off(signal, listener)
    }
  },
}
