import { createHash } from 'node:crypto'
import { defineConfig, type Plugin } from 'vite'

const sha256 = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * One file that opens without a network: script and style lie in it and are allowed by their hashes, so that nothing a
 * run has put into the page can run. `libs/report` fills in the places between double braces.
 */
function singleFile(): Plugin {
  return {
    name: 'single-file',
    enforce: 'post',
    generateBundle(_options, bundle) {
      let script = ''
      let style = ''
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === 'chunk') script += file.code
        else if (name.endsWith('.css')) style += String(file.source)
        delete bundle[name]
      }
      script = script.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
      style = style.trim()
      const policy = `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}; img-src data:; base-uri 'none'; form-action 'none'`
      this.emitFile({
        type: 'asset',
        fileName: 'template.html',
        source: `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer"><meta name="color-scheme" content="light dark">
<title>{{title}}</title><style>${style}</style></head>
<body><div id="app">{{summary}}</div>
<script type="application/json" id="data">{{data}}</script><script>${script}</script></body></html>
`,
      })
    },
  }
}

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  publicDir: false,
  plugins: [singleFile()],
  build: {
    target: 'es2022',
    outDir: '../../libs/report/src/page',
    emptyOutDir: false,
    modulePreload: false,
    // Otherwise the script would put the style in, which the policy forbids.
    cssCodeSplit: false,
    rollupOptions: { input: 'src/report/main.tsx', output: { format: 'iife', entryFileNames: 'report.js' } },
  },
})
