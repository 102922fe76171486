export interface SwitchProps<T extends string> {
  /** What is chosen between, for those who do not see it. */
  label: string
  options: readonly (readonly [value: T, word: string])[]
  value: T
  onChange: (value: T) => void
}

/** One of a few, all of them visible. */
export function Switch<T extends string>({ label, options, value, onChange }: SwitchProps<T>) {
  return (
    <fieldset class="switch">
      <legend class="unseen">{label}</legend>
      {options.map(([each, word]) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {word}
        </button>
      ))}
    </fieldset>
  )
}
