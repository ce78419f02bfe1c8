/**
 * Explains why a name on a server is not used. Returns null if it is safe as the name of a local file and as part of a path on the server.
 */
export function remoteNameProblem(name: string): string | null {
  if (name === '' || name === '.' || name === '..') return 'is not the name of a file'
  if (/[/\\]/.test(name)) return 'contains a path'
  if (name.includes('\uFFFD')) return 'is not UTF-8'
  if (/\p{Cc}/u.test(name)) return 'contains control characters'
  if (Buffer.byteLength(name) > 255) return 'is longer than 255 bytes'
  return null
}

/** Returns the name of a file during its upload. Readers ignore names that begin with a dot. */
export const temporaryNameOf = (name: string): string => `.${name.replace(/^\.+/, '')}.part`

/**
 * Returns whether a name is hidden. Hidden files are uploads of others, or belong to the server. `.` and `..` are the folder itself and its
 * parent.
 */
export const isHidden = (name: string): boolean => name.startsWith('.') && !/[/\\]/.test(name)
