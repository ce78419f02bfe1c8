import { createReadStream, existsSync, renameSync, rmSync } from 'node:fs'
import { access, constants, lstat, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { syncFolder, writeNewFile } from '../../foundation/lib/files/durable-file.ts'
import { createPrivateFolder, writePrivateFile } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type InboundKind, kindOfInbound, type NamingConnection } from './bank-file-rules.ts'

/** The folders for files to and from the bank, inside the configured folder. */
const FOLDERS = [
  'outbound',
  'outbound/sent',
  'outbound/canceled',
  'inbound',
  'inbound/done',
  'inbound/set-aside',
] as const
type Folder = (typeof FOLDERS)[number]

/** Creates the folders that are missing. @throws StartProblem if one of them cannot be created, read or written */
export async function makeExchangeFolders(root: string): Promise<void> {
  const paths = FOLDERS.map((folder) => join(root, folder))
  // Every pass opens the exchange, and nearly always all folders are there.
  const isComplete = await Promise.all(paths.map(requireUse)).then(
    () => true,
    () => false,
  )
  if (isComplete) return
  for (const path of paths) {
    await createPrivateFolder(path)
    await requireUse(path).catch(({ code }: NodeJS.ErrnoException) => {
      throw new StartProblem(`${path} cannot be read and written: ${code}`)
    })
  }
}

/** Rejects if a path is not a folder that this process can read and write. */
const requireUse = (path: string): Promise<void> => access(`${path}/`, constants.R_OK | constants.W_OK | constants.X_OK)

/** Returns the name of a file in outbound/ that must not be sent yet. Uploaders ignore names that begin with a dot. */
const temporaryNameOf = (name: string) => `.${name}.part`

const temporaryPath = (root: string, name: string) => join(root, 'outbound', temporaryNameOf(name))

/**
 * Returns whether a complete file is in outbound/, or in a folder to which an uploader moved it.
 *
 * @throws Error if a file of this name has other content, because the folder then belongs to another database or to an older state of this
 * one
 */
export async function isInOutbound(root: string, name: string, content: string | Buffer): Promise<boolean> {
  // The folders are checked in this order, so that a file is found even if an uploader moves it at the same time.
  for (const folder of ['outbound', 'outbound/sent'] satisfies Folder[]) {
    const found = await readFile(join(root, folder, name)).catch(ignoreMissing)
    if (found === null) continue
    if (!found.equals(Buffer.from(content))) throw new Error(`${folder}/${name} already exists with other content`)
    return true
  }
  return false
}

/** Writes a file for outbound/ durably, under a name that uploaders ignore. */
export async function prepareOutbound(root: string, name: string, content: string | Buffer): Promise<void> {
  const path = temporaryPath(root, name)
  await rm(path, { force: true }) // a process that was killed may have left one
  await writeNewFile(path, content)
}

/** Returns whether all parts of a file are in the folder. Counts prepared parts that do not have their final name yet. */
export async function isInFolder(root: string, names: readonly string[]): Promise<boolean> {
  const isSomewhere = async (name: string) =>
    (await isThere(root, 'outbound', temporaryNameOf(name))) ||
    (await isThere(root, 'outbound', name)) ||
    (await isThere(root, 'outbound/sent', name)) ||
    (await isThere(root, 'outbound/canceled', name))
  return (await Promise.all(names.map(isSomewhere))).every(Boolean)
}

/** Gives a prepared file its final name. */
export async function publishOutbound(root: string, name: string): Promise<void> {
  await rename(temporaryPath(root, name), join(root, 'outbound', name))
  await syncFolder(join(root, 'outbound'))
}

/**
 * Gives the parts of a file their final names, if they were prepared to be sent again, or withdrawn by a process that stopped before its
 * commit. Removes a first copy from outbound/sent/, because a copy there means that the job has taken this one.
 */
export async function publishPrepared(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if (!(await isThere(root, 'outbound', temporaryNameOf(name)))) continue
    await rm(join(root, 'outbound/sent', name), { force: true })
    await syncFolder(join(root, 'outbound/sent'))
    await publishOutbound(root, name)
  }
}

/** Returns `sent` if the transfer job has all parts, `canceled` if any part is in outbound/canceled/, and otherwise null. */
export async function findPlace(root: string, names: readonly string[]): Promise<'sent' | 'canceled' | null> {
  const areIn = (folder: Folder) => Promise.all(names.map((name) => isThere(root, folder, name)))
  if ((await areIn('outbound/sent')).every(Boolean)) return 'sent'
  return (await areIn('outbound/canceled')).some(Boolean) ? 'canceled' : null
}

/**
 * Removes a file from outbound/: all parts or none. A file that was never `published` may be missing.
 *
 * @returns false if a part is missing, because the transfer job may have taken it
 */
export async function cancelOutbound(
  root: string,
  { names, isPublished }: { names: readonly string[]; isPublished: boolean },
): Promise<boolean> {
  for (const name of names) {
    if (await move(root, name, { from: 'outbound', to: 'outbound/canceled' })) continue
    if (await isCanceledOrNew(root, name, isPublished)) continue
    for (const other of names) await move(root, other, { from: 'outbound/canceled', to: 'outbound' })
    return false
  }
  await syncFolder(join(root, 'outbound'))
  await syncFolder(join(root, 'outbound/canceled'))
  return true
}

const isCanceledOrNew = async (root: string, name: string, isPublished: boolean): Promise<boolean> =>
  (await isThere(root, 'outbound/canceled', name)) || (!isPublished && !(await isThere(root, 'outbound/sent', name)))

/** Hides the parts of a file in outbound/ from uploaders. @returns the names of the parts that were there */
export async function withdrawOutbound(root: string, names: readonly string[]): Promise<string[]> {
  const withdrawn: string[] = []
  for (const name of names) {
    const isMoved = await rename(join(root, 'outbound', name), temporaryPath(root, name)).then(
      () => true,
      ignoreMissing,
    )
    if (isMoved) withdrawn.push(name)
  }
  if (withdrawn.length > 0) await syncFolder(join(root, 'outbound'))
  return withdrawn
}

/** Moves the parts of a file, hidden or not, to the folder for transmitted files. It is an effect of a commit, so it does not wait. */
export function storeSent(root: string, names: readonly string[]): void {
  for (const name of names) {
    const [plain, hidden, sent] = [
      join(root, 'outbound', name),
      temporaryPath(root, name),
      join(root, 'outbound/sent', name),
    ]
    if (existsSync(plain)) renameSync(plain, sent)
    else if (existsSync(sent)) rmSync(hidden, { force: true })
    else if (existsSync(hidden)) renameSync(hidden, sent)
  }
}

/** Moves a file. @returns false if it does not exist */
async function move(root: string, name: string, { from, to }: { from: Folder; to: Folder }): Promise<boolean> {
  try {
    await rename(join(root, from, name), join(root, to, name))
    return true
  } catch (error) {
    ignoreMissing(error as NodeJS.ErrnoException)
    return false
  }
}

const isThere = async (root: string, folder: Folder, name: string): Promise<boolean> =>
  (await lstat(join(root, folder, name)).catch(ignoreMissing)) !== null

/** The time in milliseconds for which a file must be unchanged. A file that changed more recently may still be uploading. */
const QUIET_MS = 5_000

/** A file from the bank. `id`: the id of its exchange, if it is in the database. `problem`: why the file must not be read, or null. */
export type Inbound = { id: string | null; name: string; byteCount: number; changedAt: Date; problem: string | null }

/** Lists the names of all files in inbound/, sorted. */
export const listInboundNames = async (root: string): Promise<string[]> =>
  (await readdir(join(root, 'inbound'))).filter((name) => !name.startsWith('.')).sort()

/**
 * Returns whether inbound/ contains an unread file of the bank. It may be incomplete, or reading it may fail. Mail does not count, because
 * it concerns no payment. Answers to orders do not count, because nothing relies on their absence.
 */
export async function hasUnreadInbound(root: string, connection: NamingConnection): Promise<boolean> {
  for (const name of await listInboundNames(root)) {
    if (!['ach', 'paid checks', 'statement'].includes(kindOfInbound(name, connection))) continue
    const stats = await lstat(join(root, 'inbound', name)).catch(() => null)
    if (stats?.isFile()) return true
  }
  return false
}

/** Lists the files in inbound/ that look complete, because they have not changed for a while. */
export async function listInbound(
  root: string,
  {
    kind,
    connection,
    realNow,
    limit,
    except,
  }: {
    kind: InboundKind
    connection: NamingConnection
    realNow: Date
    limit: number
    except: readonly string[]
  },
): Promise<Inbound[]> {
  const names = (await listInboundNames(root)).filter(
    (name) => kindOfInbound(name, connection) === kind && !except.includes(name),
  )
  const files: Inbound[] = []
  for (const name of names) {
    const stats = await lstat(join(root, 'inbound', name)).catch(() => null) // another worker already moved it
    if (!stats?.isFile() || realNow.getTime() - stats.mtimeMs < QUIET_MS) continue
    files.push({ id: null, name, byteCount: stats.size, changedAt: stats.mtime, problem: null })
    if (files.length === limit) break
  }
  return files
}

/** Reads a file in inbound/. Returns null if it does not exist, for example because another worker has moved it. */
export const readInbound = (root: string, name: string): Promise<Buffer | null> =>
  readFile(join(root, 'inbound', name)).catch(ignoreMissing)

/** Reads a file in inbound/ in pieces. Returns null if it does not exist. */
export async function openInbound(root: string, name: string): Promise<AsyncIterable<Buffer> | null> {
  const path = join(root, 'inbound', name)
  return (await isFile(path)) ? createReadStream(path) : null
}

const isFile = async (path: string): Promise<boolean> => (await lstat(path).catch(ignoreMissing))?.isFile() ?? false

/** Moves a file out of inbound/. `mark` distinguishes it from an existing file of the same name. */
export async function moveInbound(
  root: string,
  name: string,
  { to, mark }: { to: 'done' | 'set-aside'; mark: string },
): Promise<void> {
  const target = join(root, 'inbound', to, shortName(name, mark))
  const isTaken = (await lstat(target).catch(() => null)) !== null
  // The file may be missing because another worker has moved it, or because this one had moved it before it stopped.
  await rename(join(root, 'inbound', name), isTaken ? `${target}.${mark}` : target).catch(ignoreMissing)
}

/** Writes the report about a file. @throws StartProblem */
export const writeReport = (root: string, name: string, { report, mark }: { report: string; mark: string }) =>
  writePrivateFile(join(root, 'inbound', 'set-aside', `${shortName(name, mark)}.${mark}.report.txt`), report)

/** Returns a name that is short enough for a suffix, because names can have at most 255 bytes. */
const shortName = (name: string, mark: string) => (Buffer.byteLength(name) > 180 ? mark : name)

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
