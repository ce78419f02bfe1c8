import { z } from 'zod'
import { type FoundOperation, operationsOf, resolved } from '../api-document.ts'
import { ToolError } from '../result.ts'
import { type Context, defineTool, type Tool } from '../tool.ts'

const operationId = z
  .string()
  .regex(/^\w{1,80}$/)
  .describe('the operation_id that search_operations returns')

export const operationTools: readonly Tool[] = [
  defineTool({
    name: 'search_operations',
    title: 'Search the API',
    description: 'Searches the operations of the API by words. Use it when no other tool fits.',
    input: { words: z.string().min(1).max(200) },
    run: async ({ document }, { words }) => {
      const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
      const scored = operationsOf(await document())
        .map((operation) => ({ operation, score: scoreOf(operation, wanted) }))
        .filter(({ score }) => score > 0)
      const best = scored.toSorted((a, b) => b.score - a.score).slice(0, 10)
      return { operations: best.map(({ operation }) => shortOf(operation)) }
    },
  }),

  defineTool({
    name: 'describe_operation',
    title: 'Describe an operation',
    description: 'Describes the parameters, the body and the answer of one operation of the API.',
    input: { operation_id: operationId },
    run: async (context, { operation_id }) => {
      const operation = await findOperation(context, operation_id)
      const { description, parameters = [], requestBody, responses } = operation
      const answer = responses['200'] ?? responses['201'] ?? responses['204']
      const parts = { parameters, body: requestBody ?? null, answer: answer ?? null }
      return { ...shortOf(operation), description, ...(resolved(await context.document(), parts) as object) }
    },
  }),

  defineTool({
    name: 'call_operation',
    title: 'Call a reading operation',
    description: 'Calls an operation that only reads (GET) and answers JSON. Other operations are refused.',
    input: {
      operation_id: operationId,
      path_parameters: z.record(z.string(), z.string()).default({}),
      query: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
    },
    run: async (context, { operation_id, path_parameters, query }) => {
      const { method, path, responses } = await findOperation(context, operation_id)
      if (method !== 'GET') throw new ToolError(`${operation_id} changes something, so this tool does not call it.`)
      const answer = JSON.stringify(resolved(await context.document(), responses['200'] ?? {}))
      if (!answer.includes('"application/json"')) throw new ToolError(`${operation_id} answers a file, not JSON.`)
      return context.remit.request('GET', path, { params: path_parameters, query })
    },
  }),
]

/** @throws ToolError */
export async function findOperation({ document }: Context, name: string): Promise<FoundOperation> {
  const found = operationsOf(await document()).find((operation) => operation.operationId === name)
  if (found) return found
  throw new ToolError(`There is no operation ${name}. Use search_operations.`)
}

const shortOf = ({ operationId: name, method, path, summary }: FoundOperation) => ({
  operation_id: name,
  method,
  path,
  summary,
})

/** A word in the name or the summary counts more than one in the description. */
function scoreOf({ operationId: name, path, summary, description = '', tags = [] }: FoundOperation, words: string[]) {
  const [near, far] = [`${name} ${path} ${summary} ${tags.join(' ')}`.toLowerCase(), description.toLowerCase()]
  return words.reduce((score, word) => score + (near.includes(word) ? 3 : 0) + (far.includes(word) ? 1 : 0), 0)
}
