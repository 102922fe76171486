import { useState } from 'preact/hooks'
import { reachable } from './reachable.ts'

/** Without the clipboard's API, which plain http and files do not have, an invisible field does it. */
async function toClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  document.body.append(field)
  field.select()
  const done = document.execCommand('copy')
  field.remove()
  if (!done) throw new Error('the browser does not allow copying')
}

export function CopyButton({ text, what }: { text: string; what: string }) {
  const [said, setSaid] = useState('Copy')
  const copy = () => {
    toClipboard(text)
      .then(() => setSaid('Copied'))
      .catch(() => setSaid('Select it'))
      .finally(() => setTimeout(() => setSaid('Copy'), 2000))
  }
  return (
    <button type="button" class="quiet copy" onClick={copy} aria-label={`${said} ${what}`}>
      {said}
    </button>
  )
}

/** A line to take elsewhere. */
export function CommandLine({ text, what }: { text: string; what: string }) {
  return (
    <div class="command">
      <pre {...reachable}>{text}</pre>
      <CopyButton text={text} what={what} />
    </div>
  )
}
