import type { Transitions } from '../../src/foundation/lib/transitions.ts'

/** Returns the state that an event leads to from `status`, or null if the table does not allow it. */
export function nextStatus<Status extends string, Table extends Transitions<Status>>(
  table: Table,
  event: keyof Table & string,
  status: Status,
): Status | null {
  const transition = table[event] as Transitions<Status>[string]
  return transition.from.includes(status) ? transition.to : null
}
