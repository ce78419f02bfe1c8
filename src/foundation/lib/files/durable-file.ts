import { randomBytes } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates or replaces a file that only its owner can read. Readers see either the old or the new content, even after a power failure. A
 * link at the path is replaced, not followed.
 */
export async function replaceFile(path: string, content: string | Buffer): Promise<void> {
  const draft = draftOf(path)
  try {
    await writeNewFile(draft, content)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/** Returns a temporary name for a file. The content is written there, and the file is then renamed. */
export const draftOf = (path: string): string => `${path}.${randomBytes(4).toString('hex')}`

/** Writes a new file that only its owner can read and that survives a power failure. Fails if the file exists. */
export async function writeNewFile(path: string, content: string | Buffer): Promise<void> {
  await using file = await open(path, 'wx', 0o600)
  await file.chmod(0o600)
  await file.writeFile(content)
  await file.sync()
}

/** Makes the names in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}
