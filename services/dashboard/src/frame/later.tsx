import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorNotice } from '../parts/notice.tsx'

/**
 * A page whose code is fetched when it is first looked at. For what is large and seldom opened: a live run, which people
 * open in a hurry, must not wait for the code that checks a form.
 */
export function later(fetched: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | undefined
  return function Later() {
    const [Page, show] = useState(() => known)
    const [error, setError] = useState<Error>()
    useEffect(() => {
      if (Page !== undefined) return
      fetched().then(page => {
        known = page
        show(() => page)
      }, setError)
    }, [Page])
    if (Page !== undefined) return <Page />
    if (error === undefined) return <p class="loading">Loading …</p>
    return (
      <>
        <ErrorNotice
          error={new Error('This page could not be fetched: the reporter is away, or has another version.')}
        />
        <p>
          <button type="button" onClick={() => window.location.reload()}>
            Load it again
          </button>
        </p>
      </>
    )
  }
}
