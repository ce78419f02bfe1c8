const ends: (() => Promise<unknown>)[] = []

/** Notes what has to end with this process and not with a file, such as a browser that several files use. */
export const atProcessEnd = (end: () => Promise<unknown>): void => void ends.push(end)

/** Called once, after the last file. */
export async function endProcess(): Promise<void> {
  await Promise.all(ends.map((end) => end()))
}
