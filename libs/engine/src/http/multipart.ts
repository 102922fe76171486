import type { Context } from '@onrush/context/context'
import type { Template } from '@onrush/context/template'
import type { HttpStep } from '@onrush/protocol/http-step'
import type { Settle } from './settle.ts'
import { openStepFile } from './step-file.ts'
import type { Files } from './tls-settings.ts'
import type { BodySource } from './transport.ts'

type Parts = NonNullable<HttpStep['multipart']>
type Piece = string | Uint8Array | BodySource | Template<string>

/** Fixed, so that a seeded run sends the same bytes again. Unlikely enough to stand in nobody's data. */
const boundary = '----onrush-5f3a91c07be2d864'

export const multipartType = `multipart/form-data; boundary=${boundary}`

/** A `multipart/form-data` body. Text alone gives text, small files bytes, large ones a body that is read while sent. */
export function compileMultipart(
  parts: Parts,
  files: Files,
  settle: Settle,
): (context: Context) => string | Uint8Array | BodySource {
  const pieces: Piece[] = []
  for (const [i, part] of parts.entries()) {
    const field = `.multipart[${i}]`
    if ((part.value === undefined) === (part.file === undefined)) {
      settle.fault(field, 'expected either "value" or "file"')
    }
    const filename = part.filename ?? part.file?.split('/').at(-1)
    const type = part.contentType ?? (part.file === undefined ? undefined : 'application/octet-stream')
    const head = [
      `--${boundary}`,
      `content-disposition: form-data; name="${quoted(part.name)}"${filename === undefined ? '' : `; filename="${quoted(filename)}"`}`,
      ...(type === undefined ? [] : [`content-type: ${type.replace(/[\r\n]/g, ' ')}`]),
    ]
    pieces.push(`${head.join('\r\n')}\r\n\r\n`)
    if (part.file !== undefined) pieces.push(openStepFile(part.file, `${field}.file`, files, settle))
    else pieces.push(settle.text(String(part.value ?? ''), `${field}.value`))
    pieces.push('\r\n')
  }
  pieces.push(`--${boundary}--\r\n`)
  return context => assemble(pieces.map(piece => (isTemplate(piece) ? piece.render(context) : piece)))
}

/** As browsers write names: the characters that would end them are escaped. */
const quoted = (name: string): string =>
  name.replace(/["\r\n]/g, char => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[char] ?? char)

const isTemplate = (piece: Piece): piece is Template<string> => typeof piece === 'object' && 'render' in piece

const isText = (piece: string | Uint8Array | BodySource): piece is string => typeof piece === 'string'

function assemble(pieces: readonly (string | Uint8Array | BodySource)[]): string | Uint8Array | BodySource {
  if (pieces.every(isText)) return pieces.join('')
  const rest = pieces.map(piece => (isText(piece) ? Buffer.from(piece) : piece))
  const bytes = rest.filter(piece => piece instanceof Uint8Array)
  if (bytes.length === rest.length) return Buffer.concat(bytes)
  return {
    length: rest.reduce((sum, piece) => sum + piece.length, 0),
    async *open() {
      for (const piece of rest) {
        if (piece instanceof Uint8Array) yield piece
        else yield* piece.open()
      }
    },
  }
}
