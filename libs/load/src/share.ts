/** Divisible by 1…12, so that most fleets divide it without a remainder; fine enough for thousands of workers. */
export const classes = 27_720

/** `count` classes: `first`, `first + step`, `first + 2·step`, … */
export type Stride = readonly [first: number, step: number, count: number]

/** A set of residue classes, compact and JSON as it stands. Arrival (or user) `n` belongs to class `n mod 27720`. */
export type Share = readonly Stride[]

export const wholeShare: Share = [[0, 1, classes]]

/** Deals all classes by weight: every class has exactly one owner, spread evenly. A weight of 0 gets none. */
export function dealShares(weights: readonly number[]): Share[] {
  return dealShare(wholeShare, weights)
}

/** Deals the classes of one share again, as when those of a lost worker go to the rest. */
export function dealShare(share: Share, weights: readonly number[]): Share[] {
  const owned = classesOf(share)
  const pattern = turns(weights, owned.length)
  const hands: number[][] = weights.map(() => [])
  owned.forEach((member, i) => {
    hands[pattern[i % pattern.length] ?? 0]?.push(member)
  })
  return hands.map(strides)
}

export function shareSize(share: Share): number {
  return share.reduce((sum, [, , count]) => sum + count, 0)
}

/** The classes of a share in rising order. */
export function classesOf(share: Share): number[] {
  const found: number[] = []
  for (const [first, step, count] of share) for (let i = 0; i < count; i++) found.push(first + i * step)
  return found.sort((a, b) => a - b)
}

/**
 * Whose turn it is, one round long: at each turn, whoever is furthest behind what his weight promises. With weights of
 * small whole numbers a round is as long as their sum and repeats; otherwise one round covers everything.
 */
function turns(weights: readonly number[], longest: number): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (!(sum > 0 && Number.isFinite(sum)) || weights.some(weight => weight < 0)) {
    throw new RangeError(`expected weights of 0 or more with a sum above 0, got [${weights.join(', ')}]`)
  }
  const common = weights.every(Number.isSafeInteger) ? weights.reduce(greatestDivisor) : 0
  const length = common > 0 ? Math.min(longest, sum / common) : longest
  const behind = weights.map(() => 0)
  const round: number[] = []
  for (let turn = 0; turn < length; turn++) {
    let most = 0
    weights.forEach((weight, i) => {
      behind[i] = (behind[i] ?? 0) + weight
      if ((behind[i] ?? 0) > (behind[most] ?? 0)) most = i
    })
    behind[most] = (behind[most] ?? 0) - sum
    round.push(most)
  }
  return round
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b)
}

/**
 * Writes rising classes as few strides. What a round of turns deals repeats, q classes a period, so q strides say it;
 * irregular sets fall apart into runs of equal gaps.
 */
export function strides(members: readonly number[]): Stride[] {
  for (let q = 1; q <= 64 && q * 2 <= members.length; q++) {
    const step = (members[q] ?? 0) - (members[0] ?? 0)
    if (!members.every((member, i) => i < q || member - (members[i - q] ?? 0) === step)) continue
    return members.slice(0, q).map((first, j): Stride => [first, step, Math.ceil((members.length - j) / q)])
  }
  const runs: Stride[] = []
  for (let i = 0; i < members.length; ) {
    const first = members[i] ?? 0
    const step = (members[i + 1] ?? first + 1) - first
    let count = 1
    while (members[i + count] === first + count * step) count++
    runs.push([first, step, count])
    i += count
  }
  return runs
}
