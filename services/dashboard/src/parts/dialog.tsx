import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface DialogProps {
  title: string
  /** What the button that does it says. */
  action: string
  onAct: () => void
  onClose: () => void
  children: ComponentChildren
}

/**
 * Asks before something that cannot be undone. The browser's own dialog: focus stays in it, Escape leaves it. Its `close`
 * event comes a turn after it has closed, when whoever opened it may have opened it again; so that is not waited for.
 */
export function AskDialog({ title, action, onAct, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isLeft = useRef(false)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  const leave = () => {
    if (isLeft.current) return
    isLeft.current = true
    // Gives the focus back to what opened it, which its removal alone would not.
    dialog.current?.close()
    onClose()
  }
  return (
    <dialog
      ref={dialog}
      onCancel={event => {
        event.preventDefault()
        leave()
      }}
      onClose={leave}
      aria-label={title}
    >
      <h2>{title}</h2>
      {children}
      <div class="actions">
        <button type="button" onClick={leave}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onAct()
            leave()
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  )
}
