import { randomBytes } from 'node:crypto'
import { link, readFile, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile, syncFolder, writeNewFile } from './embedded-files.ts'
import { PostgresProblem } from './embedded-problem.ts'

/**
 * `postgres.json`. `cluster` is a name in the data directory, or an absolute path when root's folders block the
 * account.
 */
export type ClusterRecord = { cluster: string; password: string; port: number }

export const RECORD = 'postgres.json'

/** The prefix of unfinished clusters in the data directory. The owner of the directory removes them. */
export const UNFINISHED = 'making-'

export async function readRecord(dataDir: string): Promise<ClusterRecord | undefined> {
  const path = join(dataDir, RECORD)
  const found = await stat(path).catch(whenMissing)
  if (!found) return undefined
  const user = process.geteuid?.()
  if (found.uid !== user)
    throw new PostgresProblem(
      `The data directory ${dataDir} belongs to user ${found.uid}, and Remit was started by user ${user}. ` +
        'Start it as the same user, or name another directory with --data-dir.',
    )
  return parseRecord({ path, text: await readFile(path, 'utf8') })
}

/** Fails if it already exists. */
export async function publishRecord(dataDir: string, record: ClusterRecord): Promise<void> {
  const draft = join(dataDir, `${UNFINISHED}${randomId()}`)
  try {
    await writeNewFile(draft, textOf(record))
    await link(draft, join(dataDir, RECORD))
    await syncFolder(dataDir)
  } finally {
    await unlink(draft).catch(() => undefined)
  }
}

/** Kept for the next start, so that stored addresses stay valid. */
export async function rememberPort({ dataDir, port }: { dataDir: string; port: number }): Promise<void> {
  const record = await readRecord(dataDir)
  if (!record || record.port === port) return
  await replaceFile(join(dataDir, RECORD), textOf({ ...record, port }))
}

const textOf = (record: ClusterRecord): string => `${JSON.stringify(record, undefined, 2)}\n`

export function randomId(): string {
  return randomBytes(8).toString('hex')
}

export function whenMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

function parseRecord({ path, text }: { path: string; text: string }): ClusterRecord {
  try {
    const { cluster, password, port } = JSON.parse(text)
    if (typeof cluster === 'string' && typeof password === 'string' && Number.isInteger(port))
      return { cluster, password, port }
  } catch {
    // Reported below without the text, which contains the password.
  }
  throw new PostgresProblem(`${path} is damaged. Restore it, or name another directory with --data-dir.`)
}
