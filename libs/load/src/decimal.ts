/**
 * A decimal number, exactly. People write rates and durations as decimals, so how many arrivals a step plans is a decimal
 * too. In doubles 2.3/s over 100 s is 229.99999999999997, and the 230th arrival would be lost.
 */
export interface Decimal {
  readonly digits: bigint
  /** The value is `digits / 10^scale`. */
  readonly scale: number
}

export const zero: Decimal = { digits: 0n, scale: 0 }

/** The decimal that JavaScript prints for the number, which is the one that was written. */
export function decimal(value: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  const scale = fraction.length - Number(exponent)
  const digits = BigInt(whole + fraction)
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 }
}

export function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { digits: scaledTo(a, scale) + scaledTo(b, scale), scale }
}

export function times(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

/** Splits a value that is not negative into its whole part and the rest below 1, each as near as a double can be. */
export function parts(value: Decimal): { whole: number; fraction: number } {
  const one = 10n ** BigInt(value.scale)
  const rest = value.digits % one
  // Thirty digits are far more than a double holds, and few enough that the power of ten stays finite.
  const kept = value.scale > 30 ? rest / 10n ** BigInt(value.scale - 30) : rest
  return { whole: Number(value.digits / one), fraction: Number(kept) / 10 ** Math.min(value.scale, 30) }
}

export function toNumber(value: Decimal): number {
  const sign = value.digits < 0n ? -1 : 1
  const { whole, fraction } = parts({ digits: value.digits < 0n ? -value.digits : value.digits, scale: value.scale })
  return sign * (whole + fraction)
}

function scaledTo(value: Decimal, scale: number): bigint {
  return value.digits * 10n ** BigInt(scale - value.scale)
}
