import { duration } from '@onrush/protocol/figures'
import type { SimulationEntry } from '@onrush/protocol/simulation-entry'
import { Fragment } from 'preact'
import { usePolled } from '../api/polled.ts'
import { Card } from '../parts/card.tsx'
import { Faults } from '../parts/faults.tsx'
import { Instant } from '../parts/instant.tsx'
import { Empty, ErrorNotice, Notice } from '../parts/notice.tsx'
import { href } from '../route.ts'
import { placeHref } from '../source/place.ts'
import { SourceCard } from '../source/source-card.tsx'

/** One simulation: how it is written, what is wrong with it, what it holds. */
export function SimulationPage({ name }: { name: string }) {
  const { data, error } = usePolled<SimulationEntry[]>('api/simulations', 5000)
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  const entry = data.find(each => each.name === name)
  if (entry === undefined)
    return (
      <Empty title={`There is no simulation "${name}"`}>
        <p>
          <a href={href(['simulations'])}>All simulations</a>
        </p>
      </Empty>
    )
  return (
    <>
      <header class="page-head">
        <h1>{entry.name}</h1>
        <div class="actions">
          {(entry.hash ?? entry.lastGood) !== undefined && (
            <a class="button primary acts" href={href(['new'], { simulation: entry.name })}>
              New run
            </a>
          )}
        </div>
      </header>
      {entry.description !== undefined && <p class="muted lead">{entry.description}</p>}
      {entry.status === 'failed' && <Broken entry={entry} />}
      <div class="simulation">
        <SourceCard entry={entry} />
        <About entry={entry} />
      </div>
    </>
  )
}

function Broken({ entry }: { entry: SimulationEntry }) {
  const { name, error, errors = [], lastGood } = entry
  return (
    <Notice kind="failed">
      <p>{errors.length > 0 || error === undefined ? 'Its newest version does not compile:' : error}</p>
      <Faults faults={errors} hrefOf={path => placeHref(name, path)} />
      {lastGood !== undefined && (
        <p>
          Until it is mended, the version of <Instant at={lastGood.compiledAt} /> runs.
        </p>
      )}
    </Notice>
  )
}

const listed = (values: readonly string[] | undefined) =>
  values === undefined || values.length === 0 ? undefined : values.join(', ')

function About({ entry }: { entry: SimulationEntry }) {
  const {
    file,
    hash,
    lastGood,
    scenarios,
    protocols,
    environments,
    parameters = {},
    files,
    checkedAt,
    elapsedMs,
  } = entry
  const version = hash ?? lastGood?.hash
  const lists = [
    ['scenarios', listed(scenarios)],
    ['protocols', listed(protocols)],
    ['environments', listed(environments)],
    ['data files', listed(files)],
  ] as const
  return (
    <Card title="About">
      <dl class="facts">
        <dt>file</dt>
        <dd>
          <code>{file}</code>
        </dd>
        {version !== undefined && (
          <>
            <dt>version</dt>
            <dd>
              <code title={version}>{version.slice(0, 16)}</code>
            </dd>
          </>
        )}
        <dt>compiled</dt>
        <dd>
          <Instant at={checkedAt} />
          {elapsedMs !== undefined && <span class="muted"> in {duration(elapsedMs)}</span>}
        </dd>
        {lists.map(
          ([title, values]) =>
            values !== undefined && (
              <Fragment key={title}>
                <dt>{title}</dt>
                <dd>{values}</dd>
              </Fragment>
            ),
        )}
        {Object.keys(parameters).length > 0 && (
          <>
            <dt>parameters</dt>
            <dd>
              {Object.entries(parameters).map(([name, value]) => (
                <div key={name}>
                  <code>
                    {name} = {JSON.stringify(value)}
                  </code>
                </div>
              ))}
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
