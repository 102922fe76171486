import type { Context } from '@onrush/context/context'
import { RenderError } from '@onrush/context/render-error'
import { compileText } from '@onrush/context/template'
import type { Recorder } from '@onrush/metrics/recorder'
import type { Fault } from '@onrush/protocol/problem'

/** Metrics of the steps that have tags, for thresholds like `tagged_duration{tag:region=eu}`. */
const names = { duration: 'tagged_duration', failed: 'tagged_failed' }

/** Counts what a step came to under its tags as well. */
export type CountTagged = (context: Context, ok: boolean, ms: number) => void

export function compileTags(
  tags: Readonly<Record<string, string>> | undefined,
  recorder: Recorder,
  where: string,
  faults: Fault[],
): CountTagged | undefined {
  if (tags === undefined || Object.keys(tags).length === 0) return undefined
  const templates = Object.entries(tags).map(([tag, text]) => ({
    tag,
    template: compileText(text, `${where}.tags.${tag}`, faults),
  }))
  const fixed = templates.every(({ template }) => template.isStatic)
  const count = (values: Record<string, string>, ok: boolean, ms: number): void => {
    recorder.trend(names.duration, values).add(Math.max(0, ms))
    recorder.rate(names.failed, values).add(!ok)
  }
  if (fixed) return (_, ok, ms) => count({ ...tags }, ok, ms)
  return (context, ok, ms) => {
    const values: Record<string, string> = {}
    for (const { tag, template } of templates) values[tag] = rendered(() => template.render(context))
    count(values, ok, ms)
  }
}

/** A tag whose reference finds nothing is a tag without a value: it must not fail a request that is done. */
function rendered(render: () => string): string {
  try {
    return render()
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    return ''
  }
}
