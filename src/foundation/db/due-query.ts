/**
 * Selects what is due first on a platform, up to an instant, except items that failed recently. `isBankHeld`: what relies on the bank's
 * silence waits.
 */
export type DueQuery = { platformId: string; until: Date; limit: number; except: string[]; isBankHeld: boolean }
