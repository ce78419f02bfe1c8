import { execFileSync, spawn } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../packages/embedded-postgres/src/embedded-port.ts'
import type { SftpTransport } from '../../src/foundation/core/connections.ts'
import { requirePackage } from './debian-package.ts'
import { WIDE_BOUNDS } from './transfer.ts'

// OpenSSH's SFTP server as banks run it: `internal-sftp` in a chroot, for a user without rights. Each bank has a server of its own, on a
// free port of the loopback address.

/** The user of the bank's customer. Debian has it, and it owns no files. */
const USER = 'nobody'

/** All users of a chroot must be unable to write into the folders above it, which rules out `/tmp`. */
const ROOT_FOLDER = '/run'

/** Installs Debian's openssh-server if it is missing. @returns the reason why the tests with it are skipped, or null */
export const requireSshd = (): string | null => requirePackage('openssh-server', '/usr/sbin/sshd')

export type Sshd = {
  /** How to reach it: the folders are `/in` for uploads and `/out` for downloads. */
  transport: SftpTransport
  /** The chroot. */
  root: string
  /** The fingerprints of the host keys, by type. */
  fingerprints: Record<'ed25519' | 'rsa', string>
  /** The line of known_hosts for the RSA key. The server prefers the other one. */
  knownHosts: string
  /** Writes a file into a folder, as the bank's customer does. */
  put(path: `${'in' | 'out'}/${string}`, content: Buffer | string): Promise<void>
  stop(): Promise<void>
  /** Starts it again at the same port, with new host keys if `newKeys`. */
  restart(given?: { newKeys?: boolean }): Promise<void>
  /** Stops it and removes its files. */
  remove(): Promise<void>
}

export const SSHD_PASSPHRASE = 'the passphrase of a test'

/** Starts a bank. */
export async function startSshd(): Promise<Sshd> {
  const folder = await mkdtemp(join(ROOT_FOLDER, 'remit-sshd-'))
  await chmod(folder, 0o755)
  const root = join(folder, 'root')
  await mkdir(root)
  for (const name of ['in', 'out']) await makeFolder(join(root, name))
  await mkdir('/run/sshd', { recursive: true }) // for the privilege separation
  const port = await freePort()
  const keyFile = join(folder, 'client')
  keygen(keyFile, 'ed25519', SSHD_PASSPHRASE)
  await copyFile(`${keyFile}.pub`, join(folder, 'authorized_keys'))
  await writeFile(join(folder, 'passphrase'), `${SSHD_PASSPHRASE}\n`, { mode: 0o600 })
  await writeFile(join(folder, 'config'), configOf(folder, root, port))
  let stopServer = async () => {}
  const sshd: Sshd = {
    transport: {
      type: 'sftp',
      host: '127.0.0.1',
      port,
      user: USER,
      credential: { keyFile, passphraseFile: join(folder, 'passphrase') },
      hostKeys: [],
      out: '/in',
      in: '/out',
      upload: 'rename',
      removesRead: true,
      packetBytes: 32_768,
      bounds: WIDE_BOUNDS,
      pgp: null,
    },
    root,
    fingerprints: { ed25519: '', rsa: '' },
    knownHosts: '',
    put: async (path, content) => {
      await writeFile(join(root, path), content)
      await chown(join(root, path), idOf('-u'), idOf('-g'))
    },
    stop: () => stopServer(),
    restart: async ({ newKeys = false } = {}) => {
      await stopServer()
      if (newKeys) await makeHostKeys()
      stopServer = await run(join(folder, 'config'), port)
    },
    remove: async () => {
      await stopServer()
      await rm(folder, { recursive: true })
    },
  }
  const makeHostKeys = async () => {
    for (const type of ['ed25519', 'rsa'] as const) {
      const path = join(folder, type)
      for (const suffix of ['', '.pub']) await rm(path + suffix, { force: true })
      keygen(path, type, '')
      sshd.fingerprints[type] = fingerprintOf(`${path}.pub`)
    }
    sshd.knownHosts = `[127.0.0.1]:${port} ${(await readFile(join(folder, 'rsa.pub'), 'utf8')).trim()}`
    sshd.transport.hostKeys = [sshd.fingerprints.ed25519]
  }
  await sshd.restart({ newKeys: true })
  return sshd
}

/** Makes a folder in the chroot that the bank's customer may write to. */
async function makeFolder(path: string): Promise<void> {
  await mkdir(path)
  await chown(path, idOf('-u'), idOf('-g'))
}

const idOf = (which: '-u' | '-g'): number => Number(execFileSync('id', [which, USER], { encoding: 'utf8' }))

const configOf = (folder: string, root: string, port: number) => `
Port ${port}
ListenAddress 127.0.0.1
HostKey ${folder}/ed25519
HostKey ${folder}/rsa
PidFile none
AuthorizedKeysFile ${folder}/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
Subsystem sftp internal-sftp
ForceCommand internal-sftp
ChrootDirectory ${root}
LogLevel FATAL
`

function keygen(path: string, type: 'ed25519' | 'rsa', passphrase: string): void {
  execFileSync('ssh-keygen', ['-q', '-t', type, '-N', passphrase, '-C', '', '-f', path])
}

const fingerprintOf = (path: string): string =>
  execFileSync('ssh-keygen', ['-l', '-f', path], { encoding: 'utf8' }).split(' ')[1] as string

/** @returns a function that stops it, with the processes of its sessions */
async function run(config: string, port: number): Promise<() => Promise<void>> {
  const child = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', config], {
    stdio: ['ignore', 'ignore', 'inherit'],
    detached: true,
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`sshd ended with ${child.exitCode}`)
    await sleep(20)
  }
  return async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-(child.pid as number), 'SIGKILL')
    await exited
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1')
    socket
      .once('data', () => {
        resolve(true)
        socket.destroy()
      })
      .once('error', () => resolve(false))
      .once('close', () => resolve(false))
  })
