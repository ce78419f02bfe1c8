import { readFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'
import type { TSchema } from 'typebox'
import type { Route } from '../src/foundation/http/route.ts'

const HEADER = `// Generated from the schemas of the routes by "npm run generate". Do not edit.

`

/**
 * The types of the operations whose path is in `web/src/api.ts`, in TypeScript. `openapi.json` does not describe what only the
 * pages call.
 */
export async function operationTypes(routes: readonly Route[]): Promise<string> {
  const calls = await readFile(new URL('src/api.ts', import.meta.url), 'utf8')
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    if (calls.includes(`'${path}'`)) paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) }
  }
  const document = { openapi: '3.1.0', info: { title: 'Remit', version: '1' }, paths }
  // JSON drops the members of the schemas that are not part of JSON Schema.
  const nodes = await openapiTS(JSON.stringify(document, withoutTitle), { silent: true })
  return HEADER + astToString(nodes)
}

/** The types have no names: each is read where its call is. */
const withoutTitle = (name: string, member: unknown): unknown =>
  name === 'title' && typeof member === 'string' ? undefined : member

function operationOf({ spec }: Route): object {
  const { params, query, body, answer, status = 200 } = spec
  return {
    parameters: [...parametersIn('path', params), ...parametersIn('query', query)],
    ...(body && { requestBody: { required: true, content: jsonOf(body) } }),
    responses: { [status]: { description: 'Done', ...(answer && { content: jsonOf(answer) }) } },
  }
}

const jsonOf = (schema: TSchema) => ({ 'application/json': { schema } })

function parametersIn(place: 'path' | 'query', schema: TSchema | undefined): object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: object; required?: string[] }
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }))
}
