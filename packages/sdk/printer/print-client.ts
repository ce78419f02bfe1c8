import { readFile } from 'node:fs/promises'
import type { ApiDocument } from './document.ts'
import { printResources } from './print-resources.ts'
import { printEventTypes, printTypes } from './print-types.ts'

const HEADER = '// Generated from openapi.json by "npm run generate". Do not edit.\n\n'

const readDocument = async (): Promise<ApiDocument> =>
  JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))

/** The types of the API, printed from openapi.json. */
export const typesFile = async (): Promise<string> => `${HEADER}${printTypes(await readDocument())}\n`

/** The types of webhook events as values, printed from openapi.json. */
export const eventTypesFile = async (): Promise<string> => `${HEADER}${printEventTypes(await readDocument())}\n`

/** The resources with a method for each operation, printed from openapi.json. */
export const resourcesFile = async (): Promise<string> => `${HEADER}${printResources(await readDocument())}\n`
