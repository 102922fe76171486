type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan'

const codes: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  green: [32, 39],
  red: [31, 39],
  yellow: [33, 39],
  cyan: [36, 39],
}

export type Paint = (style: Style, text: string) => string

/** Colours where they are wanted, and the text alone where not. */
export function painter(colours: boolean): Paint {
  if (!colours) return (_style, text) => text
  return (style, text) => `\x1b[${codes[style][0]}m${text}\x1b[${codes[style][1]}m`
}
