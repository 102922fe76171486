import { expect, it } from 'vitest'
import { Screen } from './screen.ts'

function terminal(columns = 40) {
  const written: string[] = []
  const out = {
    write: (text: string) => written.push(text.replaceAll('\x1b', '␛')),
    tty: true,
    colours: false,
    columns,
    rows: 24,
  }
  return { out, written }
}

it('draws each picture over the last, in one write and without clearing first', () => {
  const { out, written } = terminal()
  const screen = new Screen(out)
  screen.draw(['one', 'two'])
  screen.draw(['three'])
  expect(written).toHaveLength(2)
  expect(written[1]).toMatch(/^␛\[\?2026h␛\[\?25l␛\[2A\rthree␛\[K\n␛\[J␛\[\?25h␛\[\?2026l$/)
})

it('finds its first line again when the terminal has become narrower', () => {
  const { out, written } = terminal()
  const screen = new Screen(out)
  screen.draw(['1234567890', 'x'])
  out.columns = 4
  screen.draw(['y'])
  expect(written[1]).toContain('␛[4A\r')
})

it('goes up by a number of lines in a terminal that says it has no columns', () => {
  const { out, written } = terminal(0)
  const screen = new Screen(out)
  screen.draw(['ab'])
  screen.draw(['y'])
  expect(written[1]).toContain('␛[2A\r')
})

it('keeps what is printed above what is drawn', () => {
  const { out, written } = terminal()
  const screen = new Screen(out)
  screen.draw(['bar'])
  screen.print('note')
  expect(written.slice(1).join('')).toMatch(/␛\[1A\r␛\[J.*note\n.*bar/s)
  screen.clear()
  screen.clear()
  expect(written).toHaveLength(5)
})
