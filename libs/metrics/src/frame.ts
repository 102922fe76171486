import { demand } from '@onrush/protocol/check'
import { OnrushError } from '@onrush/protocol/error'
import { type Counts, Frame, frameVersion, type HistogramWire } from '@onrush/protocol/frame'
import { checkEncoded } from './histogram-wire.ts'
import { Totals } from './totals.ts'

function histogramsOf(counts: Counts): (HistogramWire | undefined)[] {
  const { generator, steps, groups, populations, metrics } = counts
  return [
    generator.sendLag,
    generator.utilisation,
    ...steps.flatMap(({ ok, ko, connect, tls, firstByte }) => [
      ok?.duration,
      ok?.service,
      ko?.duration,
      ko?.service,
      connect,
      tls,
      firstByte,
    ]),
    ...groups.flatMap(({ ok, ko }) => [ok, ko]),
    ...populations.flatMap(({ passesOk, passesKo }) => [passesOk, passesKo]),
    ...metrics.map(metric => (metric.kind === 'trend' ? metric.values : undefined)),
  ]
}

/** A frame from outside. Everything is checked before anything is counted: a frame counts whole or not at all. */
export function parseFrame(json: unknown): Frame {
  const version = typeof json === 'object' && json !== null && 'v' in json ? json.v : undefined
  if (typeof version === 'number' && version > frameVersion) {
    throw new OnrushError(
      'version_mismatch',
      `expected a frame of version ${frameVersion}, got version ${version} from a newer worker; update this node`,
    )
  }
  const frame = demand(Frame, json, 'frame')
  for (const histogram of histogramsOf(frame.counts)) if (histogram !== undefined) checkEncoded(histogram)
  return frame
}

/** Many frames of one run as one that covers what they cover. A frame that comes twice counts once. */
export function foldFrames(frames: Iterable<Frame>): Frame {
  const totals = new Totals()
  for (const frame of frames) {
    if (totals.add(frame) === 'overlap') {
      const covers = JSON.stringify(frame.covers).slice(0, 300)
      throw new OnrushError(
        'conflict',
        `expected frames that are wholly new or wholly known, got one that is both: ${covers}; fold the single frames`,
      )
    }
  }
  return totals.toFrame()
}
