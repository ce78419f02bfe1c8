import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabaseIfMissing, dropDatabase, withDatabase } from '../../../foundation/db/schema/create-database.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'

/**
 * Creates a database on the server of a URL, and drops it after the work, even if the work fails.
 *
 * @param url the URL of a role that may create databases
 * @throws StartProblem if the server is unreachable, or the role may not create databases
 */
export async function withScratchDatabase<T>(url: string, work: (scratchUrl: string) => Promise<T>): Promise<T> {
  const name = `remit_backup_check_${randomBytes(6).toString('hex')}`
  const scratchUrl = withDatabase(url, name)
  await createDatabaseIfMissing(scratchUrl)
  try {
    return await work(scratchUrl)
  } finally {
    await dropDatabase(scratchUrl)
  }
}

/** Restores an archive of pg_dump into an empty database, without its owners and rights. @throws StartProblem */
export async function restoreArchive(path: string, url: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-backup-'))
  try {
    const target = await withoutPassword(url, join(folder, 'password'))
    await runRestore(['--exit-on-error', '--no-owner', '--no-privileges', `--dbname=${target}`, path])
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Moves the password of a URL into a file, because other users of the machine can see the arguments of a program. */
async function withoutPassword(text: string, passwordFile: string): Promise<string> {
  const url = new URL(text)
  const password = decodeURIComponent(url.password).replaceAll(/[\\:]/g, '\\$&')
  await writeFile(passwordFile, `*:*:*:*:${password}\n`, { mode: 0o600 })
  url.password = ''
  url.searchParams.set('passfile', passwordFile)
  // By default, Remit trusts the certificate authorities of Node.js, and libpq trusts none.
  if (url.searchParams.get('sslmode')?.startsWith('verify') && !url.searchParams.has('sslrootcert'))
    url.searchParams.set('sslrootcert', 'system')
  return url.href
}

const runRestore = (args: string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    execFile('pg_restore', args, { maxBuffer: 64 * 1024 * 1024 }, (error, _, stderr) => {
      if (!error) return resolve()
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        return reject(
          new StartProblem(
            'pg_restore is not installed. Install the client of your PostgreSQL: apt-get install postgresql-client',
          ),
        )
      // Only the first line is shown, because the next ones can contain rows.
      const [reason = 'no reason'] = stderr.trim().split('\n')
      reject(new StartProblem(`The backup cannot be restored: ${reason}. Make one with pg_dump --format=custom.`))
    })
  })
