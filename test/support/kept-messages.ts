import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Stores a message that Remit wrote in a test, for `npm run foreign-orders -- FOLDER`, if TEST_MESSAGES names a folder.
 * @returns the message
 */
export function keepMessage(xml: string): string {
  const folder = process.env.TEST_MESSAGES
  if (folder) {
    const [name = 'unknown'] = /(?<=tech:xsd:)[a-z.0-9]+/.exec(xml) ?? []
    writeFileSync(join(folder, `${name}-${createHash('sha256').update(xml).digest('hex').slice(0, 16)}.xml`), xml)
  }
  return xml
}
