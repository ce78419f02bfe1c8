import type { Repetition } from '../route.ts'
import type { CodeSample } from './code-samples.ts'

/** A request and its answer for each operation, recorded from a running service (test/support/api-story.ts). */
export type ApiExamples = Record<string, ApiExample>

export type ApiExample = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  answer?: unknown
}

/** The parts of an OpenAPI document that this folder completes. */
export type ApiDocument = {
  security?: object[]
  components?: { schemas?: Record<string, Schema>; [section: string]: object | undefined }
  paths?: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Record<string, Operation>>
}

export type Operation = {
  operationId?: string
  'x-idempotency'?: Repetition
  'x-codeSamples'?: CodeSample[]
  security?: object[]
  parameters?: { name: string; in: string; schema?: Schema; example?: unknown }[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Answer>
}

export type Content = Record<string, { schema: Schema; example?: unknown }>

export type Schema = { [keyword: string]: unknown }

export type Answer = { description: string; content?: Content }
