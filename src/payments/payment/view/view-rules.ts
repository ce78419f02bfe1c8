export const MAX_VIEWS = 50
export const MAX_VIEW_NAME_LENGTH = 60

/** A saved view of the list of payments: filters with a name. */
export type View = { id: string; name: string; filters: object }

/** Returns the key by which view names are compared. Names that differ only in case and white space have the same key. */
export const viewNameKey = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()
