/** What an owner can allow an application (specification.md 2.2): payments again and again, or one. */
export const SCOPES = ['check', 'single-use'] as const

export type Scope = (typeof SCOPES)[number]
