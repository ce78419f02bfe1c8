import { existsSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder with the schemas of ISO 20022, which `npm run iso-schemas` fills. Git ignores it. */
export const ISO_SCHEMAS = fileURLToPath(new URL('../fixtures/iso-schemas', import.meta.url))

/** The reason why tests with schemas are skipped, or false if the schemas are there. */
export const withoutSchemas: string | false =
  existsSync(ISO_SCHEMAS) && readdirSync(ISO_SCHEMAS).length > 0
    ? false
    : 'the schemas of ISO 20022 are missing. Run "npm run iso-schemas"'
