import stringify from 'safe-stable-stringify'

/** Formats JSON with the members of every object sorted by name, so that equal values have equal texts. */
export const canonicalJson = (value: unknown): string => stringify(value) ?? 'null'
