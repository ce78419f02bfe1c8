/** Selects what is due first on a platform, up to an instant, except items that failed recently. */
export type DueQuery = { platformId: string; until: Date; limit: number; except: string[] }
