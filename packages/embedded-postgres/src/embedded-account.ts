import { spawn } from 'node:child_process'
import { chmod, lstat, mkdir, readFile } from 'node:fs/promises'
import { PostgresProblem } from './embedded-problem.ts'

/**
 * The user that PostgreSQL runs as. Undefined for the current user. If this process is root, which PostgreSQL
 * refuses, a system user.
 */
export type Account = { uid: number; gid: number } | undefined

const SYSTEM_USERS = ['postgres', '_postgres', 'nobody']

/** This process's environment is not passed on: it contains secrets, and `PG…` variables that PostgreSQL would use. */
const environment = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/** Root's folders that every user can enter. The second is for systems with a read-only /var/lib. */
const SHARED_FOLDERS = ['/var/lib/remit', '/var/tmp/remit-root']

export async function chooseAccount(): Promise<Account> {
  if (process.geteuid?.() !== 0) return undefined
  const users = await systemUsers()
  const found = SYSTEM_USERS.map((name) => users.get(name)).find((user) => user)
  if (found) return found
  throw new PostgresProblem(
    'PostgreSQL refuses to run as root, and this system has no user "postgres" or "nobody" to run it as. ' +
      'Run Remit as an ordinary user, or set DATABASE_URL.',
  )
}

/** Options to spawn a program as that account. The account must be able to enter the folder. */
export function spawnOptions(account: Account, { cwd }: { cwd: string }) {
  return { ...account, cwd, env: environment }
}

export type Finished = { code: number | null; output: string }

export function run(account: Account, { command, cwd = '/' }: { command: string[]; cwd?: string }): Promise<Finished> {
  const [program = '', ...args] = command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { ...spawnOptions(account, { cwd }), stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk: Buffer) => {
      output += chunk
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', (cause) => reject(account ? cannotSwitch(account, cause) : cause))
    child.on('close', (code) => resolve({ code, output }))
  })
}

function cannotSwitch({ uid }: { uid: number }, cause: Error): PostgresProblem {
  const why = `PostgreSQL refuses to run as root and cannot run as user ${uid} either (${cause.message}).`
  return new PostgresProblem(`${why} Run Remit as an ordinary user, or set DATABASE_URL.`, { cause })
}

/** Tried instead of computed, because modes, ACLs and mount options all matter. */
export async function canEnter(account: Account, { folder }: { folder: string }): Promise<boolean> {
  if (!account) return true
  const { code } = await run(account, { command: ['/bin/sh', '-c', 'cd "$0"', folder] })
  return code === 0
}

/**
 * A folder for files that the account could not reach otherwise. It belongs to root, so that no other user can plant
 * files.
 */
export async function sharedFolder(account: Account): Promise<string> {
  let problem: unknown
  for (const folder of SHARED_FOLDERS) {
    try {
      await makeFolder(folder)
      const { uid, mode } = await lstat(folder)
      const isSafe = uid === 0 && (mode & 0o022) === 0
      if (isSafe && (await canEnter(account, { folder }))) return folder
    } catch (error) {
      problem ??= error
    }
  }
  if (problem) throw problem
  throw new PostgresProblem(
    `PostgreSQL refuses to run as root, and its user can enter neither the data directory nor ${SHARED_FOLDERS.join(' nor ')}. ` +
      'Run Remit as an ordinary user, or set DATABASE_URL.',
  )
}

async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true })
  if (made) await chmod(folder, 0o755)
}

async function systemUsers(): Promise<Map<string, { uid: number; gid: number }>> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return new Map(
    lines.map((line) => {
      const [name = '', , uid, gid] = line.split(':')
      // macOS writes the ids of nobody as -2. The system call takes unsigned ids.
      return [name, { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 }]
    }),
  )
}
