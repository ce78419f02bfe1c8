import type { Api } from '../../../../test/support/api.ts'
import type { Through } from '../../../../test/support/api-story.ts'
import { findCall } from '../../../../test/support/documented.ts'
import { resourceTable } from '../../printer/resource-table.ts'
import { type ApiPromise, List, Remit } from '../../src/index.ts'

type Call = (...given: unknown[]) => ApiPromise<unknown> | List<unknown, unknown>

/** The methods of operations, by the names of the operations. */
const methods = new Map(
  Object.entries(resourceTable).flatMap(([resource, { methods }]) =>
    Object.entries(methods).map(([method, entry]) => {
      const { operation, field } = typeof entry === 'string' ? { operation: entry, field: null } : entry
      return [operation, { resource, method, field }] as const
    }),
  ),
)

/** The client of the API story, played by the SDK. `met` gets the operations that it calls. */
export const throughSdk =
  (met: Set<string>): Through =>
  (api, baseUrl) => {
    const remit = clientOf(api, baseUrl)
    const send = (method: string) => async (path: string, body?: unknown) => {
      const { operationId, params, query } = findCall(method, path)
      met.add(operationId)
      const found = methods.get(operationId)
      if (!found) throw new Error(`the SDK has no method for ${operationId}`)
      const resource = remit[found.resource as keyof Remit] as unknown as Record<string, Call>
      const given = found.field ? (body as Record<string, unknown>)[found.field] : body
      const call = resource[found.method] as Call
      const hasQuery = Object.keys(query).length > 0
      const args = [...Object.values(params), ...(given === undefined ? [] : [given]), ...(hasQuery ? [query] : [])]
      return answerOf(call.call(resource, ...args))
    }
    const [get, del] = [send('GET'), send('DELETE')]
    return { ...api, get: (path) => get(path), post: send('POST'), put: send('PUT'), del: (path) => del(path) }
  }

function clientOf({ credential }: Api, baseUrl: string): Remit {
  const [key, secret] = credential.split(':') as [string, string]
  return new Remit({ baseUrl, key, secret, retries: 0 })
}

async function answerOf(result: ReturnType<Call>) {
  const { data, response } = result instanceof List ? await firstPage(result) : await result.withResponse()
  const body = data === undefined || data instanceof Blob ? null : data
  return { status: response.status, headers: response.headers, body, text: JSON.stringify(body) }
}

async function firstPage(list: List<unknown, unknown>) {
  const { body, response } = await list
  return { data: body, response }
}
