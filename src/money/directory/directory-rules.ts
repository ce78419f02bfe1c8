/** The sort orders of saved payees. */
export const directorySorts = { NAME: 'text', DATE: 'timestamptz' } as const

export type DirectorySort = keyof typeof directorySorts

/** The page sizes of the list of saved payees. */
export const DIRECTORY_PER_PAGE = [10, 25, 50] as const

export const MAX_ACCOUNTS_OF_ENTRY = 50

/** Pages warn about a payee that changed within this number of days, because thieves change accounts shortly before a payment. */
export const RECENT_DAYS = 7

/** The parts of a postal address, in the order of answers. */
export const ADDRESS_PARTS = ['line_1', 'line_2', 'city', 'state', 'zip', 'country'] as const

export type EntryAddress = Partial<Record<(typeof ADDRESS_PARTS)[number], string>>

/** An address in a request. Null parts are unset, as in answers. */
export type GivenAddress = { [Part in keyof EntryAddress]: EntryAddress[Part] | null }
