import { type ApiDocument, nameOf, type Schema } from './document.ts'
import { comment, printType } from './print-schema.ts'

/** Schemas that the core reads itself. */
const LEFT_OUT = ['Error', 'ErrorCode']

/** Prints the named schemas, the codes of errors, and the bodies of webhooks. */
export function printTypes({ components, webhooks }: ApiDocument): string {
  const schemas = Object.entries(components.schemas).filter(([name]) => !LEFT_OUT.includes(name))
  return [
    "import type { Upload } from '../core/operation.ts'",
    ...schemas.map(([name, schema]) => printNamed(name, schema)),
    printErrorCodes(components.schemas.ErrorCode as Schema),
    printWebhookBody(webhooks),
  ].join('\n\n')
}

function printNamed(name: string, schema: Schema): string {
  const type = printType(schema, { indent: '', isRequest: /(?:Request|Changes|File|Row)$/.test(name) })
  const head = type.startsWith('{') ? `export interface ${name} ` : `export type ${name} = `
  return `${comment([schema.description], '')}${head}${type}`
}

/** Prints the types of events as values too, for programs that show or choose them. */
export function printEventTypes({ components }: ApiDocument): string {
  const types = (components.schemas.EventType as Schema).enum ?? []
  const lines = types.map((type) => `  '${type}',`)
  return [
    "import type { EventType } from './types.ts'",
    `/** Every type of a webhook event. */\nexport const EVENT_TYPES = [\n${lines.join('\n')}\n] as const satisfies readonly EventType[]`,
  ].join('\n\n')
}

function printErrorCodes(schema: Schema): string {
  const codes = Object.entries(schema['x-enumDescriptions'] ?? {})
  const lines = codes.map(([code, message]) => `- \`${code}\`: ${message}`)
  const about = 'The codes of errors, with their status and message. A newer service can have more.'
  return `${comment([about, lines.join('\n')], '')}export type ErrorCode =\n${codes.map(([code]) => `  | '${code}'`).join('\n')}\n  | (string & {})`
}

function printWebhookBody(webhooks: ApiDocument['webhooks']): string {
  const bodies = Object.values(webhooks).map(({ post }) => post?.requestBody?.content['application/json']?.schema.$ref)
  return `/** The body of a webhook. \`type\` says which one it is. */\nexport type WebhookBody =\n${bodies.map((ref) => `  | ${nameOf(ref as string)}`).join('\n')}`
}
