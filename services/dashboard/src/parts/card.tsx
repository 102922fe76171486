import type { ComponentChildren } from 'preact'

export interface CardProps {
  title: string
  /** What the numbers are, in a few words. */
  note?: ComponentChildren
  /** Switches and searches that belong to it. */
  tools?: ComponentChildren
  id?: string
  children: ComponentChildren
}

export function Card({ title, note, tools, id, children }: CardProps) {
  return (
    <section class="card" id={id} aria-label={title}>
      <header class="card-head">
        <h2>
          {title}
          {note !== undefined && <small>{note}</small>}
        </h2>
        {tools !== undefined && <div class="tools">{tools}</div>}
      </header>
      {children}
    </section>
  )
}
