/** Returns the name of a key, or its first digits if it has none. */
export const keyName = ({ id, name }: { id: string; name: string | null }): string => name ?? `Key ${id.slice(0, 8)}…`
