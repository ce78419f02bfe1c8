/** A state machine: each event with the states it may leave and the one it leads to. */
export type Transitions<Status extends string> = Readonly<
  Record<string, { readonly from: readonly Status[]; readonly to: Status }>
>

/** The state an event leads to from `status`, or null where the table has no such row. */
export function nextStatus<Status extends string, Table extends Transitions<Status>>(
  table: Table,
  event: keyof Table & string,
  status: Status,
): Status | null {
  const transition = table[event] as Transitions<Status>[string]
  return transition.from.includes(status) ? transition.to : null
}
