import type { DataFile, DataPreview, UploadedFile } from '@onrush/protocol/data-file'
import { bytes, count } from '@onrush/protocol/figures'
import { useEffect, useRef, useState } from 'preact/hooks'
import { usePolled } from '../api/polled.ts'
import { apiUrl, get, put, remove } from '../api/request.ts'
import { Card } from '../parts/card.tsx'
import { AskDialog } from '../parts/dialog.tsx'
import { Instant } from '../parts/instant.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { some } from '../parts/some.ts'
import { type Column, Table } from '../parts/table.tsx'
import { useQuery } from '../route.ts'

const pathOf = (path: string) => `api/data/${path.split('/').map(encodeURIComponent).join('/')}`
const previewRows = 20

/** What feeds and bodies are made of: the files beside the simulations. */
export function DataPage() {
  const files = usePolled<DataFile[]>('api/data', 5000)
  const [shown, show] = useQuery('file')
  const [asking, setAsking] = useState<string>()
  const [failure, setFailure] = useState<Error>()
  const { data, error, again } = files
  if (data === undefined) return error === undefined ? <p class="loading">Loading …</p> : <ErrorNotice error={error} />
  const columns: Column<DataFile>[] = [
    {
      key: 'path',
      title: 'file',
      words: true,
      cell: ({ path }) => (
        <button
          type="button"
          class="plain link"
          onClick={() => show(path === shown ? undefined : path)}
          aria-pressed={path === shown}
        >
          {path}
        </button>
      ),
      by: ({ path }) => path,
    },
    { key: 'size', title: 'size', cell: ({ size }) => bytes(size), by: ({ size }) => size },
    { key: 'changed', title: 'changed', words: true, cell: ({ modifiedAt }) => <Instant at={modifiedAt} /> },
    {
      key: 'do',
      title: '',
      cell: ({ path }) => (
        <>
          <a class="quiet" href={apiUrl(pathOf(path)).href} download aria-label={`Download ${path}`}>
            Download
          </a>
          <button type="button" class="quiet danger-text" onClick={() => setAsking(path)} aria-label={`Delete ${path}`}>
            Delete
          </button>
        </>
      ),
    },
  ]
  return (
    <>
      <header class="page-head">
        <h1>Data</h1>
        <div class="actions">
          <Upload done={again} failed={setFailure} />
        </div>
      </header>
      {failure !== undefined && <ErrorNotice error={failure} />}
      <Card title="Files beside the simulations" note={count(data.length)}>
        {data.length === 0 ? (
          <p class="aside">None yet. A feed names them by their path: csv('users.csv').</p>
        ) : (
          <Table label="Data files" rows={data} columns={columns} keyOf={({ path }) => path} chosen={shown} />
        )}
      </Card>
      {shown !== undefined && <Preview key={shown} path={shown} />}
      {asking !== undefined && (
        <AskDialog
          title={`Delete ${asking}?`}
          action="Delete the file"
          onAct={() => {
            remove(pathOf(asking)).then(again, setFailure)
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>Runs that go on keep what they have; simulations that name it do not compile any more.</p>
        </AskDialog>
      )}
    </>
  )
}

function Upload({ done, failed }: { done: () => void; failed: (error: Error | undefined) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState<string>()
  const send = async (files: readonly File[]) => {
    failed(undefined)
    try {
      for (const file of files) {
        setBusy(file.name)
        await put<UploadedFile>(pathOf(file.name), file)
      }
    } catch (error) {
      failed(error instanceof Error ? error : new Error(String(error)))
    } finally {
      setBusy(undefined)
      if (input.current !== null) input.current.value = ''
      done()
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        class="unseen"
        tabIndex={-1}
        aria-label="Files to upload"
        onChange={event => send([...(event.currentTarget.files ?? [])])}
      />
      <button type="button" class="primary" disabled={busy !== undefined} onClick={() => input.current?.click()}>
        {busy === undefined ? 'Upload' : `Uploading ${busy} …`}
      </button>
    </>
  )
}

type Row = DataPreview['rows'][number]
const written = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** The first rows, as a feed would give them. */
function Preview({ path }: { path: string }) {
  const [preview, setPreview] = useState<DataPreview>()
  const [error, setError] = useState<Error>()
  useEffect(() => {
    let left = false
    get<DataPreview>(`${pathOf(path)}?preview=${previewRows}`).then(
      data => left || setPreview(data),
      (failure: Error) => left || setError(failure),
    )
    return () => {
      left = true
    }
  }, [path])
  if (error !== undefined) return <ErrorNotice error={error} />
  if (preview === undefined) return <p class="loading">Loading {path} …</p>
  const { format, columns, rows, complete, fault } = preview
  const numbered = rows.map((row, i) => ({ row, number: i + 1 }))
  return (
    <Card
      title={path}
      note={`${format}, ${complete ? some(rows.length, 'row', 'rows') : `the first ${some(rows.length, 'row', 'rows')}`}`}
    >
      {fault !== undefined && <ErrorNotice error={new Error(fault)} />}
      <Table
        label={`The first rows of ${path}`}
        rows={numbered}
        keyOf={({ number }) => String(number)}
        columns={[
          ...columns.map(
            (name): Column<{ row: Row; number: number }> => ({
              key: name,
              title: name,
              words: true,
              cell: ({ row }) => <code>{written(row[name])}</code>,
            }),
          ),
        ]}
      />
    </Card>
  )
}
