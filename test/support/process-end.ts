const ends: (() => Promise<unknown>)[] = []

/**
 * Registers cleanup for the end of this process, not of a test file, such as closing a browser that several files use.
 */
export const atProcessEnd = (end: () => Promise<unknown>): void => void ends.push(end)

/** Called once, after the last file. */
export async function endProcess(): Promise<void> {
  await Promise.all(ends.map((end) => end()))
}
