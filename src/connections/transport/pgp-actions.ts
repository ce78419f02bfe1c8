import type { Key, Message, PrivateKey, PublicKey, VerifyMessageResult } from 'openpgp'
import type { PgpContract } from '../../foundation/core/connections.ts'
import { readKeyFile, readSecretLine } from './open-server-actions.ts'
import { MAX_DOWNLOAD_BYTES } from './sftp-session-actions.ts'
import { shortened, TransferProblem } from './transfer-problem-rules.ts'
import type { OpenedFile, Pgp } from './transport-types.ts'

type OpenPgp = typeof import('openpgp')

type Keys = {
  encryptTo: PublicKey[]
  signWith: PrivateKey | null
  decryptWith: PrivateKey[]
  signers: PublicKey[]
}

/**
 * Reads the keys of a connection. Keys that have expired since the start are refused when they are used.
 *
 * @param given.maxBytes the maximum size of a decrypted file, because a compressed file can become much larger
 * @throws TransferProblem `settings`
 */
export async function pgpOf(contract: PgpContract, { maxBytes = MAX_DOWNLOAD_BYTES } = {}): Promise<Pgp> {
  const openpgp = await loadOpenPgp()
  const keys = await readKeys(openpgp, contract)
  return {
    seal: (bytes) => seal(openpgp, keys, { bytes, format: contract.isArmored ? 'armored' : 'binary' }),
    open: (bytes) => open(openpgp, keys, { bytes, maxBytes }),
  }
}

/** Lists the current problems of a connection's keys, one sentence each: missing, expired, revoked, or made for another purpose. */
export async function pgpProblems(contract: PgpContract): Promise<string[]> {
  try {
    const { encryptTo, signWith, decryptWith, signers } = await readKeys(await loadOpenPgp(), contract)
    const problems = await Promise.all([
      ...encryptTo.map((key) => unsuitable(key, 'encrypt', key.getEncryptionKey())),
      ...signers.map((key) => unsuitable(key, 'check signatures', key.getSigningKey())),
      ...decryptWith.map((key) => unsuitable(key, 'decrypt', key.getDecryptionKeys())),
      ...(signWith ? [unsuitable(signWith, 'sign', signWith.getSigningKey())] : []),
    ])
    return problems.filter((problem) => problem !== null)
  } catch (error) {
    if (error instanceof TransferProblem) return [error.message]
    throw error
  }
}

const unsuitable = (key: Key, purpose: string, found: Promise<unknown>): Promise<string | null> =>
  found.then(
    () => null,
    ({ message }: Error) => `The PGP key ${fingerprintOf(key)} cannot ${purpose}: ${shortened(message)}.`,
  )

/** Loads the optional dependency, which only connections with PGP need. */
const loadOpenPgp = (): Promise<OpenPgp> =>
  import('openpgp').catch(() => {
    throw new TransferProblem('settings', 'PGP needs the npm package openpgp. Run "npm install openpgp@6".')
  })

async function readKeys(openpgp: OpenPgp, contract: PgpContract): Promise<Keys> {
  const { encryptToFiles, signWithFile, decryptWithFile, passphraseFile, requireSignatureOfFiles } = contract
  const passphrase = passphraseFile === null ? null : await readSecretLine(passphraseFile)
  const privateKeys = async (path: string | null) => {
    if (path === null) return []
    const keys = await parseKeys(path, {
      armored: (armoredKeys) => openpgp.readPrivateKeys({ armoredKeys }),
      binary: (binaryKeys) => openpgp.readPrivateKeys({ binaryKeys }),
    })
    return Promise.all(keys.map((key) => unlock(openpgp, key, { path, passphrase })))
  }
  const publicKeys = async (paths: readonly string[]) => {
    const parsers: Parsers<PublicKey> = {
      armored: (armoredKeys) => openpgp.readKeys({ armoredKeys }),
      binary: (binaryKeys) => openpgp.readKeys({ binaryKeys }),
    }
    return (await Promise.all(paths.map((path) => parseKeys(path, parsers)))).flat()
  }
  const signWith = await privateKeys(signWithFile)
  if (signWith.length > 1) throw new TransferProblem('settings', `${signWithFile} must contain one key.`)
  return {
    encryptTo: await publicKeys(encryptToFiles),
    signWith: signWith[0] ?? null,
    decryptWith: await privateKeys(decryptWithFile),
    signers: await publicKeys(requireSignatureOfFiles),
  }
}

type Parsers<T> = { armored: (text: string) => Promise<T[]>; binary: (bytes: Uint8Array) => Promise<T[]> }

/** Reads a file with one or more keys. */
async function parseKeys<T>(path: string, parsers: Parsers<T>): Promise<T[]> {
  const content = await readKeyFile(path)
  try {
    return await (isArmored(content) ? parsers.armored(content.toString()) : parsers.binary(content))
  } catch (error) {
    const reason = shortened((error as Error).message)
    throw new TransferProblem('settings', `The PGP key in ${path} cannot be read: ${reason}.`)
  }
}

async function unlock(
  openpgp: OpenPgp,
  privateKey: PrivateKey,
  { path, passphrase }: { path: string; passphrase: string | null },
): Promise<PrivateKey> {
  if (privateKey.isDecrypted()) return privateKey
  if (passphrase === null) throw new TransferProblem('settings', `The PGP key in ${path} needs a passphrase file.`)
  return openpgp.decryptKey({ privateKey, passphrase }).catch(() => {
    throw new TransferProblem('settings', `The passphrase does not open the PGP key in ${path}.`)
  })
}

async function seal(
  openpgp: OpenPgp,
  { encryptTo, signWith }: Keys,
  { bytes, format }: { bytes: Buffer; format: 'armored' | 'binary' },
): Promise<Buffer> {
  if (encryptTo.length === 0 && !signWith) return bytes
  try {
    const message = await openpgp.createMessage({ binary: new Uint8Array(bytes) })
    const signingKeys = signWith ?? []
    // `aeadProtect` stays false: GnuPG 2.2 does not read the newer format.
    const sealed =
      encryptTo.length > 0
        ? await openpgp.encrypt({ message, encryptionKeys: encryptTo, signingKeys, format: format as 'binary' })
        : await openpgp.sign({ message, signingKeys, format: format as 'binary' })
    return Buffer.from(sealed)
  } catch (error) {
    throw new TransferProblem('encryption', `The file was not encrypted: ${shortened((error as Error).message)}.`)
  }
}

async function open(
  openpgp: OpenPgp,
  { decryptWith, signers }: Keys,
  { bytes, maxBytes }: { bytes: Buffer; maxBytes: number },
): Promise<OpenedFile> {
  if (decryptWith.length === 0 && signers.length === 0) return { bytes, signedBy: null }
  const config = { maxDecompressedMessageSize: maxBytes }
  const given = { verificationKeys: signers, format: 'binary', config } as const
  try {
    const message = await (isArmored(bytes)
      ? openpgp.readMessage({ armoredMessage: bytes.toString('latin1'), config })
      : openpgp.readMessage({ binaryMessage: new Uint8Array(bytes), config }))
    const { data, signatures } =
      decryptWith.length > 0
        ? await openpgp.decrypt({ message, decryptionKeys: decryptWith, ...given })
        : await openpgp.verify({ message: message as Message<Uint8Array>, ...given })
    return { bytes: Buffer.from(data), signedBy: signers.length > 0 ? await signerOf(signatures, signers) : null }
  } catch (error) {
    if (error instanceof TransferProblem) throw error
    throw new TransferProblem('encryption', `The PGP file cannot be read: ${shortened((error as Error).message)}.`)
  }
}

/** Returns the fingerprint of the first accepted signer with a valid signature. @throws TransferProblem `signature` if there is none */
async function signerOf(signatures: VerifyMessageResult['signatures'], signers: PublicKey[]): Promise<string> {
  const reasons: string[] = []
  for (const { keyID, verified } of signatures) {
    const signer = signers.find((key) => key.getKeys(keyID).length > 0)
    const reason = await verified.then(
      () => null,
      ({ message }: Error) => shortened(message),
    )
    if (signer && reason === null) return fingerprintOf(signer)
    reasons.push(`${keyID.toHex().toUpperCase()}: ${reason}`)
  }
  const accepted = signers.map(fingerprintOf).join(', ')
  throw new TransferProblem(
    'signature',
    reasons.length === 0
      ? `The file is not signed. A signature of ${accepted} is required.`
      : `No signature of the file is valid (${reasons.join(', ')}). A signature of ${accepted} is required.`,
  )
}

const isArmored = (bytes: Buffer): boolean => bytes.subarray(0, 4_096).includes('-----BEGIN PGP')

const fingerprintOf = (key: Key): string => key.getFingerprint().toUpperCase()
