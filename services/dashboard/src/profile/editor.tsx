import { check } from '@onrush/protocol/check'
import { Profile } from '@onrush/protocol/injection'
import { useMemo, useRef } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { type DraftStep, draftStep, draftsOf, type InjectionType, injectionOf, kinds, presets } from './draft.ts'
import { previewOf } from './preview.ts'
import { ProfileChart } from './profile-chart.tsx'

export interface EditorProps {
  steps: readonly DraftStep[]
  onChange: (steps: readonly DraftStep[]) => void
}

const groups = [...new Set(Object.values(kinds).map(({ group }) => group))]
const types = Object.keys(kinds) as InjectionType[]

/** The shape of the load, step by step, with its curve. */
export function ProfileEditor({ steps, onChange }: EditorProps) {
  const checked = useMemo(() => check(Profile, steps.map(injectionOf)), [steps])
  const preview = useMemo(() => (checked.ok ? previewOf(checked.value) : undefined), [checked])
  const shown = useRef(preview)
  if (preview !== undefined) shown.current = preview
  const faults = checked.ok ? [] : checked.faults
  const faultsAt = (i: number) => faults.filter(({ path }) => path.startsWith(`$[${i}]`))
  const whole = faults.filter(({ path }) => !/^\$\[\d+\]/.test(path))
  const replace = (i: number, ...by: DraftStep[]) => onChange([...steps.slice(0, i), ...by, ...steps.slice(i + 1)])
  return (
    <div class="profile">
      <p class="presets">
        <span class="muted">Begin with:</span>
        {presets.map(({ name, profile }) => (
          <button key={name} type="button" class="chip" onClick={() => onChange(draftsOf(profile))}>
            {name}
          </button>
        ))}
      </p>
      <div class="profile-columns">
        <ol class="profile-steps">
          {steps.map((step, i) => (
            <StepRow
              key={step.id}
              step={step}
              place={i + 1}
              only={steps.length === 1}
              faults={faultsAt(i).map(({ path, message }) => ({ field: path.replace(/^\$\[\d+\]\.?/, ''), message }))}
              onChange={next => replace(i, next)}
              onRemove={() => replace(i)}
            />
          ))}
          <li class="profile-more">
            <button
              type="button"
              class="quiet"
              onClick={() => {
                const before = steps.at(-1)
                onChange([
                  ...steps,
                  before === undefined ? draftStep('constantUsersPerSec') : draftStep(before.type, before.texts),
                ])
              }}
            >
              + Add a step
            </button>
          </li>
        </ol>
        <div class={preview === undefined ? 'stale' : undefined}>
          {shown.current !== undefined && <ProfileChart preview={shown.current} />}
          {whole.map(({ message }) => (
            <p key={message} class="field-fault">
              {message}
            </p>
          ))}
        </div>
      </div>
    </div>
  )
}

interface RowProps {
  step: DraftStep
  place: number
  only: boolean
  faults: readonly { field: string; message: string }[]
  onChange: (step: DraftStep) => void
  onRemove: () => void
}

function StepRow({ step, place, only, faults, onChange, onRemove }: RowProps) {
  const { type, texts } = step
  return (
    <li class="profile-step">
      <Field label={`Step ${place}`}>
        <select
          value={type}
          onChange={event => onChange({ ...draftStep(asType(event.currentTarget.value), texts), id: step.id })}
        >
          {groups.map(group => (
            <optgroup key={group} label={group}>
              {types
                .filter(each => kinds[each].group === group)
                .map(each => (
                  <option key={each} value={each}>
                    {kinds[each].name}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </Field>
      {kinds[type].fields.map(({ name, label, kind, optional }) => (
        <Field
          key={name}
          label={label}
          faults={faults.filter(({ field }) => field === name).map(({ message }) => message)}
        >
          <input
            class="short"
            inputMode={kind === 'number' ? 'decimal' : undefined}
            placeholder={optional ? 'none' : kind === 'duration' ? '30s' : undefined}
            value={texts[name] ?? ''}
            onInput={event => onChange({ ...step, texts: { ...texts, [name]: event.currentTarget.value } })}
          />
        </Field>
      ))}
      {!only && (
        <button type="button" class="quiet remove" onClick={onRemove} aria-label={`Remove step ${place}`}>
          ×
        </button>
      )}
    </li>
  )
}

const asType = (text: string): InjectionType => types.find(type => type === text) ?? 'constantUsersPerSec'
