import { fileURLToPath } from 'node:url'

/** What `import … from 'onrush'` means in every script, wherever it lies. */
export const entry = fileURLToPath(new URL('./onrush.ts', import.meta.url))
