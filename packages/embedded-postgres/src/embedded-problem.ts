/** A problem that prevents the start and that the operator can fix. Its message is a complete sentence. */
export class PostgresProblem extends Error {
  override name = 'PostgresProblem'
}

const causes = {
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is not a directory',
  EEXIST: 'a part of the path is not a directory',
  ENOENT: 'a part of the path is missing',
} as const

/** PostgreSQL's messages for the same causes, in English because the cluster has `lc_messages` C. */
const causesInOutput = [
  [/No space left on device|Check free disk space|wrote only \d+ of \d+ bytes/, causes.ENOSPC],
  [/[Qq]uota exceeded/, causes.EDQUOT],
  [/Read-only file system/, causes.EROFS],
  [/Permission denied/, causes.EACCES],
] as const

/** Turns a disk error into one sentence with the path. Other errors are returned unchanged. */
export function asPostgresProblem(error: unknown, { path }: { path: string }): unknown {
  const { code, path: where } = error as NodeJS.ErrnoException
  if (!code || !(code in causes)) return error
  return unusable({ path: where ?? path, cause: causes[code as keyof typeof causes] })
}

/**
 * Returns why `initdb` or `postgres` failed, from their output: one sentence about the disk, or else the last lines.
 */
export function problemFromOutput(output: string, { path }: { path: string }): PostgresProblem {
  const known = causesInOutput.find(([pattern]) => pattern.test(output))
  if (known) return unusable({ path, cause: known[1] })
  const lastLines = output.trim().split('\n').slice(-10).join('\n  ')
  return new PostgresProblem(`PostgreSQL did not start in ${path}. The end of its log:\n  ${lastLines || '(none)'}`)
}

export function diskIsFull({ path }: { path: string }): PostgresProblem {
  return unusable({ path, cause: causes.ENOSPC })
}

function unusable({ path, cause }: { path: string; cause: string }): PostgresProblem {
  const user = cause === causes.EACCES && process.geteuid ? ` for user ${process.geteuid()}` : ''
  return new PostgresProblem(`The database in the data directory cannot be used: ${cause}${user} (${path}).`)
}
