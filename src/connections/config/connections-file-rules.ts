import { withoutZeros } from '../../foundation/core/account-number.ts'
import { MIN_VIRTUAL_DIGITS } from '../../foundation/core/connections.ts'
import type { SoundConnection } from './connections-problem-rules.ts'
import type { Path } from './connections-syntax-rules.ts'

/** The kind of a file, which determines its checks. `secret`: others must not be able to read it. `public`: a key that anyone may read. */
export type FileKind = 'secret' | 'public' | 'account_number' | 'virtual_numbers'

/** A file that a connection names. */
export type NamedFile = { path: Path; file: string; kind: FileKind }

/** Lists the files that a connection names, each with its path in `connections.json`. */
export function filesOf({
  path,
  transport,
  accounts = [],
  virtual_accounts,
  adapter,
  paypal,
}: SoundConnection): NamedFile[] {
  const numbers = accounts.map(({ number_file: file }, index): NamedFile => {
    return { path: [...path, 'accounts', index, 'number_file'], file, kind: 'account_number' }
  })
  const list = virtual_accounts?.numbers_file
  if (list !== undefined)
    numbers.push({ path: [...path, 'virtual_accounts', 'numbers_file'], file: list, kind: 'virtual_numbers' })
  const ofProcessor = [
    ...named(adapter ?? {}, ['key_file', 'event_key_file'], [...path, 'adapter']),
    ...named(paypal ?? {}, ['client_id_file', 'client_secret_file'], [...path, 'paypal']),
  ]
  if (transport?.type !== 'sftp') return [...ofProcessor, ...numbers]
  const { pgp = {} } = transport
  const at = [...path, 'transport']
  return [
    ...named(transport, ['key_file', 'passphrase_file', 'password_file'], at),
    ...named(pgp, ['sign_with_file', 'decrypt_with_file', 'passphrase_file'], [...at, 'pgp']),
    ...(['encrypt_to_files', 'require_signature_of_files'] as const).flatMap((key) =>
      (pgp[key] ?? []).map((file, index): NamedFile => ({ path: [...at, 'pgp', key, index], file, kind: 'public' })),
    ),
    ...numbers,
  ]
}

const named = <Key extends string>(
  section: { [Name in Key]?: string | undefined },
  keys: readonly Key[],
  path: Path,
): NamedFile[] =>
  keys.flatMap((key) => {
    const file = section[key]
    return file === undefined ? [] : [{ path: [...path, key], file, kind: 'secret' }]
  })

const OTHERS_CAN_READ_OR_WRITE = 0o007
const GROUP_CAN_WRITE = 0o020

/** Returns the problem of a file's permissions. @param mode the permissions of the file */
export const modeProblem = (mode: number): string | null =>
  (mode & (OTHERS_CAN_READ_OR_WRITE | GROUP_CAN_WRITE)) === 0
    ? null
    : 'can be read or changed by other users. Run chmod 600 on it'

/** Returns the problem of a file's content. @param content the content of the file @param file the path in `connections.json` */
export function textProblem(kind: FileKind, content: string): string | null {
  if (content.trim() === '') return 'is an empty file'
  if (kind === 'account_number' && !/^\d{4,17}$/.test(content.trim()))
    return 'must contain an account number of 4 to 17 digits'
  return kind === 'virtual_numbers' ? listProblem(numbersIn(content)) : null
}

/** Returns the numbers of a list, as the bank wrote them. */
export const numbersIn = (content: string): string[] =>
  content
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Returns the problem of a list of numbers, without repeating a number. */
function listProblem(numbers: readonly string[]): string | null {
  const seen = new Set<string>()
  for (const [index, number] of numbers.entries()) {
    const plain = withoutZeros(number)
    if (!/^\d{9,17}$/.test(number) || plain.length < MIN_VIRTUAL_DIGITS)
      return `must contain a number of ${MIN_VIRTUAL_DIGITS} to 17 digits in each line, which line ${index + 1} is not`
    if (seen.has(plain)) return `has the number in line ${index + 1} twice`
    seen.add(plain)
  }
  return null
}

/**
 * Returns the problem of a file that cannot be opened. It does not repeat the path, because a secret may have been entered instead of a
 * path.
 */
export function openProblem({ file, kind }: NamedFile, { code, folder }: { code: string; folder: string }): string {
  if (code === 'ENOENT' && kind === 'account_number' && /^\d+$/.test(file))
    return 'must be the path of a file that contains the number'
  return (
    openProblems[code] ??
    (code === 'ENOENT' ? `is not there. Relative paths begin in ${folder}` : `cannot be read: ${code}`)
  )
}

const openProblems: Record<string, string> = {
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
  EISDIR: 'is a folder',
  ENOTDIR: 'is not there: a part of the path is a file',
  ELOOP: 'is a link in a circle',
  EFBIG: 'is too large for a key or a number',
}
