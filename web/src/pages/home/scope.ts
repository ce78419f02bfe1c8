/** The scope of the numbers of Home: the whole platform, or the owner's own account. */
export type Scope = { scope?: 'own' | undefined }

export const readScope = (search: Record<string, unknown>): Scope => ({
  scope: search.scope === 'own' ? 'own' : undefined,
})
