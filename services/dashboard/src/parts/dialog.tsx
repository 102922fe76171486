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

/** Asks before something that cannot be undone. The browser's own dialog: focus stays in it, Escape leaves it. */
export function AskDialog({ title, action, onAct, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
  }, [])
  return (
    <dialog ref={dialog} onClose={onClose} aria-label={title}>
      <h2>{title}</h2>
      {children}
      <div class="actions">
        <button type="button" onClick={() => dialog.current?.close()}>
          Cancel
        </button>
        <button
          type="button"
          class="danger"
          onClick={() => {
            onAct()
            dialog.current?.close()
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  )
}
