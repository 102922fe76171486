import type { VNode } from 'preact'
import { logOut, session } from '../api/access.ts'
import { href } from '../route.ts'
import { useStore } from '../store.ts'
import { chooseTheme, theme } from './theme.ts'

type Shape = VNode

/** Drawn on 20 × 20 with one stroke, like the rest: lines, not pictures. */
const shapes = {
  runs: <path d="M2 14 6 14 9 6 12 11 14 4 18 4" />,
  new: <path d="M10 4V16M4 10H16" />,
  simulations: <path d="M7 5 3 10 7 15M13 5 17 10 13 15" />,
  workers: <path d="M3 4H17V9H3ZM3 11H17V16H3ZM6 6.5H6.01M6 13.5H6.01" />,
  data: <path d="M3 5H17M3 10H17M3 15H17M8 5V15" />,
  schedules: <path d="M10 3A7 7 0 1 0 10 17 7 7 0 1 0 10 3M10 6V10L13 12" />,
  queues: <path d="M3 6H12M3 10H17M3 14H9" />,
  light: (
    <path d="M10 7A3 3 0 1 0 10 13 3 3 0 1 0 10 7M10 2V4M10 16V18M2 10H4M16 10H18M4.5 4.5 6 6M14 14 15.5 15.5M4.5 15.5 6 14M14 6 15.5 4.5" />
  ),
  dark: <path d="M15.5 12.5A6.5 6.5 0 0 1 7.5 4.5 6.5 6.5 0 1 0 15.5 12.5Z" />,
  leave: <path d="M8 4H4V16H8M12 6.5 15.5 10 12 13.5M15.5 10H8" />,
} as const satisfies Record<string, Shape>

function Icon({ shape }: { shape: keyof typeof shapes }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      {shapes[shape]}
    </svg>
  )
}

const entries = [
  ['runs', 'Runs', 'runs'],
  ['new', 'New run', 'new'],
  ['simulations', 'Simulations', 'simulations'],
  ['workers', 'Workers', 'workers'],
  ['data', 'Data', 'data'],
  ['schedules', 'Schedules', 'schedules'],
  ['queues', 'Queues', 'queues'],
] as const

/** Where one can go; on a phone it lies at the bottom. */
export function Rail({ here }: { here: string }) {
  const shown = useStore(theme)
  const who = useStore(session)
  const other = shown === 'light' ? 'dark' : 'light'
  return (
    <nav class="rail" aria-label="Pages">
      <a class="brand" href={href(['runs'])} aria-label="Onrush: runs">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M5 23 11 23 15 13 19 19 22 8 27 8" />
        </svg>
        <span>Onrush</span>
      </a>
      <ul>
        {entries.map(([path, name, shape]) => (
          <li key={path} class={path === 'new' || path === 'data' ? 'acts' : undefined}>
            <a href={href([path])} aria-current={here === path ? 'page' : undefined}>
              <Icon shape={shape} />
              <span>{name}</span>
            </a>
          </li>
        ))}
      </ul>
      <div class="rail-foot">
        <button type="button" onClick={() => chooseTheme(other)} aria-label={`Make the page ${other}`}>
          <Icon shape={other} />
          <span>{other === 'dark' ? 'Dark' : 'Light'}</span>
        </button>
        {who?.via === 'cookie' && (
          <button type="button" onClick={() => void logOut()} aria-label={`Log out ${who.name}`}>
            <Icon shape="leave" />
            <span>Log out</span>
          </button>
        )}
      </div>
    </nav>
  )
}
