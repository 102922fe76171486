import type { Program } from './program.ts'

/** The exact commands, because whoever reads this has exactly one package manager and wants to paste. */
export function installHint({ packages: { apt, dnf, apk, brew } }: Program): string {
  return [
    `Debian, Ubuntu:  sudo apt-get install ${apt}`,
    `Fedora, RHEL:    sudo dnf install ${dnf}`,
    `Alpine:          sudo apk add ${apk}`,
    `macOS:           brew install ${brew}`,
  ].join('\n')
}
