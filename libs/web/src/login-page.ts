import { escaped } from './markup.ts'

const style = `
:root{color-scheme:light dark;--ground:#fafaf9;--surface:#fff;--line:#d6d3d1;--ink:#1c1917;--muted:#57534e;--accent:#0e7490;--on:#fff;--bad:#b91c1c}
@media(prefers-color-scheme:dark){:root{--ground:#0f1215;--surface:#161a1f;--line:#3a424c;--ink:#e8eaed;--muted:#9aa4af;--accent:#22d3ee;--on:#0f1215;--bad:#f87171}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,sans-serif}
form{width:min(400px,calc(100vw - 32px));background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:24px}
h1{font-size:18px;margin:0 0 4px}
p{margin:0 0 16px;color:var(--muted)}
label{display:block;margin-bottom:4px}
input,button{width:100%;font:inherit;padding:8px 12px;border-radius:6px;min-height:40px}
input{border:1px solid var(--line);background:var(--ground);color:inherit;margin-bottom:16px}
button{border:0;background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{color:var(--bad)}`

/** A form and nothing else: it works without a script, and knows no more than where to go afterwards. */
export function loginPage(to: string, problem?: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>Log in · Onrush</title><style>${style}</style></head>
<body><form method="post" action="/login">
<h1>Log in to Onrush</h1>
${problem === undefined ? '' : `<p role="alert">${escaped(problem)}</p>`}
<p>With the token you were given. It is kept by this browser for twelve hours, and not shown to the page.</p>
<label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<input type="hidden" name="to" value="${escaped(to)}">
<button type="submit">Log in</button>
</form></body></html>
`
}
