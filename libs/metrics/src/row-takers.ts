import { otherStatus } from '@onrush/protocol/frame'
import {
  checkTable,
  counterBlock,
  errorTable,
  gaugeBlock,
  generatorBlock,
  groupBlock,
  type HistogramPlace,
  populationBlock,
  rateBlock,
  statusTable,
  stepBlock,
  trendBlock,
} from './blocks.ts'
import type { CountBook } from './count-book.ts'
import { readGauge } from './gauge-cell.ts'
import type { Histogram } from './histogram.ts'
import { HistogramTaker } from './histogram-taker.ts'
import type { OpenMemory } from './memory.ts'
import type { TagList } from './metric-counts.ts'
import type { CustomKind } from './metric-names.ts'
import { raise } from './pairs.ts'
import { absent, type Row } from './rows.ts'
import { otherKey, takeTable } from './shared-table.ts'
import type { StringReader } from './string-table.ts'
import { TakenWords } from './taken-words.ts'
import { takeWide } from './wide-counter.ts'

/** Moves what one row counted since the last time into the book. `all`: see HistogramTaker. */
export type TakeRow = (book: CountBook, all: boolean) => void

interface Source {
  readonly memory: OpenMemory
  readonly strings: StringReader
  readonly row: Row
}

type Take = (target: Histogram, all: boolean) => void

function histogram({ memory, row }: Source, place: HistogramPlace): Take {
  const taker = new HistogramTaker(memory.words, row.at + place.head, row.at + place.buckets)
  return (target, all) => taker.takeInto(target, all)
}

function nameOf({ strings, row }: Source, which: 0 | 1 | 2): string {
  return strings.text(row.names[which])
}

function stepTaker(source: Source): TakeRow {
  const group = source.row.names[2] === absent ? undefined : nameOf(source, 2)
  const place = { scenario: nameOf(source, 0), step: nameOf(source, 1), group }
  const words = new TakenWords(source.memory.words, source.row.at, stepBlock.counterWords)
  const durationOk = histogram(source, stepBlock.durationOk)
  const durationKo = histogram(source, stepBlock.durationKo)
  const serviceOk = histogram(source, stepBlock.serviceOk)
  const serviceKo = histogram(source, stepBlock.serviceKo)
  const connect = histogram(source, stepBlock.connect)
  const tls = histogram(source, stepBlock.tls)
  const firstByte = histogram(source, stepBlock.firstByte)
  return (book, all) => {
    const step = book.step(place)
    durationOk(step.ok.duration, all)
    durationKo(step.ko.duration, all)
    serviceOk(step.ok.service, all)
    serviceKo(step.ko.service, all)
    connect(step.connect, all)
    tls(step.tls, all)
    firstByte(step.firstByte, all)
    step.ok.bytesIn += takeWide(words.delta, stepBlock.bytesInOk)
    step.ko.bytesIn += takeWide(words.delta, stepBlock.bytesInKo)
    step.ok.bytesOut += takeWide(words.delta, stepBlock.bytesOutOk)
    step.ko.bytesOut += takeWide(words.delta, stepBlock.bytesOutKo)
    takeTable(words, stepBlock.status, statusTable, (key, times) => {
      if (key === otherKey) raise(step.ok.status, otherStatus, times)
      else raise(key % 2 === 0 ? step.ok.status : step.ko.status, key >>> 1, times)
    })
    takeTable(words, stepBlock.errors, errorTable, (key, times) => raise(step.errors, source.strings.text(key), times))
    takeTable(words, stepBlock.checks, checkTable, (key, passed, failed) =>
      step.addCheck(source.strings.text(key), passed, failed),
    )
  }
}

function groupTaker(source: Source): TakeRow {
  const place = { scenario: nameOf(source, 0), group: nameOf(source, 1) }
  const ok = histogram(source, groupBlock.ok)
  const ko = histogram(source, groupBlock.ko)
  return (book, all) => {
    const group = book.group(place)
    ok(group.ok, all)
    ko(group.ko, all)
  }
}

function populationTaker(source: Source): TakeRow {
  const name = nameOf(source, 0)
  const words = new TakenWords(source.memory.words, source.row.at, populationBlock.counterWords)
  const passOk = histogram(source, populationBlock.passOk)
  const passKo = histogram(source, populationBlock.passKo)
  return (book, all) => {
    const population = book.population(name)
    // Ends before starts: what both started and ended in between shows as started, never the other way round.
    const finished = words.delta(populationBlock.finished)
    const interrupted = words.delta(populationBlock.interrupted)
    const { sessions } = population
    sessions.started += words.delta(populationBlock.started)
    sessions.finished += finished
    sessions.interrupted += interrupted
    sessions.dropped += words.delta(populationBlock.dropped)
    sessions.late += words.delta(populationBlock.late)
    sessions.cancelled += takeWide(words.delta, populationBlock.cancelled)
    passOk(population.passesOk, all)
    passKo(population.passesKo, all)
  }
}

function generatorTaker(source: Source): TakeRow {
  const sendLag = histogram(source, generatorBlock.sendLag)
  const utilisation = histogram(source, generatorBlock.utilisation)
  return (book, all) => {
    sendLag(book.sendLag, all)
    utilisation(book.utilisation, all)
  }
}

/** Tags were written by our own recorder, as a list of pairs. */
function tagsOf(source: Source): TagList {
  if (source.row.names[1] === absent) return []
  const parsed: unknown = JSON.parse(nameOf(source, 1))
  if (!Array.isArray(parsed)) return []
  return parsed.map(([key, value]): [string, string] => [String(key), String(value)])
}

function metricTaker(source: Source, kind: CustomKind): TakeRow {
  const place = { kind, name: nameOf(source, 0), tags: tagsOf(source) }
  const { memory, row } = source
  switch (kind) {
    case 'counter': {
      const words = new TakenWords(memory.words, row.at, counterBlock.words)
      return book => {
        book.metric(place).thousandths += takeWide(words.delta, counterBlock.sum)
      }
    }
    case 'gauge': {
      let seen = 0
      return book => {
        const found = readGauge(memory.words, row.at + gaugeBlock.cell)
        if (found === undefined || found.version === seen) return
        seen = found.version
        book.metric(place).setGauge(found.value, found.at)
      }
    }
    case 'rate': {
      const words = new TakenWords(memory.words, row.at, rateBlock.words)
      return book => {
        const metric = book.metric(place)
        const hits = words.delta(rateBlock.hits)
        metric.total += words.delta(rateBlock.total)
        metric.hits += hits
      }
    }
    case 'trend': {
      const values = histogram(source, trendBlock.values)
      return (book, all) => values(book.metric(place).values, all)
    }
    default:
      return kind satisfies never
  }
}

export function rowTaker(source: Source): TakeRow {
  const { kind } = source.row
  switch (kind) {
    case 'step':
      return stepTaker(source)
    case 'group':
      return groupTaker(source)
    case 'population':
      return populationTaker(source)
    case 'generator':
      return generatorTaker(source)
    default:
      return metricTaker(source, kind)
  }
}
