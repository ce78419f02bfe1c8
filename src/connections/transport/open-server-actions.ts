import { readFile } from 'node:fs/promises'
import ssh2 from 'ssh2'
import type { SftpTransport } from '../../foundation/core/connections.ts'
import { readHostKeyPin } from './host-key-rules.ts'
import { shortened, TransferProblem } from './transfer-problem-rules.ts'
import type { HostKeyPin, SftpServer } from './transport-types.ts'

/**
 * Reads the key files of a transport. Decrypting a key takes about a second of CPU time, so the result is kept.
 *
 * @throws TransferProblem `settings`
 */
export async function openServer(transport: SftpTransport): Promise<SftpServer> {
  const hostKeys = readPins(transport)
  return { ...transport, hostKeys, credential: await readCredential(transport) }
}

/** Lists the problems that `openServer` would report, one sentence each. */
export async function serverProblems(transport: SftpTransport): Promise<string[]> {
  const parts = [async () => readPins(transport), () => readCredential(transport)]
  const results = await Promise.allSettled(parts.map((part) => part()))
  return results.flatMap((result) => (result.status === 'rejected' ? [(result.reason as Error).message] : []))
}

function readPins({ hostKeys }: SftpTransport): HostKeyPin[] {
  if (hostKeys.length === 0) throw new TransferProblem('settings', 'No host key is pinned.')
  return hostKeys.map((text) => {
    const pin = readHostKeyPin(text)
    if (!pin) throw new TransferProblem('settings', `"${text}" is neither SHA256:… nor a line of known_hosts.`)
    return pin
  })
}

async function readCredential({ credential }: SftpTransport): Promise<SftpServer['credential']> {
  if ('passwordFile' in credential) return { password: await readSecretLine(credential.passwordFile) }
  const { keyFile, passphraseFile } = credential
  const content = await readKeyFile(keyFile)
  const passphrase = passphraseFile === null ? undefined : await readSecretLine(passphraseFile)
  const parsed = ssh2.utils.parseKey(content, passphrase)
  const key = [parsed].flat()[0] as typeof parsed
  if (key instanceof Error) {
    // ssh2's messages do not contain the key or the passphrase.
    const hint = /Unsupported/.test(key.message) ? ` "ssh-keygen -p -f ${keyFile}" may convert it.` : ''
    throw new TransferProblem('settings', `The key in ${keyFile} cannot be used: ${shortened(key.message)}.${hint}`)
  }
  if (!key.isPrivateKey()) throw new TransferProblem('settings', `${keyFile} contains a public key, not a private one.`)
  return { key }
}

/** Reads a file with one line: a password or a passphrase. The line end is removed. */
export async function readSecretLine(path: string): Promise<string> {
  const line = (await readKeyFile(path)).toString().replace(/\r?\n$/, '')
  if (line === '' || /[\r\n]/.test(line)) throw new TransferProblem('settings', `${path} must contain one line.`)
  return line
}

export async function readKeyFile(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EACCES' ? 'this user may not read it' : `${code}`
    throw new TransferProblem('settings', `${path} cannot be read: ${reason}.`)
  }
}
