import { execFileSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { glob, lstat, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Folders that a test run keeps for the next runs: templates of databases, compiled code, Chromium. A name contains a digest of
// everything that the folder is made from. A folder is never changed, only replaced. Several runs can start at the same time.

/** Readable only by this user, because the templates contain the passwords of test servers. */
const place = join(tmpdir(), `remit-test-kept-${process.geteuid?.() ?? 'user'}`)

/**
 * The number of folders of a kind that remain, in addition to those that another run may still use. Several clones of
 * the repository share them.
 */
const MAX_PER_KIND = 6
const HOUR_MS = 3_600_000
/** Longer than a run. A folder is marked as used when a run starts. */
const IN_USE_MS = 4 * HOUR_MS

/** @returns the kept folder, or null */
export async function findKept(name: string): Promise<string | null> {
  const path = join(await openPlace(), name)
  const now = new Date()
  return utimes(path, now, now).then(
    () => path, // removed last
    () => null,
  )
}

/** Copies a kept folder. @returns false if there is none */
export async function copyKept(name: string, folder: string): Promise<boolean> {
  const kept = await findKept(name)
  if (!kept) return false
  try {
    copyFolder(kept, folder)
    return true
  } catch {
    await rm(folder, { recursive: true, force: true }) // another run has just removed it
    return false
  }
}

/** Keeps a copy of a folder, unless another run kept one under this name before. */
export async function keep(name: string, folder: string, { replaces = false } = {}): Promise<void> {
  const draft = await newDraft()
  copyFolder(folder, draft)
  if (replaces) await rename(join(place, name), await newDraft()).catch(() => {}) // nothing is stored yet
  await publish(name, draft)
}

/** Creates a folder, or uses the stored one. `make` must not depend on the path. */
export async function keepMade(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const kept = await findKept(name)
  if (kept) return kept
  const draft = await newDraft()
  await mkdir(draft)
  await make(draft)
  return publish(name, draft)
}

/** A digest of texts and of the contents of files, by glob patterns. */
export async function digestOf(given: { texts?: string[]; files: string[] }): Promise<string> {
  const paths = (await Array.fromAsync(glob(given.files, { exclude: ['**/node_modules/**', '**/*.test.ts'] }))).sort()
  const hash = createHash('sha256')
  for (const text of given.texts ?? []) hash.update(`${text}\0`)
  for (const path of paths) if ((await stat(path)).isFile()) hash.update(`${path}\0`).update(await readFile(path))
  return hash.digest('hex').slice(0, 16)
}

const newDraft = async () => join(await openPlace(), `draft-${randomBytes(6).toString('hex')}`)

async function publish(name: string, draft: string): Promise<string> {
  const path = join(place, name)
  try {
    await rename(draft, path)
  } catch {
    await rm(draft, { recursive: true, force: true }) // another run was faster
  }
  await removeStale()
  return path
}

async function openPlace(): Promise<string> {
  await mkdir(place, { mode: 0o700, recursive: true })
  const { uid, mode } = await lstat(place)
  if (uid !== (process.geteuid?.() ?? uid) || (mode & 0o077) !== 0)
    throw new Error(`${place} is not a folder of this user alone: remove it`)
  return place
}

/** Copies with owners and modes, because root runs PostgreSQL as another user. */
const copyFolder = (from: string, to: string) => execFileSync('cp', ['-a', from, to], { stdio: 'pipe' })

async function removeStale(): Promise<void> {
  const names = await readdir(place)
  const found = await Promise.all(names.map(async (name) => ({ name, usedAt: await usedAt(join(place, name)) })))
  for (const kind of Map.groupBy(found, ({ name }) => name.split('-', 1)[0] as string).values()) {
    const newest = kind.sort((one, other) => other.usedAt - one.usedAt)
    const stale = newest.filter(({ name, usedAt }, index) =>
      name.startsWith('draft-')
        ? usedAt < Date.now() - HOUR_MS
        : index >= MAX_PER_KIND && usedAt < Date.now() - IN_USE_MS,
    )
    for (const { name } of stale) await rm(join(place, name), { recursive: true, force: true })
  }
}

const usedAt = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
