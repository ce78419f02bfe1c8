import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { shownPath } from '../../foundation/lib/files/files.ts'
import type { Check } from './check.ts'
import { byLimits, duration, failure, ok, type Verdict } from './finding-rules.ts'

/** The input of the check. @property backup a pg_dump archive or a folder of backups. Null: none is configured */
export type BackupContext = { backup: string | null; now: () => Date }

export const backupChecks: readonly Check<BackupContext>[] = [{ id: 'backup.age', run: checkAge }]

/** The limits of a backup's age in seconds. A nightly backup may take up to two hours. */
const LIMITS = { warning: 26 * 3_600, failure: 7 * 86_400 }
const REMEDY = 'Look into the log of the job that runs pg_dump, or correct REMIT_PRODUCTION_BACKUP.'

async function checkAge({ backup, now }: BackupContext): Promise<Verdict> {
  if (backup === null) return ok('No backup is named, so its age is not known.')
  const madeAt = await findTime(backup)
  if (madeAt === null) return failure(`There is no backup in ${shownPath(backup)}.`, REMEDY)
  const seconds = (now().getTime() - madeAt) / 1_000
  return byLimits(seconds, LIMITS)(`The last backup is ${duration(Math.max(0, seconds))} old.`, REMEDY)
}

/**
 * Returns when the file, or the newest file of the folder, was written. Returns null if there is none. An empty file does not count as a
 * backup.
 */
async function findTime(path: string): Promise<number | null> {
  const found = await stat(path).catch(ignoreMissing)
  if (!found?.isDirectory()) return found && found.size > 0 ? found.mtimeMs : null
  const files = await Promise.all((await readdir(path)).map((name) => stat(join(path, name)).catch(ignoreMissing)))
  const times = files.filter((file) => file?.isFile() && file.size > 0).map((file) => file?.mtimeMs as number)
  return times.length > 0 ? Math.max(...times) : null
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code !== 'ENOENT') throw error
  return null
}
