/** A state machine: for each event, the states it is allowed in and the state it leads to. */
export type Transitions<Status extends string> = Readonly<
  Record<string, { readonly from: readonly Status[]; readonly to: Status }>
>
