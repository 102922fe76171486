import type { Report } from '@onrush/protocol/report'
import { useEffect, useState } from 'preact/hooks'
import { get } from '../api/request.ts'
import { type AgainForm, againOf } from '../profile/again-form.ts'
import { reportPath } from './use-run.ts'

/** A past run as the form has to stand to begin it again; nothing while it is on its way. */
export function useAgain(runId: string | undefined): AgainForm | undefined {
  const [again, setAgain] = useState<AgainForm>()
  useEffect(() => {
    setAgain(undefined)
    if (runId === undefined) return
    let left = false
    get<Report>(reportPath(runId)).then(
      report => left || setAgain(againOf(report)),
      // The form is empty then, which is what it is without a run to begin again.
      () => left || setAgain({ kind: 'none' }),
    )
    return () => {
      left = true
    }
  }, [runId])
  return again
}
