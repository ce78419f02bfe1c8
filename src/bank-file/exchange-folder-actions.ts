import { createHash } from 'node:crypto'
import { lstat, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../db/deps.ts'
import { makePrivateFolder, writePrivateFile } from '../lib/files/files.ts'
import { MAX_INBOUND_BYTES } from './inbound-file-rules.ts'

/** Where files for the bank lie, and files of the bank; below the folder of the settings. */
const FOLDERS = [
  'outbound',
  'outbound/sent',
  'outbound/canceled',
  'inbound',
  'inbound/done',
  'inbound/set-aside',
] as const
type Folder = (typeof FOLDERS)[number]

/** @throws StartProblem */
export async function makeExchangeFolders(root: string): Promise<void> {
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

/** Whether all parts of a file are somewhere in the folder, also those that were prepared and have no name yet. */
export async function isInFolder(root: string, names: readonly string[]): Promise<boolean> {
  const isSomewhere = async (name: string) =>
    (await isThere(root, 'outbound', temporaryNameOf(name))) ||
    (await isThere(root, 'outbound', name)) ||
    (await isThere(root, 'outbound/sent', name)) ||
    (await isThere(root, 'outbound/canceled', name))
  return (await Promise.all(names.map(isSomewhere))).every(Boolean)
}

/** Gives a prepared file its name. */
export async function publishOutbound(root: string, name: string): Promise<void> {
  const folder = join(root, 'outbound')
  await rename(join(folder, temporaryNameOf(name)), join(folder, name))
  await syncFolder(folder)
}

/** Where all parts of a file are: with the transfer job, withdrawn, or in outbound/ or nowhere. */
export async function isTransmitted(root: string, names: readonly string[]): Promise<'sent' | 'canceled' | null> {
  const areIn = async (folder: Folder) =>
    (await Promise.all(names.map((name) => isThere(root, folder, name)))).every(Boolean)
  if (await areIn('outbound/sent')) return 'sent'
  return (await areIn('outbound/canceled')) ? 'canceled' : null
}

/**
 * Takes a file out of outbound/, all of its parts or none. A file that was never `published` need not be there.
 *
 * @returns false when a part is gone: the transfer job may have taken it
 */
export async function cancelOutbound(
  root: string,
  { names, isPublished }: { names: readonly string[]; isPublished: boolean },
): Promise<boolean> {
  const moved: string[] = []
  for (const name of names) {
    if (await move(root, name, { from: 'outbound', to: 'outbound/canceled' })) moved.push(name)
    else if (!(await isCanceledOrNew(root, name, isPublished))) {
      for (const other of moved) await move(root, other, { from: 'outbound/canceled', to: 'outbound' })
      return false
    }
  }
  await syncFolder(join(root, 'outbound'))
  await syncFolder(join(root, 'outbound/canceled'))
  return true
}

const isCanceledOrNew = async (root: string, name: string, isPublished: boolean): Promise<boolean> =>
  (await isThere(root, 'outbound/canceled', name)) || (!isPublished && !(await isThere(root, 'outbound/sent', name)))

/** Moves what is left of a file in outbound/ to where the transfer job would have moved it. */
export async function moveToSent(root: string, names: readonly string[]): Promise<void> {
  for (const name of names) await move(root, name, { from: 'outbound', to: 'outbound/sent' })
  await syncFolder(join(root, 'outbound'))
  await syncFolder(join(root, 'outbound/sent'))
}

/** Puts a transmitted file back into outbound/. @returns false when a part is nowhere: it has to be written again */
export async function returnToOutbound(root: string, names: readonly string[]): Promise<boolean> {
  let isBack = true
  for (const name of names) {
    const isMoved = await move(root, name, { from: 'outbound/sent', to: 'outbound' })
    isBack = isBack && (isMoved || (await isThere(root, 'outbound', name)))
  }
  await syncFolder(join(root, 'outbound'))
  return isBack
}

/** @returns false when it is not there */
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
  { kind, realNow, limit, except }: { kind: InboundKind; realNow: Date; limit: number; except: readonly string[] },
): Promise<Inbound[]> {
  const all = (await readdir(join(root, 'inbound'))).filter((name) => !name.startsWith('.')).sort()
  const names = all.filter((name) => kindOfInbound(name) === kind && !except.includes(name))
  const files: Inbound[] = []
  for (const name of names) {
    const stats = await lstat(join(root, 'inbound', name)).catch(() => null) // gone meanwhile
    if (!stats?.isFile() || realNow.getTime() - stats.mtimeMs < QUIET_MS) continue
    files.push({ name, byteCount: stats.size })
    if (files.length === limit) break
  }
  return files
}

/** A file as it was read; `contentHash` tells it from others whatever its name. */
export type InboundFile<Reading> = { name: string; contentHash: Buffer; reading: Reading }

/** What became of a file: whether something was taken from it, and what a person has to know. */
export type InboundOutcome = { isUsed: boolean; report: string | null }

/**
 * Takes one file of the bank: reads it, has it recorded, writes the report and moves it away.
 *
 * @returns false when another worker is at it
 */
export async function processInboundFile<Reading>(
  deps: Pick<Deps, 'log'>,
  { folder, file: { name, byteCount } }: { folder: string; file: Inbound },
  steps: {
    read(bytes: Buffer): Reading
    refuse(problem: string): Reading
    /** Null when another worker is at it. */
    record(file: InboundFile<Reading>): Promise<InboundOutcome | null>
  },
): Promise<boolean> {
  const isTooLarge = byteCount > MAX_INBOUND_BYTES
  const bytes = isTooLarge ? Buffer.from(`${name} ${byteCount}`) : await readInboundBytes(folder, name)
  if (!bytes) return false
  const reading = isTooLarge
    ? steps.refuse(`${byteCount} bytes: more than the ${MAX_INBOUND_BYTES} that a file may have`)
    : steps.read(bytes)
  const contentHash = createHash('sha256').update(bytes).digest()
  const outcome = await steps.record({ name, contentHash, reading })
  if (!outcome) return false
  const { isUsed, report } = outcome
  const mark = contentHash.toString('hex').slice(0, 16)
  if (report !== null) await writeReport(folder, name, { report, mark })
  await moveInbound(folder, name, { to: isUsed || report === null ? 'done' : 'set-aside', mark })
  if (report !== null) deps.log.error({ file: name, isUsed }, 'a file of the bank needs a look')
  else deps.log.info({ file: name }, 'file of the bank read')
  return true
}

/** Null when it is gone: another worker was faster. */
const readInboundBytes = (root: string, name: string): Promise<Buffer | null> =>
  readFile(join(root, 'inbound', name)).catch(ignoreMissing)

/** Moves a file out of inbound/. Another one of its name stays as it is: `mark` tells them apart. */
async function moveInbound(
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
const writeReport = (root: string, name: string, { report, mark }: { report: string; mark: string }) =>
  writePrivateFile(join(root, 'inbound', 'set-aside', `${shortName(name, mark)}.${mark}.report.txt`), report)

/** Names have at most 255 bytes, and something is added to them. */
const shortName = (name: string, mark: string) => (Buffer.byteLength(name) > 180 ? mark : name)

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
