import { readFileSync } from 'node:fs'
import type { ApiExamples } from '../../foundation/http/reference/document-types.ts'

/** The requests and answers that `npm run generate` recorded from a running service (test/support/api-story.ts), for the API reference. */
export const readApiExamples = (): ApiExamples =>
  JSON.parse(readFileSync(new URL('../../../docs/api-examples.json', import.meta.url), 'utf8'))
