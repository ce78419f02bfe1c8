import stringify from 'safe-stable-stringify'

/** JSON with the members of every object sorted by name, so that equal values give equal text. */
export const canonicalJson = (value: unknown): string => stringify(value) ?? 'null'
