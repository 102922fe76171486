/** As the other pages look; this one is read on its own. */
export const style = `
:root{color-scheme:light dark;--ground:#fafaf9;--surface:#fff;--line:#e7e5e4;--ink:#1c1917;--muted:#57534e;--accent:#0e7490;--act:#a16207}
@media(prefers-color-scheme:dark){:root{--ground:#0f1215;--surface:#161a1f;--line:#2a3038;--ink:#e8eaed;--muted:#9aa4af;--accent:#22d3ee;--act:#facc15}}
*{box-sizing:border-box}
html{scroll-padding-top:16px}
body{margin:0;background:var(--ground);color:var(--ink);font:14px/1.5 system-ui,sans-serif;display:grid;grid-template-columns:300px minmax(0,1fr)}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:16px;border-right:1px solid var(--line);font-size:12px}
nav h2{font-size:12px;margin:16px 0 4px;color:var(--muted);text-transform:none}
nav ul{list-style:none;margin:0;padding:0}
nav a{display:block;padding:2px 0;overflow-wrap:anywhere;text-decoration:none}
.brand{font-weight:600;font-size:14px}
main{padding:16px 32px 64px;max-width:1000px}
h1{font-size:24px;margin:8px 0}
main h2{font-size:18px;margin:32px 0 8px}
h3{font-size:15px;margin:0 0 4px;overflow-wrap:anywhere}
h4{font-size:12px;margin:16px 0 4px;color:var(--muted)}
article{background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:16px;margin:0 0 12px}
p{margin:4px 0}
a{color:var(--accent)}
code,pre{font:12px/1.5 ui-monospace,monospace}
pre{overflow:auto;background:var(--ground);border:1px solid var(--line);border-radius:6px;padding:8px 12px;margin:4px 0}
figure{margin:0 0 8px}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:4px 12px 4px 0;border-top:1px solid var(--line);font-weight:400}
thead th{color:var(--muted);font-size:12px;border:0}
.form th{padding-top:12px;color:var(--muted)}
td{overflow-wrap:anywhere;min-width:80px}
.muted{color:var(--muted)}
.role{color:var(--muted);border:1px solid var(--line);border-radius:10px;padding:0 8px;font-size:12px;white-space:nowrap}
.method{display:inline-block;min-width:48px;font:600 11px ui-monospace,monospace;color:var(--accent)}
.method.post,.method.put,.method.delete{color:var(--act)}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:800px){body{display:block}nav{position:static;height:auto;border:0;border-bottom:1px solid var(--line)}main{padding:16px}}`
