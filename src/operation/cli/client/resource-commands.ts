import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import type { CommandFlags } from '../command-flags.ts'
import { callApi, requireWholeNumber } from './api-command.ts'
import { type Item, printItem, printItems, printNote } from './list-printer.ts'
import { type Resource, type ResourceName, resourceTable } from './resource-table.ts'

/** The allowed page sizes. */
const PAGE_SIZES = [10, 25, 50, 100, 250] as const
const LARGEST_PAGE = 250
const DEFAULT_LIMIT = 25
const MAX_LIMIT = 1_000_000

/** Runs `remit payments list` or `remit payments get ID`, for each noun of the table. */
export function runResource(name: ResourceName, flags: CommandFlags, [action, id = '']: string[]): Promise<number> {
  const resource: Resource = resourceTable[name]
  return action === 'get' ? runGet(resource, flags, id) : runList(resource, flags)
}

const runGet = (resource: Resource, flags: CommandFlags, id: string): Promise<number> =>
  callApi(flags, async (remit) => printItem(await resource.get(remit, id), { isJson: flags.json === true }))

function runList({ filters, list, columns: usual }: Resource, flags: CommandFlags): Promise<number> {
  const limit = limitOf(flags)
  const columns = flags.columns?.split(',').map((column) => column.trim()) ?? usual
  if (columns.includes('')) throw new StartProblem('--columns must be names with commas between them.')
  const given = filters.flatMap(({ option, query }) => {
    const value = (flags as Record<string, string | undefined>)[option.attributeName()]
    return value === undefined ? [] : [[query, value] as const]
  })
  const perPage = PAGE_SIZES.find((size) => size >= limit) ?? LARGEST_PAGE
  return callApi(flags, async (remit) => {
    const items = list(remit, { ...Object.fromEntries(given), per_page: perPage })
    let hasMore = false
    async function* limited(): AsyncGenerator<Item> {
      let count = 0
      for await (const item of items) {
        hasMore = count++ === limit
        if (hasMore) return
        yield item as Item
      }
    }
    const count = await printItems(limited(), { columns, isJson: flags.json === true })
    if (count === 0) printNote('Nothing found.')
    if (hasMore) printNote(`There are more than these ${count}. Use --limit or --all.`)
  })
}

function limitOf({ limit, all }: CommandFlags): number {
  if (all && limit !== undefined) throw new StartProblem('Use either --limit or --all.')
  if (all) return Number.POSITIVE_INFINITY
  return limit === undefined ? DEFAULT_LIMIT : requireWholeNumber('--limit', limit, MAX_LIMIT)
}
