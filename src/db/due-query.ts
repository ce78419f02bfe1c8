/** Asks for what falls due first on a platform, up to an instant; without what has just failed. */
export type DueQuery = { platformId: string; until: Date; limit: number; except: string[] }
