/**
 * The content of the page: an account, a day of it, and lines that match a search. `show`: undefined for lines that
 * wait.
 */
export type StatementSearch = {
  account?: string | undefined
  day?: string | undefined
  q?: string | undefined
  show?: 'decided' | undefined
}

/** Reads the address of the page and drops invalid values. */
export function readStatementSearch(search: Record<string, unknown>): StatementSearch {
  const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value) // the router reads digits
  const fitting = (value: unknown, pattern: RegExp) => {
    const text = textOf(value)
    return typeof text === 'string' && pattern.test(text) ? text : undefined
  }
  return {
    account: fitting(search.account, /^[a-z0-9-]{1,64}:[\w-]{1,64}$/),
    day: fitting(search.day, /^\d{4}-\d\d-\d\d$/),
    q: fitting(search.q, /^.{1,100}$/),
    show: search.show === 'decided' ? 'decided' : undefined,
  }
}
