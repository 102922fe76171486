import { defineConfig } from 'vite'

// Relative paths, so that the page works behind any base path; nothing is inlined, because its policy allows no inline script.
export default defineConfig({
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: { target: 'es2022', modulePreload: false, assetsInlineLimit: 0, reportCompressedSize: true },
})
