import type { Call, Called, GeneratedClient } from './client.ts'
import { generateTypescriptClient } from './generate-clients.ts'

type Options = {
  baseUrl: string
  headers: Record<string, string>
  path?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
}

type Result = { data?: unknown; error?: unknown; response?: Response }

export async function startTypescriptClient(): Promise<GeneratedClient> {
  const operations: Record<string, (options: Options) => Promise<Result>> = await import(
    await generateTypescriptClient()
  )
  const byName = new Map(Object.entries(operations).map(([name, operation]) => [wordOf(name), operation]))

  async function call({ operationId, baseUrl, credential, path, query, body }: Call): Promise<Called> {
    const operation = byName.get(wordOf(operationId))
    if (!operation) throw new Error(`there is no function for ${operationId}`)
    const { data, error, response } = await operation({
      baseUrl,
      headers: credential === '' ? {} : { Authorization: credential },
      ...(Object.keys(path).length > 0 && { path }),
      ...(Object.keys(query).length > 0 && { query: numbersIn(query) }),
      ...(body !== undefined && { body }),
    })
    if (!response) throw error
    if (error instanceof Error || (response.ok && error !== undefined)) throw error
    return { status: response.status, body: response.ok ? data : error }
  }

  return { name: 'TypeScript', call, end: () => {} }
}

const wordOf = (name: string): string => name.replaceAll(/\W/g, '').toLowerCase()

const NUMBERS = ['page', 'per_page', 'min_amount', 'max_amount']

const numbersIn = (query: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, NUMBERS.includes(name) ? Number(value) : value]),
  )
