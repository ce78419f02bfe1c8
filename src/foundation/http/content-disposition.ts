import { encodeExtended } from 'content-disposition'
import { plainText } from '../lib/text/plain-text.ts'

/**
 * The header of a file that the browser shows. It always has both names, the first one quoted: `create` of the library leaves out
 * what RFC 6266 does not require, and simple clients look for `filename="`.
 */
export const inlineFile = (filename: string): string => namedFile('inline', filename)

/** The header of a file that the browser saves. */
export const savedFile = (filename: string): string => namedFile('attachment', filename)

function namedFile(disposition: 'inline' | 'attachment', given: string): string {
  const filename = plainText(given)
  const ascii = filename.replace(/[^\w .()-]/g, '_')
  return `${disposition}; filename="${ascii}"; filename*=${encodeExtended(filename)}`
}
