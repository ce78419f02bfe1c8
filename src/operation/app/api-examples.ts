import { readFileSync } from 'node:fs'
import type { ApiExamples } from '../../foundation/http/reference/document-types.ts'

/**
 * Reads the requests and answers for the API reference, which `npm run generate` recorded from a running service
 * (test/support/api-story.ts).
 */
export const readApiExamples = (): ApiExamples =>
  JSON.parse(readFileSync(new URL('../../../docs/api-examples.json', import.meta.url), 'utf8'))
