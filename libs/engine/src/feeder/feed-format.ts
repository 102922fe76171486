import type { Feed } from '@onrush/protocol/feed'

export type FeedFormat = NonNullable<Feed['format']>

const byEnding: { readonly [ending: string]: FeedFormat } = {
  csv: 'csv',
  tsv: 'csv',
  json: 'json',
  jsonl: 'jsonl',
  ndjson: 'jsonl',
}

const endingOf = (file: string): string => /\.([^./\\]+)$/.exec(file)?.[1]?.toLowerCase() ?? ''

/** `undefined` when neither the feed nor the file's name says it. */
export const formatOf = (feed: Feed): FeedFormat | undefined => feed.format ?? byEnding[endingOf(feed.file ?? '')]

export const delimiterOf = (feed: Feed): string => feed.delimiter ?? (endingOf(feed.file ?? '') === 'tsv' ? '\t' : ',')
