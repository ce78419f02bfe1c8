/** The scopes that an owner can grant to an application (specification.md 2.2). `check` allows any number of payments, `single-use` one. */
export const SCOPES = ['check', 'single-use'] as const

export type Scope = (typeof SCOPES)[number]
