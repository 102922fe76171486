import type { Fault } from '@onrush/protocol/problem'
import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import type { SimulationSource, SourceFile } from '@onrush/protocol/simulation-source'
import { useEffect } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { Card } from '../parts/card.tsx'
import { CopyButton } from '../parts/copy.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { some } from '../parts/some.ts'
import { Switch } from '../parts/switch.tsx'
import { go, href, useRoute } from '../route.ts'
import { Code, lineId } from './code.tsx'
import { faultsIn, placeOf } from './place.ts'

/** The list tells when something has changed; this is for what it does not tell, like a file that nobody compiles. */
const everyMs = 60_000
const versions = [
  ['now', 'in the folder'],
  ['good', 'last good'],
] as const
type Version = (typeof versions)[number][0]

const pathOf = (name: string) => `api/simulations/${name.split('/').map(encodeURIComponent).join('/')}`

/** What a simulation is written as, with the faults of its newest version where they are. */
export function SourceCard({ entry }: { entry: SimulationEntry }) {
  const { data, error, again } = usePolled<SimulationSource>(pathOf(entry.name), everyMs)
  useEffect(again, [again, entry.checkedAt, entry.status])
  if (data !== undefined) return <Shown source={data} faults={entry.status === 'failed' ? (entry.errors ?? []) : []} />
  return (
    <Card title="Source">{error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />}</Card>
  )
}

const versionOf = (file: SourceFile, wanted: string | null): Version =>
  file.now === undefined || (wanted === 'good' && file.good !== undefined) ? 'good' : 'now'

function Shown({ source, faults }: { source: SimulationSource; faults: readonly Fault[] }) {
  const route = useRoute()
  const { path, query } = route
  const { files, left } = source
  const file = files.find(each => each.file === query.get('file')) ?? files[0]
  const line = Number(query.get('line')) || undefined
  useEffect(() => {
    const target = line === undefined ? null : document.getElementById(lineId(line))
    target?.scrollIntoView({ block: 'center' })
    target?.focus({ preventScroll: true })
    // Whenever somebody goes to a line, be it the one where they are.
  }, [route, source])
  if (file === undefined) return null
  const version = versionOf(file, query.get('version'))
  const shown = file[version]
  // Another file or version has other lines.
  const show = (next: { file: string; version?: string | undefined }) => go(href(path, next))
  return (
    <Card
      title="Source"
      note={files.length === 1 ? file.file : undefined}
      tools={
        <>
          {files.length > 1 && (
            <select
              aria-label="File"
              value={file.file}
              onChange={event => show({ file: event.currentTarget.value, version: query.get('version') ?? undefined })}
            >
              {files.map(each => (
                <option key={each.file} value={each.file}>
                  {each.file}
                  {faults.some(fault => placeOf(fault.path)?.file === each.file) ? ' ✗' : ''}
                </option>
              ))}
            </select>
          )}
          {file.now !== undefined && file.good !== undefined && (
            <Switch
              label="Version"
              options={versions}
              value={version}
              onChange={each => show({ file: file.file, version: each === 'now' ? undefined : each })}
            />
          )}
          {shown !== undefined && <CopyButton text={shown.text} what={`the source of ${file.file}`} />}
        </>
      }
    >
      {shown === undefined ? (
        <p class="aside">The file is gone, and no version of it was good.</p>
      ) : (
        <Code
          file={file.file}
          text={shown.text}
          line={line}
          {...(version === 'now' ? { faults: faultsIn(faults, file.file) } : {})}
        />
      )}
      {file.now === undefined && shown !== undefined && (
        <p class="aside">The file is gone; this is what its last good version was made of.</p>
      )}
      {shown?.cut === true && <p class="aside">There is more of it, which is not shown.</p>}
      {left > 0 && <p class="aside">{some(left, 'module', 'modules')} more are not shown.</p>}
    </Card>
  )
}
