import assert from 'node:assert/strict'
import { readHostKeyPin } from '../../src/connections/transport/host-key-rules.ts'
import { proveFile, uploadFile } from '../../src/connections/transport/send-file-actions.ts'
import { withSftpSession } from '../../src/connections/transport/sftp-session-actions.ts'
import { TransferProblem } from '../../src/connections/transport/transfer-problem-rules.ts'
import type {
  HostKeyPin,
  OutgoingFile,
  Proof,
  SftpServer,
  TransferProblemKind,
} from '../../src/connections/transport/transport-types.ts'
import type { Upload } from '../../src/foundation/core/connections.ts'

/** Timeouts for servers that should answer, on a busy machine. */
export const WIDE_BOUNDS = { connectMs: 60_000, answerMs: 60_000, sessionMs: 240_000 }

export const pinOf = (text: string): HostKeyPin => {
  const pin = readHostKeyPin(text)
  assert.ok(pin, text)
  return pin
}

/** A server of `startHostileServer`. */
export const serverAt = (
  { port, fingerprint }: { port: number; fingerprint: string },
  own: Partial<SftpServer> = {},
): SftpServer => ({
  host: '127.0.0.1',
  port,
  user: 'acme',
  hostKeys: [pinOf(fingerprint)],
  credential: { password: 'secret' },
  packetBytes: 1_024,
  out: '/in',
  in: '/out',
  upload: 'rename',
  bounds: WIDE_BOUNDS,
  ...own,
})

/** For `beforePublish`. */
export const neverPublished = async (): Promise<void> => assert.fail('nothing may be published')

/** Sends a file and proves it in another session. Without `mayBeThere`, like the first try. */
export async function sendTo(
  server: SftpServer,
  given: Pick<OutgoingFile, 'name' | 'bytes'> & Partial<OutgoingFile>,
): Promise<Proof> {
  const file = { mayBeThere: false, beforePublish: async () => {}, ...given }
  const proof = await withSftpSession(server, (session) => uploadFile(session, file))
  return proof ?? withSftpSession(server, (session) => proveFile(session, file))
}

/** Returns the matcher of an error for `assert.rejects`. */
export const transferProblem = (kind: TransferProblemKind, message: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TransferProblem, String((error as Error).stack))
  const { message: given } = error
  assert.deepEqual({ kind: error.kind, message: message.test(given) ? message : given }, { kind, message })
  return true
}

/** The job of `transfer-child.ts`. */
export type TransferTask = {
  kind: Upload | 'fetch'
  folder: string
  port: number
  fingerprint: string
  /** It kills itself when the upload is complete, before it records that the bank may have the file. */
  diesBeforePublish: boolean
}

/** The name of its file. */
export const TRANSFERRED = 'file.ach'
