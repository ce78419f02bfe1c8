import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError, fieldError } from '../core/errors.ts'

/** Accepts only JSON. An empty body counts as no body for any content type, because clients send one on DELETE. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    const encoding = request.headers['content-encoding'] ?? 'identity'
    if (encoding !== 'identity') {
      throw fieldError('unsupported_media_type', 'content-encoding', 'is not supported. Send the body uncompressed')
    }
    return body.length === 0 ? undefined : parseJson(body)
  })
}

function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) throw new ApiError('malformed_json')
  const text = body.toString()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ApiError('malformed_json')
  }
  if (MAY_HOLD_BAD_TEXT.test(text)) refuseBadText(value)
  return value
}

// Valid JSON contains both only as escapes: a raw NUL is not JSON, and a raw surrogate is not UTF-8.
const MAY_HOLD_BAD_TEXT = /\\u(?:0000|d[89a-f])/i

/** PostgreSQL stores neither NUL nor lone surrogates. Without recursion, because the body may be deeply nested. */
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
