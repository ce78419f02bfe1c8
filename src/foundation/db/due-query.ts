/**
 * A query for the work that is due first on a platform, up to an instant. `except`: items that failed recently. `isBankHeld`: whether to
 * leave out work that relies on the bank's silence.
 */
export type DueQuery = { platformId: string; until: Date; limit: number; except: string[]; isBankHeld: boolean }
