import type { Feed } from '@onrush/protocol/feed'
import type { Simulation } from '@onrush/protocol/simulation'
import type { Path } from './every-step.ts'

type Scenario = Simulation['scenarios'][number]

export function everyFeed(scenario: Scenario, path: Path): (readonly [Feed, Path])[] {
  const { feed } = scenario
  if (feed === undefined) return []
  if (!Array.isArray(feed)) return [[feed, [...path, 'feed']]]
  return feed.map((each, i) => [each, [...path, 'feed', i]])
}
