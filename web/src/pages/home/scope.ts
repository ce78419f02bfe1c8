/** Whose numbers Home shows: those of the platform, or of the owner's own account. */
export type Scope = { scope?: 'own' | undefined }

export const readScope = (search: Record<string, unknown>): Scope => ({
  scope: search.scope === 'own' ? 'own' : undefined,
})
