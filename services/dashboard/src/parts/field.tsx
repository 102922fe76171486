import type { ComponentChildren } from 'preact'

export interface FieldProps {
  label: string
  /** What is expected, where the label does not say it. */
  hint?: ComponentChildren
  /** What is wrong with it. */
  faults?: readonly string[]
  children: ComponentChildren
}

/** A labelled field. The label holds it, so no ids are needed. */
export function Field({ label, hint, faults = [], children }: FieldProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control comes as its child
    <label class={faults.length > 0 ? 'field wrong' : 'field'}>
      <span class="field-label">
        {label}
        {hint !== undefined && <small>{hint}</small>}
      </span>
      {children}
      {faults.map(fault => (
        <span key={fault} class="field-fault">
          {fault}
        </span>
      ))}
    </label>
  )
}
