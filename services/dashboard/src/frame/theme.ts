import { Store } from '../store.ts'

export type Theme = 'light' | 'dark'

const key = 'onrush-theme'
const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')

function current(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'light' || chosen === 'dark') return chosen
  return prefersDark.matches ? 'dark' : 'light'
}

/** What is seen, chosen or the system's. Charts draw on a canvas and have to be told. */
export const theme = new Store<Theme>(current())
prefersDark.addEventListener('change', () => theme.set(current()))

export function chooseTheme(chosen: Theme): void {
  document.documentElement.dataset.theme = chosen
  try {
    localStorage.setItem(key, chosen)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  theme.set(chosen)
}

// Paper is white: charts are drawn anew for it, and as they were afterwards.
let onScreen: Theme = theme.value
window.addEventListener('beforeprint', () => {
  onScreen = theme.value
  document.documentElement.dataset.theme = 'light'
  theme.set('light')
})
window.addEventListener('afterprint', () => {
  document.documentElement.dataset.theme = onScreen
  theme.set(onScreen)
})
