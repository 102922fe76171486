import { methods } from '@onrush/protocol/http-step'
import { simulationOfSingle } from '@onrush/protocol/single'
import { useMemo, useState } from 'preact/hooks'
import { apiUrl } from '../api/request.ts'
import { Card } from '../parts/card.tsx'
import { CommandLine } from '../parts/copy.tsx'
import { Field } from '../parts/field.tsx'
import { Switch } from '../parts/switch.tsx'
import { curlLine, quickLine } from '../profile/commands.ts'
import { firstCommon } from '../profile/common-form.ts'
import { draftStep } from '../profile/draft.ts'
import { ProfileEditor } from '../profile/editor.tsx'
import { type SingleForm, singleOf } from '../profile/single-form.ts'
import { StartForm } from './start-form.tsx'

const empty = (): SingleForm => ({
  name: '',
  url: '',
  method: 'GET',
  headers: '',
  body: '',
  assert: '',
  inject: [draftStep('constantUsersPerSec')],
  common: firstCommon,
})

/** One request under load. */
export function NewSingle({ given }: { given: SingleForm | undefined }) {
  const [form, setForm] = useState(given ?? empty)
  const { body, faults } = useMemo(() => singleOf(form), [form])
  const set = (part: Partial<SingleForm>) => setForm({ ...form, ...part })
  return (
    <StartForm
      kind="single"
      body={body}
      faults={faults}
      emptyAtFirst="$.url"
      common={form.common}
      onCommon={common => set({ common })}
      elsewhere={<Elsewhere form={form} />}
    >
      {faultsOf => (
        <>
          <Card title="The request">
            <div class="row address">
              <Field label="Method">
                <select value={form.method} onChange={event => set({ method: event.currentTarget.value })}>
                  {methods.map(method => (
                    <option key={method}>{method}</option>
                  ))}
                </select>
              </Field>
              <Field label="URL" faults={faultsOf('$.url')}>
                <input
                  type="url"
                  class="mono"
                  placeholder="http://127.0.0.1:7090/json"
                  value={form.url}
                  onInput={event => set({ url: event.currentTarget.value })}
                />
              </Field>
              <Field label="Name" hint="optional" faults={faultsOf('$.name')}>
                <input value={form.name} onInput={event => set({ name: event.currentTarget.value })} />
              </Field>
            </div>
            <div class="columns">
              <Field label="Headers" hint="one per line" faults={faultsOf('$.headers')}>
                <textarea
                  class="mono"
                  rows={3}
                  placeholder="accept: application/json"
                  value={form.headers}
                  onInput={event => set({ headers: event.currentTarget.value })}
                />
              </Field>
              <Field label="Assertions" hint="one per line" faults={faultsOf('$.assert')}>
                <textarea
                  class="mono"
                  rows={3}
                  placeholder={'$.status = 200\n$.time.request < 800'}
                  value={form.assert}
                  onInput={event => set({ assert: event.currentTarget.value })}
                />
              </Field>
            </div>
            <Field label="Body" hint="JSON or text; {{uuid()}} and the like are rendered" faults={faultsOf('$.body')}>
              <textarea
                class="mono"
                rows={form.body === '' ? 2 : 6}
                value={form.body}
                onInput={event => set({ body: event.currentTarget.value })}
              />
            </Field>
          </Card>
          <Card title="The load">
            <ProfileEditor steps={form.inject} onChange={inject => set({ inject })} />
          </Card>
        </>
      )}
    </StartForm>
  )
}

const forms = [
  ['curl', 'curl'],
  ['cli', 'onrush'],
  ['file', 'as a file'],
] as const

/** The same run from a terminal, a pipeline, a repository. */
function Elsewhere({ form }: { form: SingleForm }) {
  const [shown, setShown] = useState<(typeof forms)[number][0]>('curl')
  const { body, single } = useMemo(() => singleOf(form), [form])
  const quick = single === undefined ? undefined : quickLine(single)
  return (
    <Card
      title="The same from elsewhere"
      tools={<Switch label="Form" options={forms} value={shown} onChange={setShown} />}
    >
      {shown === 'curl' && <CommandLine text={curlLine(apiUrl('api/single').href, body)} what="the curl command" />}
      {shown === 'cli' &&
        (quick !== undefined ? (
          <CommandLine text={quick} what="the onrush command" />
        ) : (
          <p class="aside">
            The flags of <code>onrush quick</code> cannot say this. Take it as a file, and run that:{' '}
            <code>onrush run single.json</code>
          </p>
        ))}
      {shown === 'file' &&
        (single === undefined ? (
          <p class="aside">Once the form is complete.</p>
        ) : (
          <CommandLine text={JSON.stringify(simulationOfSingle(single), null, 2)} what="the simulation" />
        ))}
    </Card>
  )
}
