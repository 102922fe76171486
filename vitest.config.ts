import { defineConfig } from 'vitest/config'

// Two projects: `unit` sits beside the code; `service` starts real servers and processes, two files at a time: they mostly
// wait, and their limits leave room for a neighbour. Units come first, so that what is plainly broken shows at once.
// `expect.poll` waits so long for what a slow machine takes its time over: a limit is for what never comes.
// A third one, `drills`, takes minutes and is there when it is asked for (onrush test --drills).
const drills = {
  test: {
    name: 'drills',
    include: ['test/drills/*.test.ts'],
    fileParallelism: false,
    testTimeout: 900_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
}

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{libs,services,tools}/**/src/**/*.test.ts', 'tools/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/drills/**'],
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          testTimeout: 180_000,
          hookTimeout: 240_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      ...(process.env.ONRUSH_DRILLS === undefined ? [] : [drills]),
    ],
  },
})
