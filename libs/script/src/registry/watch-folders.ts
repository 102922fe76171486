import { type FSWatcher, watch } from 'node:fs'

export interface FolderWatch {
  /** Watches these folders, and no others any more. */
  follow(folders: readonly string[]): void
  close(): void
}

const debounceMs = 150
const pollMs = 5_000

/**
 * Says when something in one of the folders changes, once for what comes together. Each folder is watched by itself: a
 * recursive watch would go through node_modules and .git too. Where the system's watches run out it looks now and then.
 */
export function watchFolders(changed: () => void, onProblem: (problem: unknown) => void): FolderWatch {
  const watchers = new Map<string, FSWatcher>()
  let timer: NodeJS.Timeout | undefined
  let polling: NodeJS.Timeout | undefined
  let closed = false
  const soon = () => {
    clearTimeout(timer)
    timer = setTimeout(changed, debounceMs)
    timer.unref()
  }
  const poll = (problem: unknown) => {
    if (polling !== undefined || closed) return
    onProblem(problem)
    polling = setInterval(changed, pollMs)
    polling.unref()
  }
  const drop = (folder: string) => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string) => {
    try {
      const watcher = watch(folder, { persistent: false }, soon)
      watcher.on('error', problem => {
        drop(folder)
        if (!isGone(problem)) poll(problem)
      })
      watchers.set(folder, watcher)
    } catch (problem) {
      // A folder that does not exist yet cannot be watched, and may come.
      poll(problem)
    }
  }
  return {
    follow(folders) {
      const wanted = new Set(folders)
      for (const folder of [...watchers.keys()]) if (!wanted.has(folder)) drop(folder)
      for (const folder of wanted) if (!watchers.has(folder) && !closed) add(folder)
    },
    close() {
      closed = true
      clearTimeout(timer)
      clearInterval(polling)
      for (const folder of [...watchers.keys()]) drop(folder)
    },
  }
}

const isGone = (problem: unknown) => problem instanceof Error && 'code' in problem && problem.code === 'ENOENT'
