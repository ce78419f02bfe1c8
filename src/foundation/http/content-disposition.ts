import { encodeExtended } from 'content-disposition'
import type { FastifyReply } from 'fastify'
import { plainText } from '../lib/text/plain-text.ts'

/**
 * The header of a file that the browser shows. It always has both names, the first one quoted: `create` of the library leaves out
 * what RFC 6266 does not require, and simple clients look for `filename="`.
 */
export const inlineFile = (filename: string): string => namedFile('inline', filename)

/** The body of an answer that is a PDF, which the browser shows. */
export function inlinePdf<Pdf>(reply: FastifyReply, filename: string, pdf: Pdf): Pdf {
  reply.type('application/pdf').header('content-disposition', inlineFile(filename))
  return pdf
}

/** The header of a file that the browser saves. */
export const savedFile = (filename: string): string => namedFile('attachment', filename)

function namedFile(disposition: 'inline' | 'attachment', given: string): string {
  const filename = plainText(given)
  const ascii = filename.replace(/[^\w .()-]/g, '_')
  return `${disposition}; filename="${ascii}"; filename*=${encodeExtended(filename)}`
}
