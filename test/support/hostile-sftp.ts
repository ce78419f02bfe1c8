import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:net'
import ssh2, { type Connection, type SFTPWrapper } from 'ssh2'
import { fingerprintOfKey } from '../../src/connections/transport/host-key-rules.ts'

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp

/** What a server does wrong. Each member is one fault. */
export type Faults = {
  /** The connection is cut after so many bytes were written to files. */
  cutAfterBytes?: number
  /** Writes beyond so many bytes of a file report a failure, as on a full disk. */
  diskBytes?: number
  /** Writes report success, and nothing is stored. */
  storesNothing?: boolean
  renames?: 'forbidden' | 'overwriting' | 'cut before' | 'cut after'
  /** A file vanishes as soon as it has its final name. */
  takesFiles?: boolean
  /** No file can be read. */
  forbidsReading?: boolean
  /** A file grows each time it is described. */
  growing?: string
  /** These entries are listed in addition to the files. */
  entries?: { filename: string; mode: number }[]
  /** Connections are accepted, and nothing is answered. */
  isSilent?: boolean
  /** The connection is closed after each answer. */
  closesAfterEach?: boolean
  /** Bytes before the identification of the server. */
  banner?: Buffer
}

export type HostileServer = {
  port: number
  fingerprint: string
  files: Map<string, Buffer>
  faults: Faults
  /** The number of connections since the start. */
  connections(): number
  /** Uses another host key for connections from now on. */
  changeHostKey(): void
  stop(): Promise<void>
}

/** A server made with ssh2, whose files are in memory, that does what `faults` says. The user and the password are `acme` and `secret`. */
export async function startHostileServer(faults: Faults = {}): Promise<HostileServer> {
  const files = new Map<string, Buffer>()
  const open = new Set<Connection>()
  let count = 0
  let hostKey = newHostKey()
  const state = { faults, files } as HostileServer
  const listener = createServer((socket) => {
    count++
    socket.on('error', () => {})
    if (state.faults.isSilent) return
    if (state.faults.banner) socket.write(state.faults.banner)
    const server = new ssh2.Server({ hostKeys: [hostKey.privateKey] }, (client) => {
      open.add(client)
      client.on('error', () => {}).on('close', () => open.delete(client))
      client.on('authentication', (context) =>
        context.method === 'password' && context.username === 'acme' && context.password === 'secret'
          ? context.accept()
          : context.reject(['password']),
      )
      client.on('session', (accept) =>
        accept().on('sftp', (acceptSftp) => serve(acceptSftp(), state, () => socket.destroy())),
      )
    })
    server.injectSocket(socket as never)
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  return Object.assign(state, {
    port: (listener.address() as { port: number }).port,
    fingerprint: hostKey.fingerprint,
    connections: () => count,
    changeHostKey: () => {
      hostKey = newHostKey()
    },
    stop: async () => {
      for (const client of open) client.end()
      await new Promise((resolve) => {
        listener.close(resolve)
        for (const client of open) (client as { _sock?: { destroy(): void } } & Connection)._sock?.destroy()
      })
    },
  })
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

type Handle = { path: string; isListed?: boolean }

function serve(sftp: SFTPWrapper, { faults, files }: HostileServer, cut: () => void): void {
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
  const attributesOf = (path: string) => {
    const content = files.get(path) as Buffer
    if (path === faults.growing) files.set(path, Buffer.concat([content, Buffer.from('.')]))
    return { mode: 0o100644, uid: 0, gid: 0, size: content.length, atime: 1_700_000_000, mtime: 1_700_000_000 }
  }
  sftp.on('OPEN', (id, path, flags) => {
    const isWritten = (flags & OPEN_MODE.WRITE) !== 0
    if (!isWritten && !files.has(path)) return answer(id, STATUS_CODE.NO_SUCH_FILE)
    if (!isWritten && faults.forbidsReading) return answer(id, STATUS_CODE.PERMISSION_DENIED)
    if ((flags & OPEN_MODE.EXCL) !== 0 && files.has(path)) return answer(id, STATUS_CODE.FAILURE)
    if (isWritten && !faults.storesNothing && (!files.has(path) || (flags & OPEN_MODE.TRUNC) !== 0))
      files.set(path, Buffer.alloc(0))
    sftp.handle(id, opened({ path }))
  })
  sftp.on('WRITE', (id, handle, offset, data) => {
    const { path } = handleOf(handle)
    written += data.length
    if (faults.cutAfterBytes !== undefined && written > faults.cutAfterBytes) return cut()
    if (faults.diskBytes !== undefined && offset + data.length > faults.diskBytes)
      return answer(id, STATUS_CODE.FAILURE)
    if (!faults.storesNothing) {
      const before = files.get(path) as Buffer
      const after = Buffer.alloc(Math.max(before.length, offset + data.length))
      before.copy(after)
      data.copy(after, offset)
      files.set(path, after)
    }
    answer(id, STATUS_CODE.OK)
  })
  sftp.on('READ', (id, handle, offset, length) => {
    const part = (files.get(handleOf(handle).path) as Buffer).subarray(offset, offset + length)
    if (part.length === 0) return answer(id, STATUS_CODE.EOF)
    sftp.data(id, part)
  })
  sftp.on('CLOSE', (id) => answer(id, STATUS_CODE.OK))
  const describe = (id: number, path: string) =>
    files.has(path) ? sftp.attrs(id, attributesOf(path)) : answer(id, STATUS_CODE.NO_SUCH_FILE)
  sftp.on('LSTAT', describe).on('STAT', describe)
  sftp.on('RENAME', (id, from, to) => {
    if (faults.renames === 'cut before') return cut()
    if (faults.renames === 'forbidden') return answer(id, STATUS_CODE.PERMISSION_DENIED)
    if (!files.has(from)) return answer(id, STATUS_CODE.NO_SUCH_FILE)
    if (files.has(to) && faults.renames !== 'overwriting') return answer(id, STATUS_CODE.FAILURE)
    files.set(to, files.get(from) as Buffer)
    files.delete(from)
    if (faults.takesFiles) files.delete(to)
    if (faults.renames === 'cut after') return cut()
    answer(id, STATUS_CODE.OK)
  })
  sftp.on('REMOVE', (id, path) => answer(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE))
  sftp.on('OPENDIR', (id, path) => sftp.handle(id, opened({ path })))
  sftp.on('READDIR', (id, handle) => {
    const folder = handleOf(handle)
    if (folder.isListed) return answer(id, STATUS_CODE.EOF)
    folder.isListed = true
    const inside = [...files.keys()].filter((path) => path.startsWith(`${folder.path}/`))
    const own = inside.map((path) => ({
      filename: path.slice(folder.path.length + 1),
      longname: '',
      attrs: attributesOf(path),
    }))
    const added = (faults.entries ?? []).map(({ filename, mode }) => ({
      filename,
      longname: '',
      attrs: { mode, uid: 0, gid: 0, size: 1, atime: 1, mtime: 1 },
    }))
    sftp.name(id, [...own, ...added] as never)
  })
}
