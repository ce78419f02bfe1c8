import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { StartProblem } from '../lib/start-problem.ts'

/** What a value is sealed for: it cannot be moved to another column and opened there. */
export type SealPurpose =
  | 'webhook key'
  | 'user ssn'
  | 'user tax id'
  | 'user signature'
  | 'bank account'
  | 'ach file'
  | 'ach correction'
  | 'ach return'
  | 'print file'
  | 'paper account'
  | 'micro-deposits'
  | 'payment pin'
  | 'unsubscribe link'
  | 'idempotency answer'
  | 'two-factor seed'
  | 'verification'
  | 'device'
  | 'client secret'
  | 'mail'
  | 'authorization request'
  | 'suppressed email'

export type DigestPurpose =
  | 'bank account'
  | 'paper account'
  | 'ach account'
  | 'idempotency key'
  | 'idempotency fingerprint'
  | 'verification code'
  | 'recovery code'
  | 'tries'
  | 'mail recipient'
  | 'oauth cookies'
  | 'oauth signing key'
  | 'refresh token'

/**
 * The key ring that lies outside the database. The first key seals, and any key opens what it sealed. A digest is an HMAC
 * that stands for a secret value where equality is asked for. Sealed values and digests begin with the id of their key,
 * so that SQL can tell which ones are left of an old key.
 */
export type KeyRing = {
  readonly ids: readonly [string, ...string[]]
  seal(text: string | Buffer, purpose: SealPurpose): Buffer
  open(sealed: Buffer, purpose: SealPurpose): Buffer
  openText(sealed: Buffer, purpose: SealPurpose): string
  /** 32 bytes that nobody can make without the key. */
  hmac(text: string, purpose: DigestPurpose, keyId: string): Buffer
  /** The same with the id of the key. Which key makes the digests of a database, the database decides: see `digestOf`. */
  digest(text: string, purpose: DigestPurpose, keyId: string): Buffer
  /** The digests of a text by every key of the ring, in the order of the keys. */
  digests(text: string, purpose: DigestPurpose): Buffer[]
  /** Whether a digest is that of a text, whichever key of the ring made it. */
  isDigestOf(digest: Buffer, text: string, purpose: DigestPurpose): boolean
  /** The HMAC of a link of an audit chain, by a key derived from one of the master keys for that alone. */
  chainDigest(text: string, keyId: string): Buffer
  /** Tells two keys of one id apart without giving the key away. */
  fingerprint(id: string): Buffer
  /** The ring of a database whose oldest digests do not name their key: they were made with this one. */
  withUnmarkedDigestsOf(keyId: string): KeyRing
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Makes the value of one entry of `REMIT_MASTER_KEYS`. */
export const newMasterKey = (): string => `k${Date.now().toString(36)}:${randomBytes(32).toString('base64')}`

/**
 * Reads `id:base64,id:base64`, each 32 bytes, the sealing key first.
 *
 * @throws StartProblem which names the entry, never its key
 */
export function parseMasterKeys(text: string): KeyRing {
  const entries = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1))
  const keys = new Map(entries)
  if (keys.size < entries.length) throw new StartProblem('REMIT_MASTER_KEYS names one key id twice')
  return keyRing(keys, null)
}

function parseEntry(entry: string, position: number): [string, Buffer] {
  const match = /^([a-z0-9-]{1,16}):([A-Za-z0-9+/]{43}=)$/.exec(entry)
  if (!match) {
    throw new StartProblem(
      `REMIT_MASTER_KEYS: entry ${position} is not "id:key", where the id has 1 to 16 of a-z, 0-9 and "-" and the key is 32 bytes in base64`,
    )
  }
  return [match[1] as string, Buffer.from(match[2] as string, 'base64')]
}

function keyRing(keys: Map<string, Buffer>, unmarkedId: string | null): KeyRing {
  const ids = [...keys.keys()] as [string, ...string[]]
  const [sealingId] = ids
  const derived = new Map<string, Buffer>()
  // An HMAC with the bytes of a key takes three times as long: a key object is made of them each time.
  const digestKeys = new Map<string, KeyObject>()

  const derive = (id: string, use: 'seal' | 'digest' | 'audit chain') => {
    const name = `${id} ${use}`
    let key = derived.get(name)
    if (!key) {
      const master = keys.get(id)
      if (!master) throw new Error(`the key ring has no key ${id}`)
      key = Buffer.from(hkdfSync('sha256', master, '', `remit ${use}`, 32))
      derived.set(name, key)
    }
    return key
  }

  const open = (sealed: Buffer, purpose: SealPurpose) => {
    const idLength = sealed.readUInt8(0)
    const id = sealed.toString('latin1', 1, 1 + idLength)
    const nonceAt = 1 + idLength
    const tagAt = nonceAt + NONCE_BYTES
    const decipher = createDecipheriv('aes-256-gcm', derive(id, 'seal'), sealed.subarray(nonceAt, tagAt))
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()])
  }

  const hmac = (text: string, purpose: DigestPurpose, id: string) => {
    let key = digestKeys.get(id)
    if (!key) {
      key = createSecretKey(derive(id, 'digest'))
      digestKeys.set(id, key)
    }
    return createHmac('sha256', key).update(`${purpose}\0${text}`).digest()
  }

  const digest = (text: string, purpose: DigestPurpose, id: string) =>
    id === unmarkedId ? hmac(text, purpose, id) : Buffer.concat([keyMark(id), hmac(text, purpose, id)])

  return {
    ids,
    seal: (text, purpose) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', derive(sealingId, 'seal'), nonce)
      cipher.setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([keyMark(sealingId), nonce, cipher.getAuthTag(), body])
    },
    open,
    openText: (sealed, purpose) => open(sealed, purpose).toString(),
    hmac,
    digest,
    digests: (text, purpose) => ids.map((id) => digest(text, purpose, id)),
    isDigestOf: (known, text, purpose) =>
      ids.some((id) => {
        const own = digest(text, purpose, id)
        return own.length === known.length && timingSafeEqual(own, known)
      }),
    chainDigest: (text, keyId) => createHmac('sha256', derive(keyId, 'audit chain')).update(text).digest(),
    fingerprint: (id) => createHash('sha256').update(derive(id, 'seal')).update('fingerprint').digest().subarray(0, 16),
    withUnmarkedDigestsOf: (keyId) => keyRing(keys, keyId),
  }
}

/** What sealed values and digests of a key begin with: the length of its id, and the id. */
export const keyMark = (id: string): Buffer => Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1')])

/** The length of a digest that does not name its key. */
export const UNMARKED_DIGEST_BYTES = 32
