import { plainText } from '../lib/text/plain-text.ts'

/** RFC 6266: the name for every client, and the whole name for those that read `filename*`. */
export function inlineFile(given: string): string {
  const filename = plainText(given)
  const ascii = filename.replace(/[^\w .()-]/g, '_')
  return `inline; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(filename)}`
}
