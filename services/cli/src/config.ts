import process from 'node:process'
import type { Io, Output, Signal } from './io.ts'

function toOutput(stream: NodeJS.WriteStream): Output {
  return {
    write: text => {
      stream.write(text)
    },
    tty: stream.isTTY === true,
    colours: stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    get columns() {
      return stream.columns ?? 80
    },
    get rows() {
      return stream.rows ?? 24
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
