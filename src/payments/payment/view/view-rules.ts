export const MAX_VIEWS = 50
export const MAX_VIEW_NAME_LENGTH = 60

/** A saved view of the list of payments: filters with a name. */
export type View = { id: string; name: string; filters: object }

/** Names that differ only in case and white space are the same. */
export const viewNameKey = (name: string): string => name.trim().replace(/\s+/g, ' ').toLowerCase()
