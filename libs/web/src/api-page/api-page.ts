import type { Endpoint, Endpoints } from '@onrush/protocol/endpoint'
import { partsOf } from '@onrush/protocol/openapi'
import { escaped, prose } from '../markup.ts'
import { fieldRows, type Schema, typeText } from './schema-text.ts'
import { style } from './style.ts'

type Document = { readonly [key: string]: unknown }

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (here, key) => (typeof here === 'object' && here !== null && key in here ? Reflect.get(here, key) : undefined),
    value,
  )
const entriesOf = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : []
const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

const roles = { anyone: 'needs no token', viewer: 'viewer', operator: 'operator', node: 'nodes of the fleet' }

/** The OpenAPI document as a page that a person reads: no script, nothing from elsewhere, found with the browser's own search. */
export function apiPage(document: Document, endpoints: Endpoints): string {
  const all = Object.entries<Endpoint>(endpoints)
  const groups = [...new Set(all.map(([, { group }]) => group))]
  const title = String(at(document, 'info', 'title'))
  const schemas = entriesOf(at(document, 'components', 'schemas'))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head>
<body><nav aria-label="Contents"><a class="brand" href="#top">${escaped(title)}</a>
${groups
  .map(
    group =>
      `<h2>${escaped(group)}</h2><ul>${all
        .filter(([, each]) => each.group === group)
        .map(([name]) => `<li><a href="#${anchor(name)}">${methodAndPath(name)}</a></li>`)
        .join('')}</ul>`,
  )
  .join('\n')}
<h2>Schemas</h2><ul>${schemas.map(([name]) => `<li><a href="#schema-${escaped(name)}">${escaped(name)}</a></li>`).join('')}</ul></nav>
<main id="top"><h1>${escaped(title)}</h1>
<p>${prose(String(at(document, 'info', 'description')))} The same for programs: <a href="/openapi.json">/openapi.json</a>.</p>
${groups
  .map(
    group =>
      `<section><h2>${escaped(group)}</h2>${all
        .filter(([, each]) => each.group === group)
        .map(([name, each]) => operation(name, each, document))
        .join('\n')}</section>`,
  )
  .join('\n')}
<section><h2>Schemas</h2>${schemas.map(([name, schema]) => schemaCard(name, schema)).join('\n')}</section>
</main></body></html>
`
}

const anchor = (name: string): string => escaped(name.replaceAll(/[^A-Za-z0-9]+/g, '-'))

function methodAndPath(name: string): string {
  const { method, path } = partsOf(name)
  return `<span class="method ${method}">${method.toUpperCase()}</span> <code>${escaped(path)}</code>`
}

function operation(name: string, endpoint: Endpoint, document: Document): string {
  const { method, path } = partsOf(name)
  const described = at(document, 'paths', path, method)
  const parameters = at(described, 'parameters')
  const body = at(described, 'requestBody', 'content', 'application/json', 'schema')
  const says = at(described, 'x-onrush-messages')
  const files = entriesOf(at(described, 'x-onrush-files'))
  return `<article id="${anchor(name)}"><h3>${methodAndPath(name)}</h3>
<p>${prose(endpoint.summary)} <span class="role">${roles[endpoint.role]}</span></p>
${Array.isArray(parameters) ? table(['Parameter', 'Type', ''], parameters.map(parameterRow).join('')) : ''}
${body === undefined ? '' : part('Body', `<p>${typeText(body)}</p>${isSchema(body) && '$ref' in body ? '' : fields(body)}`)}
${endpoint.bodyType === undefined ? '' : part('Body', `<p><code>${escaped(endpoint.bodyType)}</code></p>`)}
${part(
  'Answers',
  table(
    ['Status', 'Holds', ''],
    entriesOf(at(described, 'responses'))
      .map(([status, answer]) => answerRow(status, answer, document))
      .join(''),
  ),
)}
${files.length === 0 ? '' : part('Files', table(['File', 'Holds', ''], files.map(([file, schema]) => `<tr><td><code>${escaped(file)}</code></td><td>${typeText(schema)}</td><td></td></tr>`).join('')))}
${says === undefined ? '' : part('Messages', `<p>Each is one of ${typeText(says)}</p>`)}
${examples(name, endpoint)}</article>`
}

function parameterRow(parameter: unknown): string {
  const optional = at(parameter, 'required') === true ? '' : ' <span class="muted">optional</span>'
  const schema = at(parameter, 'schema')
  const description = at(parameter, 'description') ?? at(schema, 'description') ?? ''
  return `<tr><td><code>${escaped(String(at(parameter, 'name')))}</code> <span class="muted">${escaped(String(at(parameter, 'in')))}</span>${optional}</td><td>${typeText(schema)}</td><td>${prose(String(description))}</td></tr>`
}

function answerRow(status: string, answer: unknown, document: Document): string {
  const ref = at(answer, '$ref')
  const real = typeof ref === 'string' ? at(document, 'components', 'responses', ref.split('/').at(-1) ?? '') : answer
  const [content] = entriesOf(at(real, 'content'))
  const schema = content === undefined ? undefined : at(content[1], 'schema')
  const holds =
    schema === undefined ? (content === undefined ? '' : `<code>${escaped(content[0])}</code>`) : typeText(schema)
  return `<tr><td><code>${escaped(status)}</code></td><td>${holds}</td><td>${prose(String(at(real, 'description')))}</td></tr>`
}

function examples(name: string, { examples: all = {} }: Endpoint): string {
  const { method, path } = partsOf(name)
  const shown = Object.entries(all).map(([title, { params = {}, query = {}, body, status }]) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, field: string) => params[field] ?? `{${field}}`)
    const pairs = Object.entries(query).flatMap(([field, value]) =>
      [value].flat().map(each => [field, each] as [string, string]),
    )
    const search = new URLSearchParams(pairs).toString()
    const lines = [
      `${method.toUpperCase()} ${filled}${search === '' ? '' : `?${search}`}`,
      ...(body === undefined ? [] : ['content-type: application/json', '', JSON.stringify(body, undefined, 2)]),
    ]
    return `<figure><figcaption>${escaped(title)} <span class="muted">answers ${status}</span></figcaption><pre>${escaped(lines.join('\n'))}</pre></figure>`
  })
  return shown.length === 0 ? '' : part('Examples', shown.join(''))
}

function schemaCard(name: string, schema: unknown): string {
  const description = at(schema, 'description')
  return `<article id="schema-${escaped(name)}"><h3><code>${escaped(name)}</code></h3>
${typeof description === 'string' ? `<p>${prose(description)}</p>` : ''}${fields(schema) || `<p>${typeText(schema)}</p>`}</article>`
}

function fields(schema: unknown): string {
  const rows = fieldRows(schema)
  return rows === '' ? '' : table(['Field', 'Type', ''], rows)
}

const part = (title: string, content: string): string => `<h4>${title}</h4>${content}`

const table = (heads: readonly string[], rows: string): string =>
  `<div class="scroll" tabindex="0" role="region" aria-label="${heads[0]}"><table><thead><tr>${heads.map(each => `<th scope="col">${each === '' ? '<span class="hidden">Meaning</span>' : each}</th>`).join('')}</tr></thead><tbody>${rows}</tbody></table></div>`
