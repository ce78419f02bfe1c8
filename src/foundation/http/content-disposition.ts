import { encodeExtended } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { plainText } from '../lib/text/plain-text.ts'

/**
 * Returns the header for a file that the browser shows. It always contains both names, the first one quoted, because simple clients look
 * for `filename="`. The library's `create` omits names that RFC 6266 does not require.
 */
export const inlineFile = (filename: string): string => namedFile('inline', filename)

/** Prepares an answer whose body is a PDF that the browser shows. Returns the PDF. */
export function inlinePdf<Pdf>(reply: FastifyReply, filename: string, pdf: Pdf): Pdf {
  reply.type('application/pdf').header('content-disposition', inlineFile(filename))
  return pdf
}

/** Returns the header for a file that the browser saves. */
export const savedFile = (filename: string): string => namedFile('attachment', filename)

function namedFile(disposition: 'inline' | 'attachment', given: string): string {
  const filename = plainText(given)
  const ascii = filename.replace(/[^\w .()-]/g, '_')
  return `${disposition}; filename="${ascii}"; filename*=${encodeExtended(filename)}`
}
