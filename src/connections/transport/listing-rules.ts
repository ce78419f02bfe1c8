import { neutralText } from '../../foundation/lib/text/plain-text.ts'
import { isHidden, remoteNameProblem } from './remote-name-rules.ts'
import type { FileAttributes, Listing, RemoteFile } from './transport-types.ts'

/** An entry of a folder in the server's listing. `longname` is the line that `ls -l` would print. */
export type FolderEntry = { filename: string; longname: string; attrs: FileAttributes }

/** Returns whether an entry is a regular file. Servers may leave out the type in the attributes, and some of them also in `longname`. */
export function isRegularFile({ attrs, longname }: FolderEntry): boolean {
  const type = (attrs.mode ?? 0) & 0o170000
  return type === 0 ? !/^[bcdlps][-rwxsStT]{9}/.test(longname) : type === 0o100000
}

/** Separates the entries of a folder that can be fetched from those that cannot. */
export function listingOf(folder: string, entries: readonly FolderEntry[]): Listing {
  const visible = entries.filter(({ filename }) => !isHidden(filename))
  const others = visible.filter((entry) => !isRegularFile(entry))
  const judged = visible.filter(isRegularFile).map(judge)
  return {
    files: judged.filter((file) => 'byteCount' in file).toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    unusable: judged.filter((file) => 'problem' in file),
    warnings: others.length === 0 ? [] : [notFiles(folder, others)],
  }
}

function judge({ filename: name, attrs: { size, mtime } }: FolderEntry): RemoteFile | Listing['unusable'][number] {
  const problem = remoteNameProblem(name)
  if (problem) return { name: neutralText(name).slice(0, 255), problem: `The name ${problem}.` }
  if (size === undefined) return { name, problem: 'The server does not say its size.' }
  return { name, byteCount: size, modifiedAt: mtime === undefined ? null : new Date(mtime * 1000) }
}

const MAX_NAMES = 3

function notFiles(folder: string, entries: readonly FolderEntry[]): string {
  const names = entries.slice(0, MAX_NAMES).map(({ filename }) => neutralText(filename).slice(0, 100))
  const more = entries.length > MAX_NAMES ? `, and ${entries.length - MAX_NAMES} more` : ''
  return `Skipped in ${folder}, because only regular files are read: ${names.join(', ')}${more}.`
}
