/** A state machine: each event with the states it may leave and the one it leads to. */
export type Transitions<Status extends string> = Readonly<
  Record<string, { readonly from: readonly Status[]; readonly to: Status }>
>
