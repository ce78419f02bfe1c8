import { z } from 'zod'
import type { Remit } from '../../sdk/src/index.ts'
import type { ApiDocument } from './api-document.ts'

/** The dependencies of the tools. */
export type Context = {
  remit: Remit
  baseUrl: string
  /** Reads `openapi.json` of the service, once. */
  document(): Promise<ApiDocument>
}

/** `read` changes nothing. `draft` prepares an object that a person releases in Remit. */
export type ToolKind = 'read' | 'draft'

export type Tool = {
  name: string
  title: string
  description: string
  kind: ToolKind
  input: z.ZodObject
  run(context: Context, args: Record<string, unknown>): Promise<unknown>
}

/** Describes a tool. Its arguments are checked before it runs, and others are refused. */
export function defineTool<Shape extends z.ZodRawShape>(tool: {
  name: string
  title: string
  description: string
  kind?: ToolKind
  input: Shape
  run(context: Context, args: z.output<z.ZodObject<Shape>>): Promise<unknown>
}): Tool {
  return { kind: 'read', ...tool, input: z.strictObject(tool.input), run: tool.run as Tool['run'] }
}

export const id = z.string().regex(/^[0-9a-f]{32}$/, 'an id of 32 lower-case hex digits')
export const date = z.string().regex(/^\d{4}-\d\d-\d\d$/, 'a date, as YYYY-MM-DD (UTC)')
export const limit = z.number().int().min(1).max(50).default(20).describe('the most that are returned')

/** Returns the given members of a query. */
export const given = (query: Record<string, unknown>): Record<string, string | number> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as Record<string, string>

type Listed<Item> = { toArray(options: { limit: number }): Promise<Item[]> }

/** Reads the first items of a list, and whether there are more. */
export async function firstOf<Item>(list: Listed<Item>, count: number): Promise<{ items: Item[]; has_more: boolean }> {
  const items = await list.toArray({ limit: count + 1 })
  return { items: items.slice(0, count), has_more: items.length > count }
}

/** The page size of the API that holds `count` items and one more. */
export const pageSize = (count: number): number => [10, 25, 50, 100].find((size) => size > count) ?? 100
