import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ParseError, parse as parseWithErrors } from 'jsonc-parser'
import { ApiError, fieldError } from '../core/errors.ts'

/** Accepts only JSON bodies. An empty body counts as no body for every content type, because some clients send one with DELETE. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') {
      throw fieldError('unsupported_media_type', 'content-encoding', 'is not supported. Send the body uncompressed')
    }
    return body.length === 0 ? undefined : parseJson(body)
  })
  // Fastify closes the connection if it cannot use a body. A client that is still sending would then lose the answer. So the rest of the
  // body is read and discarded, within the usual time limit (limits/slow-requests.ts).
  app.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('connection') === 'close' && reply.raw.shouldKeepAlive) reply.header('connection', 'keep-alive')
  })
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ApiError('malformed_json', { message: 'The request body is not encoded in UTF-8.' })
  const text = body.toString().replace(/^\uFEFF/, '') // removes a byte order mark (RFC 8259, 8.1)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('malformed_json', { message: `The request body is not valid JSON: ${jsonProblem(text)}.` })
  }
  if (MAY_HOLD_BAD_TEXT.test(text)) refuseBadText(value)
  return value
}

/** The maximum length of a body that is parsed again to find the place of its error. */
const MAX_LENGTH_TO_LOCATE = 1024 * 1024

/** Describes where the first error of a JSON text is. Contains none of the text, because it may be secret. */
function jsonProblem(text: string): string {
  const [first] = text.length <= MAX_LENGTH_TO_LOCATE ? jsonErrors(text) : []
  if (!first) return 'it cannot be read'
  if (first.offset >= text.trimEnd().length) return 'it ends too early'
  const before = text.slice(0, first.offset).split('\n')
  return `see line ${before.length}, column ${(before.at(-1) as string).length + 1}`
}

function jsonErrors(text: string): ParseError[] {
  const errors: ParseError[] = []
  try {
    parseWithErrors(text, errors, { disallowComments: true, allowTrailingComma: false })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error // the recursive parser fails for deeply nested bodies
  }
  return errors
}

// Valid JSON contains NUL and lone surrogates only as escapes. A raw NUL is not JSON, and a raw surrogate is not UTF-8.
const MAY_HOLD_BAD_TEXT = /\\u(?:0000|d[89a-f])/i

/** Refuses NUL and lone surrogates, which PostgreSQL cannot store. It does not use recursion, because a body may be deeply nested. */
function refuseBadText(root: unknown): void {
  const rest: [path: string, value: unknown][] = [['', root]]
  for (let entry = rest.pop(); entry; entry = rest.pop()) {
    const [path, value] = entry
    if (typeof value === 'string' && isBadText(value)) {
      throw fieldError('invalid_text', path || 'body', BAD_TEXT)
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [name, member] of Object.entries(value)) {
      if (isBadText(name)) {
        throw fieldError(
          'invalid_text',
          path || 'body',
          'has a field whose name is not valid Unicode or contains a NUL character',
        )
      }
      rest.push([path ? `${path}.${name}` : name, member])
    }
  }
}

export const BAD_TEXT = 'must be valid Unicode without NUL characters'

export const isBadText = (text: string): boolean => text.includes('\0') || !text.isWellFormed()
