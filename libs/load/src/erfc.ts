const twoOverRootPi = 2 / Math.sqrt(Math.PI)

/** The complementary error function, to about 15 digits. */
export function erfc(x: number): number {
  if (x < 0) return 2 - erfc(-x)
  return x < 2 ? 1 - erfSeries(x) : erfcFraction(x)
}

/** `erf x = 2/√π · e^(−x²) · Σ 2ⁿ·x^(2n+1) / (2n+1)!!`: every term is positive, so nothing cancels. */
function erfSeries(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return twoOverRootPi * Math.exp(-x * x) * sum
}

/** `erfc x = e^(−x²)/√π · 1/(x + ½/(x + 1/(x + 1½/(x + …))))`; from 2 upwards 60 levels are more than enough. */
function erfcFraction(x: number): number {
  let below = x
  for (let n = 60; n > 0; n--) below = x + n / 2 / below
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * below)
}

/**
 * The x with `erfc x = y`, for 0 < y <= 1. The start is formula 26.2.23 of Abramowitz and Stegun (off by less than
 * 4.5·10⁻⁴); each of Halley's steps triples the digits, so two reach what a double holds.
 */
export function erfcInverse(y: number): number {
  if (y === 1) return 0
  const t = Math.sqrt(-2 * Math.log(y / 2))
  const rational = (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  let x = (t - rational) / Math.SQRT2
  for (let i = 0; i < 2; i++) {
    const newton = (erfc(x) - y) / (twoOverRootPi * Math.exp(-x * x))
    x += newton / (1 - x * newton)
  }
  return x
}
