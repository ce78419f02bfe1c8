/** A state machine: for each event, the states that allow it and the state that follows. */
export type Transitions<Status extends string> = Readonly<
  Record<string, { readonly from: readonly Status[]; readonly to: Status }>
>
