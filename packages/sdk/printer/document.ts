/** The parts of openapi.json that the client is printed from. */
export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: (string | number | boolean | null)[]
  description?: string
  format?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  anyOf?: Schema[]
  'x-enumDescriptions'?: Record<string, string>
}

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }

type Content = Record<string, { schema: Schema }>

export type Response = { content?: Content }

export type ApiOperation = {
  operationId: string
  summary: string
  description: string
  'x-idempotency': 'read' | 'repeatable' | 'key' | 'none'
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, Response | { $ref: string }>
}

export type ApiDocument = {
  paths: Record<string, Record<string, ApiOperation>>
  webhooks: Record<string, Record<string, Pick<ApiOperation, 'requestBody'>>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    responses: Record<string, Response>
  }
}

/** Returns the parameter or response that a reference names. */
export function resolve<Part extends object>(part: Part | { $ref: string }, components: Record<string, Part>): Part {
  return '$ref' in part ? (components[nameOf(part.$ref as string)] as Part) : part
}

/** `#/components/schemas/Bank` → `Bank` */
export const nameOf = (reference: string): string => reference.split('/').at(-1) as string
