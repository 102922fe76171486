/** A whole number's text as a number where a double holds it exactly, otherwise as it is. */
export function wholeValue(text: string): number | string {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : text
}

export function bigintValue(value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value.toString()
}

const written = /^(-?)0*(\d*?)(?:\.(\d*?)0*)?$/

/**
 * A decimal as a number where a double gives back the same digits, otherwise as text. Up to 15 significant digits
 * always survive the way through a double; of longer ones those that its shortest notation repeats.
 */
export function decimalValue(text: string): number | string {
  const parts = written.exec(text)
  if (parts === null) return text
  const [, sign = '', whole = '', fraction = ''] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  const number = Number(text)
  if (digits.length <= 15) return Object.is(number, -0) ? 0 : number
  const plain = sign + (whole === '' ? '0' : whole) + (fraction === '' ? '' : `.${fraction}`)
  return String(number) === plain ? number : text
}

/** JSON has no such numbers. */
export function floatValue(value: number): number | string {
  return Number.isFinite(value) ? value : String(value)
}

/**
 * A 4-byte float as people write it: 0.1, not the 0.10000000149011612 that the same bits are as a double. Nine
 * significant digits tell all such floats apart, six are always exact.
 */
export function singleValue(value: number): number | string {
  if (!Number.isFinite(value)) return String(value)
  for (let digits = 6; digits < 9; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return shorter
  }
  return Number(value.toPrecision(9))
}
