import { type Machine, type Say, thisMachine } from './machine.ts'
import type { Program } from './program.ts'
import { requireProgram } from './require-program.ts'

const program: Program = {
  title: 'Chromium',
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'Google Chrome'],
  packages: { apt: 'chromium', dnf: 'chromium', apk: 'chromium', brew: '--cask google-chrome' },
  directories: ['/Applications/Google Chrome.app/Contents/MacOS'],
}

/** The path of a Chromium or Chrome that a test can drive. */
export function findChromium({
  say = () => {},
  machine = thisMachine,
}: {
  say?: Say
  machine?: Machine
} = {}): Promise<string> {
  return requireProgram(program, machine, say)
}
