import type { ParsedKey } from 'ssh2'
import type { SftpTransport, Upload } from '../../foundation/core/connections.ts'

/*
 * This folder moves bytes to and from banks. It does not use the database. The exchange uses:
 *
 * openServer(transport): Promise<SftpServer>              reads the key files, only at the start and after a reload: decrypting takes a second
 * serverProblems(transport): Promise<string[]>            the problems that openServer would report, for `remit connections check`
 * withSftpSession(server, work: (session) => …)           one connection. All files of a pass can use one session
 * uploadFile(session, file: OutgoingFile): Proof | null   null: `proveFile` in a new session must follow
 * proveFile(session, file: OutgoingFile): Proof
 * checkServer(server, { writes }): Promise<ServerCheck>   for `remit connections test`
 * pgpOf(contract): Promise<Pgp>                           encrypts outgoing files and decrypts incoming ones
 * pgpProblems(contract): Promise<string[]>                missing, expired and unsuitable keys
 *
 * All of them throw `TransferProblem`, whose `kind` says what to do. `endsSession(problem)` tells whether the other files of
 * a session fail as well.
 */

/** A pinned host key: its SHA-256, and its type if the pin names it. */
export type HostKeyPin = { type: string | null; sha256: Buffer }

/** The address and the sign-in of a server, with its keys already read. */
export type SftpServer = Pick<
  SftpTransport,
  'host' | 'port' | 'user' | 'out' | 'in' | 'upload' | 'packetBytes' | 'bounds'
> & {
  hostKeys: readonly HostKeyPin[]
  credential: { key: ParsedKey } | { password: string }
}

/**
 * The attributes of a file on the server. Servers may leave out any of them (draft-ietf-secsh-filexfer-02, section 5). Times are in
 * seconds.
 */
export type FileAttributes = { mode?: number; size?: number; mtime?: number }

/** Called during a long transfer. */
export type OnProgress = (progress: { doneBytes: number; totalBytes: number }) => void

/** A regular file in a folder of the bank's server. */
export type RemoteFile = { name: string; byteCount: number; modifiedAt: Date | null }

export type Listing = {
  /** The files, sorted by name. Hidden files, whose names begin with a dot, are left out. */
  files: RemoteFile[]
  /**
   * Files that cannot be fetched, for example because of their names. The bank must send them again. `name` is printable, so it may differ
   * from the real one.
   */
  unusable: { name: string; problem: string }[]
  /** One sentence for each kind of entry that is not a file, or for a missing folder. */
  warnings: string[]
}

/** The place of one of our files on the server. `isSame` is null if the server does not let us read the file. */
export type Place = { at: 'nowhere' | 'temporary' } | { at: 'final'; byteCount: number; isSame: boolean | null }

/**
 * The proof that a file is at the bank. `bytes`: it was read back. `size`: only its size was compared, because the server does not let us
 * read it. `taken`: the server took it away at once, so that only the bank's acknowledgment can prove it.
 */
export type Proof = 'bytes' | 'size' | 'taken'

export type OutgoingFile = {
  name: string
  bytes: Buffer
  /** Whether an earlier try has called `beforePublish`, so that its outcome is unknown. */
  mayBeThere: boolean
  /** Records that the bank may have the file from now on. */
  beforePublish: () => Promise<void>
  onProgress?: OnProgress
}

/**
 * The kind of a failed transfer, which determines what the operator can do. The first five kinds end the session. The others concern one
 * file.
 */
export type TransferProblemKind =
  | 'settings' // a key or password file cannot be read or used
  | 'host_key' // the server has another key than the pinned ones
  | 'sign_in' // the server does not accept the user
  | 'unreachable' // the connection failed or was lost
  | 'timed_out'
  | 'refused' // the server forbids the request
  | 'other_content' // a file of this name has other bytes, or is gone
  | 'failed' // the server reported a failure
  | 'encryption' // a file cannot be encrypted or decrypted with the keys of the connection
  | 'signature' // a file has no signature, or none of a required signer

/** One session at a server. Names are file names in a folder of the server, never paths. After the connection has ended, all calls fail. */
export type TransportSession = {
  upload: Upload
  /** Finds our file in the folder for uploads. `bytes`: the expected content. `temporary`: an upload was interrupted. */
  find(name: string, bytes: Buffer): Promise<Place>
  /** Writes the file under its temporary name, or with `direct` under its final name. */
  prepare(name: string, bytes: Buffer, onProgress?: OnProgress): Promise<void>
  /** Gives a prepared file its final name, which must be free. */
  publish(name: string): Promise<void>
  /** Removes the remains of an interrupted upload, which may exist in addition to the published file. */
  tidy(name: string): Promise<void>
  /** Removes a published file from the folder for uploads. */
  withdraw(name: string): Promise<void>
  /** Lists one of the two folders. A missing folder gives an empty list with a warning. */
  list(folder: 'in' | 'out'): Promise<Listing>
  /** Reads a file in the folder for downloads. Returns null if it has changed since it was listed. */
  read(file: RemoteFile, onProgress?: OnProgress): Promise<Buffer | null>
  /** Removes a file from the folder for downloads. */
  remove(name: string): Promise<void>
}

/** The result of `checkServer`. */
export type ServerCheck = { out: Listing; in: Listing; hasWritten: boolean }

/** The PGP operations of one connection. */
export type Pgp = {
  /** Encrypts and signs a file before it is sent. The result differs each time. @throws TransferProblem `encryption` */
  seal(bytes: Buffer): Promise<Buffer>
  /** Decrypts a received file and checks its signature. @throws TransferProblem `encryption` or `signature` */
  open(bytes: Buffer): Promise<OpenedFile>
}

/** A decrypted file. `signedBy`: the fingerprint of the signer that was checked. Null if no signature is required. */
export type OpenedFile = { bytes: Buffer; signedBy: string | null }
