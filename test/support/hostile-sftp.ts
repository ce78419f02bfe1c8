import { generateKeyPairSync } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import ssh2, { type AuthContext, type SFTPWrapper } from 'ssh2'
import { fingerprintOfKey } from '../../src/connections/transport/host-key-rules.ts'
import type { FileAttributes } from '../../src/connections/transport/transport-types.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** The faults of a server. Each member is one fault. */
export type Faults = {
  /** The connection is closed after this number of bytes was written to files. */
  cutAfterBytes?: number
  /** Writes beyond this number of bytes of a file report a failure, as on a full disk. */
  diskBytes?: number
  /** Writes report success, and nothing is stored. */
  storesNothing?: boolean
  /** `copying`: the old name stays. `pretended`: success is reported, and nothing is renamed. */
  renames?: 'forbidden' | 'overwriting' | 'copying' | 'pretended' | 'cut before' | 'cut after'
  /** A file disappears when it has its final name. */
  takesFiles?: boolean
  /** No file can be read. */
  forbidsReading?: boolean
  /** Reads return at most this number of bytes. */
  readsAtMost?: number
  /** A file grows each time it is described. */
  growing?: string
  /** These entries are listed in addition to the files. */
  entries?: { filename: string; longname?: string; attrs: FileAttributes }[]
  /** Listings have no end. */
  listsForever?: boolean
  /** Listings are one packet of any size. */
  listsAtOnce?: boolean
  /** These attributes are left out, in listings or everywhere. */
  hides?: { from: 'listings' | 'everything'; attributes: (keyof FileAttributes)[] }
  /** Connections are closed at once. */
  refuses?: boolean
  /** Connections are accepted, and nothing is answered. */
  isSilent?: boolean
  /** Listings start and are never answered. */
  isSilentAfterSignIn?: boolean
  /** The password is accepted only as the answer to a question. */
  asksForPassword?: 'hidden' | 'shown'
  /** The connection is closed after each answer. */
  closesAfterEach?: boolean
  /** Bytes before the identification of the server. */
  banner?: Buffer
}

export type HostileServer = {
  port: number
  fingerprint: string
  files: Map<string, Buffer>
  /** Files that disappeared when they got their final name. */
  vanished: Map<string, Buffer>
  faults: Faults
  /**
   * Called before each request about files is answered. `false` closes the connection without an answer. Later requests
   * that have arrived are still served, as by servers that work on several at a time.
   */
  onRequest: () => boolean
  /** Uses another host key for connections from now on. */
  changeHostKey(): void
  stop(): Promise<void>
}

/**
 * Starts a server made with ssh2, with files in memory and the given faults. The user and the password are `acme` and
 * `secret`.
 */
export async function startHostileServer(): Promise<HostileServer> {
  const sockets = new Set<Socket>()
  const hostile: HostileServer = {
    port: 0,
    fingerprint: '',
    files: new Map(),
    vanished: new Map(),
    faults: {},
    onRequest: () => true,
    changeHostKey: () => {
      hostKey = newHostKey()
      hostile.fingerprint = hostKey.fingerprint
    },
    stop: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
  let hostKey = newHostKey()
  hostile.fingerprint = hostKey.fingerprint
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    const { refuses, isSilent, banner } = hostile.faults
    if (refuses) socket.destroy()
    if (refuses || isSilent) return
    if (banner) socket.write(banner)
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (client) => {
      client.on('error', () => {})
      client.on('authentication', (context) => signIn(context, hostile.faults))
      client.on('session', (accept) =>
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), hostile, () => socket.destroy())),
      )
    })
    server.injectSocket(socket as never)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  hostile.port = (listener.address() as { port: number }).port
  return hostile
}

function signIn(context: AuthContext, { asksForPassword }: Faults): void {
  const accept = (password?: string) =>
    password === 'secret' && context.username === 'acme' ? context.accept() : context.reject()
  if (asksForPassword && context.method === 'keyboard-interactive') {
    const question = { prompt: 'Password:', echo: asksForPassword === 'shown' }
    context.prompt([question], (answers) => accept(answers[0]))
  } else if (!asksForPassword && context.method === 'password') accept(context.password)
  else context.reject([asksForPassword ? 'keyboard-interactive' : 'password'])
}

function newHostKey(): { privateKey: string; fingerprint: string } {
  const { privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'sec1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  const parsed = ssh2.utils.parseKey(privateKey)
  if (parsed instanceof Error) throw parsed
  return {
    privateKey,
    fingerprint: fingerprintOfKey(([parsed].flat()[0] as { getPublicSSH(): Buffer }).getPublicSSH()),
  }
}

/** The number of entries in one answer. */
const LISTED_AT_ONCE = 100

type Handle = { path: string; unlisted?: unknown[] }

function serve(sftp: SFTPWrapper, hostile: HostileServer, cut: () => void): void {
  const { faults, files } = hostile // a session keeps its faults
  const handles = new Map<number, Handle>()
  let nextHandle = 0
  let written = 0
  const opened = (handle: Handle) => {
    const id = Buffer.alloc(4)
    id.writeUInt32BE(nextHandle)
    handles.set(nextHandle++, handle)
    return id
  }
  const handleOf = (id: Buffer) => handles.get(id.readUInt32BE(0)) as Handle
  const answer = (id: number, code: number) => {
    sftp.status(id, code)
    if (faults.closesAfterEach) setImmediate(cut)
  }
  /** Serves one kind of request. */
  const on = (name: string, serveRequest: (id: number, ...args: never[]) => void) =>
    sftp.on(name as 'OPEN', (id: number, ...args: unknown[]) => {
      if (hostile.onRequest()) serveRequest(id, ...(args as never[]))
      else cut()
    })
  on('OPEN', (id, path: string, flags: number) => {
    const isWritten = (flags & OPEN_MODE.WRITE) !== 0
    if (!isWritten && !files.has(path)) return answer(id, STATUS_CODE.NO_SUCH_FILE)
    if (!isWritten && faults.forbidsReading) return answer(id, STATUS_CODE.PERMISSION_DENIED)
    if ((flags & OPEN_MODE.EXCL) !== 0 && files.has(path)) return answer(id, STATUS_CODE.FAILURE)
    if (isWritten && !faults.storesNothing && (!files.has(path) || (flags & OPEN_MODE.TRUNC) !== 0))
      files.set(path, Buffer.alloc(0))
    sftp.handle(id, opened({ path }))
  })
  on('WRITE', (id, handle: Buffer, offset: number, data: Buffer) => {
    const { path } = handleOf(handle)
    written += data.length
    if (faults.cutAfterBytes !== undefined && written > faults.cutAfterBytes) return cut()
    if (faults.diskBytes !== undefined && offset + data.length > faults.diskBytes)
      return answer(id, STATUS_CODE.FAILURE)
    if (!faults.storesNothing) files.set(path, overwritten(files.get(path) as Buffer, offset, data))
    answer(id, STATUS_CODE.OK)
  })
  on('READ', (id, handle: Buffer, offset: number, length: number) => {
    const { path } = handleOf(handle)
    const count = Math.min(length, faults.readsAtMost ?? length)
    const part = (files.get(path) as Buffer).subarray(offset, offset + count)
    if (part.length === 0) return answer(id, STATUS_CODE.EOF)
    sftp.data(id, part)
  })
  on('CLOSE', (id) => answer(id, STATUS_CODE.OK))
  for (const name of ['LSTAT', 'STAT']) {
    on(name, (id, path: string) =>
      files.has(path) ? sftp.attrs(id, attributesOf(hostile, path) as never) : answer(id, STATUS_CODE.NO_SUCH_FILE),
    )
  }
  on('RENAME', (id, from: string, to: string) => {
    if (faults.renames === 'cut before') return cut()
    if (faults.renames === 'forbidden') return answer(id, STATUS_CODE.PERMISSION_DENIED)
    if (faults.renames === 'pretended') return answer(id, STATUS_CODE.OK)
    if (!files.has(from)) return answer(id, STATUS_CODE.NO_SUCH_FILE)
    if (files.has(to) && faults.renames !== 'overwriting') return answer(id, STATUS_CODE.FAILURE)
    files.set(to, files.get(from) as Buffer)
    if (faults.renames !== 'copying') files.delete(from)
    if (faults.takesFiles) {
      hostile.vanished.set(to, files.get(to) as Buffer)
      files.delete(to)
    }
    if (faults.renames === 'cut after') return cut()
    answer(id, STATUS_CODE.OK)
  })
  on('REMOVE', (id, path: string) => answer(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE))
  on('OPENDIR', (id, path: string) => {
    if (!faults.isSilentAfterSignIn) sftp.handle(id, opened({ path, unlisted: listed(hostile, path) }))
  })
  on('READDIR', (id, handle: Buffer) => {
    const folder = handleOf(handle)
    const unlisted = folder.unlisted ?? []
    const some = faults.listsAtOnce ? unlisted.splice(0) : unlisted.splice(0, LISTED_AT_ONCE)
    if (faults.listsForever) unlisted.push(...some)
    if (some.length === 0) return answer(id, STATUS_CODE.EOF)
    sftp.name(id, some as never)
  })
}

function overwritten(before: Buffer, offset: number, data: Buffer): Buffer {
  const after = Buffer.alloc(Math.max(before.length, offset + data.length))
  before.copy(after)
  data.copy(after, offset)
  return after
}

function attributesOf({ faults, files }: HostileServer, path: string, { isListed = false } = {}): FileAttributes {
  const content = files.get(path) as Buffer
  if (path === faults.growing) files.set(path, Buffer.concat([content, Buffer.from('.')]))
  const attributes: FileAttributes = { mode: 0o100644, size: content.length, mtime: 1_700_000_000 }
  if (isListed || faults.hides?.from === 'everything') {
    for (const name of faults.hides?.attributes ?? []) delete attributes[name]
  }
  return withAccessTime(attributes)
}

/** ssh2 sends the modification time only together with the access time. */
const withAccessTime = (attributes: FileAttributes): FileAttributes =>
  attributes.mtime === undefined ? attributes : ({ ...attributes, atime: attributes.mtime } as FileAttributes)

function listed(hostile: HostileServer, folder: string): unknown[] {
  const inside = [...hostile.files.keys()].filter((path) => path.startsWith(`${folder}/`))
  const own = inside.map((path) => ({
    filename: path.slice(folder.length + 1),
    longname: '',
    attrs: attributesOf(hostile, path, { isListed: true }),
  }))
  const added = (hostile.faults.entries ?? []).map((entry) => ({ longname: '', ...entry }))
  return [...own, ...added]
}
