import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makePrivateFolder, writePrivateFile } from '../lib/files.ts'

/** Where files for the bank lie, and files of the bank; below the folder of the settings. */
const FOLDERS = ['outbound', 'outbound/sent', 'inbound', 'inbound/done', 'inbound/set-aside'] as const
type Folder = (typeof FOLDERS)[number]

/** @throws StartProblem */
export async function makeAchFolders(root: string): Promise<void> {
  for (const folder of FOLDERS) await makePrivateFolder(join(root, folder))
}

/** What a file is called while it is written: uploaders leave names with a dot in front alone. */
const temporaryNameOf = (name: string) => `.${name}.part`

/**
 * Whether a file is there, whole: in outbound/, or where an uploader moved it.
 *
 * @throws Error when one of its name has other content: the folder belongs to another database, or to an older state of it
 */
export async function isInOutbound(root: string, name: string, content: string | Buffer): Promise<boolean> {
  // In this order: an uploader that moves it meanwhile cannot hide it.
  for (const folder of ['outbound', 'outbound/sent'] satisfies Folder[]) {
    const found = await readFile(join(root, folder, name)).catch(ignoreMissing)
    if (found === null) continue
    if (!found.equals(Buffer.from(content)))
      throw new Error(`${folder}/${name} is there already, and has other content`)
    return true
  }
  return false
}

/** Writes what will be a file of outbound/, on the disk for good and under a name that no uploader takes. */
export async function prepareOutbound(root: string, name: string, content: string | Buffer): Promise<void> {
  const path = join(root, 'outbound', temporaryNameOf(name))
  await rm(path, { force: true }) // of a process that was killed
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Gives a prepared file its name. */
export async function publishOutbound(root: string, name: string): Promise<void> {
  const folder = join(root, 'outbound')
  await rename(join(folder, temporaryNameOf(name)), join(folder, name))
  await syncFolder(folder)
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** A file that changes still is being uploaded. */
const QUIET_MS = 5_000

export type Inbound = { name: string; byteCount: number }

/** What a file of the bank is about: its name says whether it lists paid checks. */
export type InboundKind = 'ach' | 'paid checks'
const kindOfInbound = (name: string): InboundKind => (/^paid-.*\.csv$/i.test(name) ? 'paid checks' : 'ach')

/** The files in inbound/ that are whole, as far as one can tell from outside: they have not changed for a while. */
export async function listInbound(
  root: string,
  { kind, realNow, limit }: { kind: InboundKind; realNow: Date; limit: number },
): Promise<Inbound[]> {
  const all = (await readdir(join(root, 'inbound'))).filter((name) => !name.startsWith('.')).sort()
  const names = all.filter((name) => kindOfInbound(name) === kind)
  const files: Inbound[] = []
  for (const name of names) {
    const stats = await lstat(join(root, 'inbound', name)).catch(() => null) // gone meanwhile
    if (!stats?.isFile() || realNow.getTime() - stats.mtimeMs < QUIET_MS) continue
    files.push({ name, byteCount: stats.size })
    if (files.length === limit) break
  }
  return files
}

/** Null when it is gone: another worker was faster. */
export const readInboundBytes = (root: string, name: string): Promise<Buffer | null> =>
  readFile(join(root, 'inbound', name)).catch(ignoreMissing)

/** Moves a file out of inbound/. Another one of its name stays as it is: `mark` tells them apart. */
export async function moveInbound(
  root: string,
  name: string,
  { to, mark }: { to: 'done' | 'set-aside'; mark: string },
): Promise<void> {
  const target = join(root, 'inbound', to, shortName(name, mark))
  const isTaken = (await lstat(target).catch(() => null)) !== null
  // It may be moved by another worker, or was before a crash.
  await rename(join(root, 'inbound', name), isTaken ? `${target}.${mark}` : target).catch(ignoreMissing)
}

/** @throws StartProblem */
export const writeReport = (root: string, name: string, { report, mark }: { report: string; mark: string }) =>
  writePrivateFile(join(root, 'inbound', 'set-aside', `${shortName(name, mark)}.${mark}.report.txt`), report)

/** Names have at most 255 bytes, and something is added to them. */
const shortName = (name: string, mark: string) => (Buffer.byteLength(name) > 180 ? mark : name)

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
