export function skipSpace(text: string, start: number): number {
  let at = start
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at++
  return at
}
