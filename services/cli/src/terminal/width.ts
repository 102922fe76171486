// Built from its code, because a control character in a pattern reads as a mistake.
const esc = String.fromCharCode(27)
export const styling = new RegExp(`${esc}\\[\\d+m`, 'g')
/** Scripts whose letters take two columns, and most pictures. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function columnsOf(letter: string): number {
  return wide.test(letter) ? 2 : 1
}

/** How many columns a text takes in a terminal, its colours left out. */
export function widthOf(text: string): number {
  const plain = text.replaceAll(styling, '')
  if (/^[\x20-\x7e]*$/.test(plain)) return plain.length
  let columns = 0
  for (const { segment } of letters.segment(plain)) columns += columnsOf(segment)
  return columns
}

export const padEnd = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - widthOf(text)))
export const padStart = (text: string, width: number) => ' '.repeat(Math.max(0, width - widthOf(text))) + text

/** Cut to a number of columns. Colours stay whole and are ended. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let columns = 0
  let kept = ''
  let last = 0
  const take = (plain: string): boolean => {
    for (const { segment } of letters.segment(plain)) {
      if (columns + columnsOf(segment) > width - 1) return false
      columns += columnsOf(segment)
      kept += segment
    }
    return true
  }
  for (const found of text.matchAll(styling)) {
    if (!take(text.slice(last, found.index))) return `${kept}…${esc}[0m`
    kept += found[0]
    last = found.index + found[0].length
  }
  take(text.slice(last))
  return last === 0 ? `${kept}…` : `${kept}…${esc}[0m`
}

/** A long name keeps its beginning and its end, where names differ. */
export function shorten(name: string, width: number): string {
  if (widthOf(name) <= width) return name
  const all = [...name]
  const half = Math.floor((width - 1) / 2)
  return `${all.slice(0, width - 1 - half).join('')}…${all.slice(all.length - half).join('')}`
}
