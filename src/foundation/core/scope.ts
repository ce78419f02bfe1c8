/** Scopes that an owner can grant to an application (specification.md 2.2): any number of payments, or one. */
export const SCOPES = ['check', 'single-use'] as const

export type Scope = (typeof SCOPES)[number]
