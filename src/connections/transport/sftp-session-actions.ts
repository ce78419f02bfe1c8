import { type FolderEntry, isRegularFile, listingOf } from './listing-rules.ts'
import { remoteNameProblem, temporaryNameOf } from './remote-name-rules.ts'
import { type SftpConnection, STATUS, StatusError, withSftp } from './sftp-connection-actions.ts'
import {
  type Done,
  describeFile,
  nullIfMissing,
  readFile,
  removeFile,
  renameFile,
  withHandle,
  writeFile,
} from './sftp-file-actions.ts'
import { TransferProblem } from './transfer-problem-rules.ts'
import type {
  FileAttributes,
  Listing,
  OnProgress,
  Place,
  RemoteFile,
  SftpServer,
  TransportSession,
} from './transport-types.ts'

/** The maximum number of entries in a listing. A longer listing, or one with very long names, is not read, because it might never end. */
const MAX_ENTRIES = 20_000
const MAX_LISTING_LENGTH = 16 * 1024 ** 2

/** The maximum size of a file that is read. */
export const MAX_DOWNLOAD_BYTES = 256 * 1024 ** 2

/**
 * Connects to a server and works in its two folders.
 *
 * @param given.mayContinue is called before each request to the server
 * @throws TransferProblem
 */
export const withSftpSession = <T>(
  server: SftpServer,
  work: (session: TransportSession) => Promise<T>,
  given: { mayContinue?: () => boolean } = {},
): Promise<T> => withSftp(server, (connection) => work(sessionOf(connection, server)), given)

function sessionOf(connection: SftpConnection, server: SftpServer): TransportSession {
  const { packetBytes, upload } = server
  const pathsOf = (name: string): Paths => {
    const final = pathOf(server.out, name)
    return { final, temporary: upload === 'direct' ? final : pathOf(server.out, temporaryNameOf(name)) }
  }
  return {
    upload,
    find: (name, bytes) => find(connection, { ...pathsOf(name), bytes, packetBytes }),
    prepare: (name, bytes, onProgress) => prepare(connection, { ...pathsOf(name), bytes, packetBytes, onProgress }),
    publish: (name) => publish(connection, pathsOf(name)),
    tidy: (name) => tidy(connection, pathsOf(name)),
    withdraw: (name) => removeFile(connection, pathsOf(name).final),
    list: (folder) => listFolder(connection, server[folder]),
    read: (file, onProgress) =>
      readUnchanged(connection, { path: pathOf(server.in, file.name), file, packetBytes, onProgress }),
    remove: (name) => removeFile(connection, pathOf(server.in, name)),
  }
}

/** The two paths of an uploaded file. With the upload mode `direct`, both are the same. */
type Paths = { final: string; temporary: string }

type Upload = Paths & { bytes: Buffer; packetBytes: number; onProgress?: OnProgress | undefined }

/** Returns a path. @throws TransferProblem for a name that could lead out of the folder */
function pathOf(folder: string, name: string): string {
  const problem = remoteNameProblem(name)
  if (problem) throw new TransferProblem('failed', `The name of a file ${problem}.`)
  return `${folder.replace(/\/+$/, '')}/${name}`
}

async function find(connection: SftpConnection, { final, temporary, bytes, packetBytes }: Upload): Promise<Place> {
  const isDirect = temporary === final
  const found = await describeFile(connection, final)
  if (!found) return { at: !isDirect && (await describeFile(connection, temporary)) ? 'temporary' : 'nowhere' }
  const content = await contentOf(connection, { path: final, maxBytes: bytes.length, packetBytes })
  if (content === 'unreadable') {
    if (found.size === undefined) throw new TransferProblem('failed', `The server does not say the size of ${final}.`)
    return { at: 'final', byteCount: found.size, isSame: found.size === bytes.length ? null : false }
  }
  const isBeginning = content.length < bytes.length && content.equals(bytes.subarray(0, content.length))
  if (isDirect && isBeginning) return { at: 'temporary' }
  return { at: 'final', byteCount: found.size ?? content.length, isSame: content.equals(bytes) }
}

/** Returns the content of a file, or null on servers that allow writing but not reading. */
const contentOf = (connection: SftpConnection, file: Parameters<typeof readFile>[1]): Promise<Buffer | 'unreadable'> =>
  readFile(connection, file).catch((error: unknown) => {
    if (error instanceof StatusError && error.kind === 'refused') return 'unreadable'
    throw error
  })

/** Writes all bytes over the remains of an interrupted upload, and checks the size. */
async function prepare(connection: SftpConnection, { final, temporary: path, ...content }: Upload): Promise<void> {
  if (path === final) {
    // `find` has shown that the file contains only the beginning of ours, or is missing. A file that was created since then is not
    // replaced.
    const flags = (await describeFile(connection, path)) ? 'r+' : 'wx'
    return writeFile(connection, { path, flags, ...content, isInOrder: true })
  }
  await writeFile(connection, { path, flags: 'w', ...content, isInOrder: false })
  const stored = await describeFile(connection, path)
  if (stored && (stored.size ?? content.bytes.length) === content.bytes.length) return
  const state = stored ? `has ${stored.size} of its ${content.bytes.length} bytes` : 'is missing'
  throw new TransferProblem('failed', `The server reported success, but ${path} ${state}.`)
}

async function publish(connection: SftpConnection, { final, temporary }: Paths): Promise<void> {
  if (temporary === final) return
  const isTaken = (await describeFile(connection, final)) !== null
  if (isTaken) throw new TransferProblem('other_content', `${final} is already on the server.`)
  await renameFile(connection, { from: temporary, to: final })
}

/** Removes a leftover. The file is first looked up, because a server may refuse the removal of a missing file. */
async function tidy(connection: SftpConnection, { final, temporary }: Paths): Promise<void> {
  if (temporary !== final && (await describeFile(connection, temporary))) await removeFile(connection, temporary)
}

async function listFolder(connection: SftpConnection, folder: string): Promise<Listing> {
  const { call, sftp } = connection
  const what = `did not list ${folder}`
  const open = (done: Done<Buffer>) => sftp.opendir(folder, done)
  const entries = await withHandle(connection, { what, open }, async (handle) => {
    const found: FolderEntry[] = []
    let length = 0
    for (;;) {
      const some = await call<FolderEntry[]>(what, (done) => sftp.readdir(handle, done)).catch(noneAtEnd)
      if (some.length === 0) return found
      found.push(...some)
      length += some.reduce((sum, { filename, longname }) => sum + filename.length + longname.length, 0)
      if (found.length > MAX_ENTRIES || length > MAX_LISTING_LENGTH) throw tooLong(folder)
    }
  }).catch(nullIfMissing)
  if (!entries) return { files: [], unusable: [], warnings: [`${folder} does not exist on the server.`] }
  for (const entry of entries) {
    if (entry.attrs.size !== undefined || !isRegularFile(entry) || remoteNameProblem(entry.filename)) continue
    entry.attrs = (await describeFile(connection, pathOf(folder, entry.filename))) ?? entry.attrs
  }
  return listingOf(folder, entries)
}

const tooLong = (folder: string): TransferProblem =>
  new TransferProblem('failed', `${folder} has more than ${MAX_ENTRIES} files, or very long names.`)

function noneAtEnd(error: unknown): never[] {
  if (error instanceof StatusError && error.code === STATUS.EOF) return []
  throw error
}

async function readUnchanged(
  connection: SftpConnection,
  { file, ...transfer }: { path: string; file: RemoteFile; packetBytes: number; onProgress?: OnProgress | undefined },
): Promise<Buffer | null> {
  const { path } = transfer
  if (file.byteCount > MAX_DOWNLOAD_BYTES) {
    const limit = `${MAX_DOWNLOAD_BYTES / 1024 ** 2} MB`
    throw new TransferProblem('failed', `${path} has ${file.byteCount} bytes. Files of up to ${limit} are read.`)
  }
  const bytes = await readFile(connection, { ...transfer, maxBytes: file.byteCount })
  const now = await describeFile(connection, path)
  return bytes.length === file.byteCount && now && isSameVersion(now, file) ? bytes : null
}

/** Returns whether a file is unchanged. Servers may leave out the size or the time. */
const isSameVersion = ({ size, mtime }: FileAttributes, { byteCount, modifiedAt }: RemoteFile): boolean =>
  (size ?? byteCount) === byteCount &&
  (mtime === undefined || modifiedAt === null || mtime * 1000 === modifiedAt.getTime())
