/** A key without a name is known by its first digits. */
export const keyName = ({ id, name }: { id: string; name: string | null }): string => name ?? `Key ${id.slice(0, 8)}…`
