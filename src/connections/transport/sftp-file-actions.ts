import { type SftpConnection, STATUS, StatusError } from './sftp-connection-actions.ts'
import type { FileAttributes, OnProgress } from './transport-types.ts'

/** The number of packets that are sent without waiting for their answers. */
const LANES = 16

/** Returns the attributes of a file, or null if it does not exist. Links are not followed. */
export const describeFile = ({ call, sftp }: SftpConnection, path: string): Promise<FileAttributes | null> =>
  call<FileAttributes>(`did not describe ${path}`, (done) => sftp.lstat(path, done)).catch(nullIfMissing)

/**
 * Writes a whole file. `wx` creates it, `w` replaces its content, `r+` overwrites the beginning of an existing file.
 *
 * @param file.isInOrder whether each packet waits for the answer to the previous one. An interrupted upload then leaves the beginning of
 * the file, without holes
 */
export function writeFile(
  connection: SftpConnection,
  {
    path,
    flags,
    bytes,
    isInOrder,
    packetBytes,
    onProgress,
  }: Transfer & {
    flags: 'wx' | 'w' | 'r+'
    bytes: Buffer
    isInOrder: boolean
  },
): Promise<void> {
  const { call, sftp } = connection
  const what = `did not store ${path}`
  const open = (done: Done<Buffer>) => sftp.open(path, flags, done)
  return withHandle(connection, { what, open }, (handle) =>
    eachPacket(
      {
        byteCount: bytes.length,
        packetBytes,
        lanes: isInOrder ? 1 : LANES,
        onDone: progressOf(bytes.length, onProgress),
      },
      async (start, end) => {
        await call(what, (done) => sftp.write(handle, bytes, start, end - start, start, done))
        return true
      },
    ),
  )
}

/** Reads a file up to a limit. If the file is longer, the result has one byte more than the limit. */
export async function readFile(
  connection: SftpConnection,
  { path, maxBytes, packetBytes, onProgress }: Transfer & { maxBytes: number },
): Promise<Buffer> {
  const { call, sftp } = connection
  const what = `did not send ${path}`
  const bytes = Buffer.alloc(maxBytes + 1)
  let byteCount = bytes.length
  const open = (done: Done<Buffer>) => sftp.open(path, 'r', done)
  await withHandle(connection, { what, open }, (handle) =>
    eachPacket(
      { byteCount: bytes.length, packetBytes, lanes: LANES, onDone: progressOf(maxBytes, onProgress) },
      async (start, end) => {
        // A server may send less than the request asks for.
        for (let at = start; at < end; ) {
          const part = Buffer.alloc(end - at)
          const count = await call<number>(what, (done) => sftp.read(handle, part, 0, part.length, at, done)).catch(
            zeroAtEnd,
          )
          part.copy(bytes, at, 0, count)
          at += count
          if (count > 0) continue
          byteCount = Math.min(byteCount, at)
          return false
        }
        return true
      },
    ),
  )
  return bytes.subarray(0, byteCount)
}

/** Renames a file. The new name should be free, because SFTP version 3 does not define whether a server overwrites a file. */
export const renameFile = ({ call, sftp }: SftpConnection, { from, to }: { from: string; to: string }): Promise<void> =>
  call(`did not rename ${from} to ${to}`, (done) => sftp.rename(from, to, done))

/** Removes a file if it exists. */
export const removeFile = async ({ call, sftp }: SftpConnection, path: string): Promise<void> => {
  await call(`did not remove ${path}`, (done) => sftp.unlink(path, done)).catch(nullIfMissing)
}

export function nullIfMissing(error: unknown): null {
  if (error instanceof StatusError && error.code === STATUS.NO_SUCH_FILE) return null
  throw error
}

type Transfer = { path: string; packetBytes: number; onProgress?: OnProgress | undefined }

export type Done<T> = (error?: Error | null, value?: T) => void

/** Opens a file or a folder, runs `work` with it, and closes it. */
export async function withHandle<T>(
  { call, sftp }: SftpConnection,
  { what, open }: { what: string; open: (done: Done<Buffer>) => void },
  work: (handle: Buffer) => Promise<T>,
): Promise<T> {
  const handle = await call<Buffer>(what, open)
  const close = () => call<void>(what, (done) => sftp.close(handle, done))
  try {
    const result = await work(handle)
    await close() // a server may report here that it did not store everything
    return result
  } catch (error) {
    await close().catch(() => {})
    throw error
  }
}

function zeroAtEnd(error: unknown): number {
  if (error instanceof StatusError && error.code === STATUS.EOF) return 0
  throw error
}

const progressOf = (totalBytes: number, onProgress: OnProgress | undefined) => (doneBytes: number) =>
  onProgress?.({ doneBytes: Math.min(doneBytes, totalBytes), totalBytes })

/** Transfers all packets of a file, a limited number at the same time, until `transfer` returns false or fails. */
async function eachPacket(
  {
    byteCount,
    packetBytes,
    lanes,
    onDone,
  }: { byteCount: number; packetBytes: number; lanes: number; onDone: (doneBytes: number) => void },
  transfer: (start: number, end: number) => Promise<boolean>,
): Promise<void> {
  let next = 0
  let doneBytes = 0
  const stop = () => {
    next = byteCount
  }
  const lane = async () => {
    while (next < byteCount) {
      const start = next
      const end = Math.min(start + packetBytes, byteCount)
      next = end
      if (!(await transfer(start, end))) stop()
      doneBytes += end - start
      onDone(doneBytes)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane)).finally(stop)
}
