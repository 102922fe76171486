import { join } from 'node:path'
import type { Frame } from '@onrush/protocol/frame'
import type { Report } from '@onrush/protocol/report'
import type { RunEnd, RunHeader } from '@onrush/protocol/run-log'
import { ReportFolder } from '@onrush/report/report-folder'
import { RunAccount } from '@onrush/report/run-account'

/**
 * What a reporter does for a fleet's run, done here for a run of this worker alone: its frames are added up as they come,
 * a threshold may end it, and its end becomes a report.
 */
export class AloneAccount {
  readonly #account: RunAccount
  readonly #folder: ReportFolder
  readonly #stop: (reason: string) => void
  #isEnding = false

  private constructor(account: RunAccount, folder: ReportFolder, stop: (reason: string) => void) {
    this.#account = account
    this.#folder = folder
    this.#stop = stop
  }

  static async open(header: RunHeader, reports: string, stop: (reason: string) => void): Promise<AloneAccount> {
    const folder = await ReportFolder.open(join(reports, header.runId))
    folder.log(header)
    return new AloneAccount(new RunAccount(header), folder, stop)
  }

  add(frame: Frame): void {
    if (this.#account.add(frame) !== 'merged') return
    this.#folder.log(frame)
    const broken = this.#account.aborting()
    if (broken === undefined || this.#isEnding) return
    this.#isEnding = true
    this.#stop(`the threshold ${broken.metric} ${broken.check} has failed`)
  }

  async finish(end: RunEnd): Promise<Report> {
    this.#folder.log(end)
    const report = this.#account.toReport(end)
    await this.#folder.finish(report)
    return report
  }

  /** It never began. */
  async discard(): Promise<void> {
    await this.#folder.discard()
  }
}
