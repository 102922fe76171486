/** The fields of one CSV row (RFC 4180), or what is wrong with it in words. Values stay text: `007` is not 7. */
export function csvFields(row: string, delimiter: string): string[] | string {
  if (!row.includes('"')) return row.split(delimiter)
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (row[at] === '"') {
      const end = closingQuote(row, at)
      if (end === -1) return 'a quote is never closed'
      fields.push(row.slice(at + 1, end).replaceAll('""', '"'))
      at = end + 1
      if (at === row.length) return fields
      if (row[at] !== delimiter) {
        return `expected ${JSON.stringify(delimiter)} after a closing quote, got ${JSON.stringify(row.slice(at, at + 20))}; a quote inside a value is written twice`
      }
    } else {
      const next = row.indexOf(delimiter, at)
      const value = row.slice(at, next === -1 ? row.length : next)
      if (value.includes('"')) {
        return `a quote in the middle of ${JSON.stringify(value.slice(0, 40))}: put the whole value in quotes and write the quote twice`
      }
      fields.push(value)
      if (next === -1) return fields
      at = next
    }
    at++
  }
}

function closingQuote(row: string, open: number): number {
  for (let at = row.indexOf('"', open + 1); at !== -1; at = row.indexOf('"', at + 2)) {
    if (row[at + 1] !== '"') return at
  }
  return -1
}
