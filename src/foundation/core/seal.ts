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
import { systemRandom } from '../lib/ids.ts'
import { StartProblem } from '../lib/start-problem.ts'
import { createHmacHex } from './hmac.ts'

/** The purpose of a sealed value. A value opens only for the purpose that it was sealed for, so it cannot be moved to another column. */
export type SealPurpose =
  | 'webhook key'
  | 'webhook body'
  | 'request body'
  | 'user ssn'
  | 'user tax id'
  | 'user signature'
  | 'bank account'
  | 'card number'
  | 'ach file'
  | 'ach correction'
  | 'ach return'
  | 'inbound file'
  | 'bank case'
  | 'statement line'
  | 'wallet number'
  | 'month report'
  | 'print file'
  | 'paper account'
  | 'micro-deposits'
  | 'institution login'
  | 'payment pin'
  | 'unsubscribe link'
  | 'idempotency answer'
  | 'two-factor seed'
  | 'verification'
  | 'device'
  | 'client secret'
  | 'mail'
  | 'mail scan'
  | 'authorization request'
  | 'suppressed email'

export type DigestPurpose =
  | 'bank account'
  | 'wallet number'
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
 * The key ring, which is stored outside of the database. The first key is the primary key: it seals values. All keys can open them. A
 * digest is an HMAC of a secret value, for equality checks. Sealed values and digests begin with the id of their key, so that SQL can find
 * those of an old key.
 */
export type KeyRing = {
  readonly ids: readonly [string, ...string[]]
  seal(text: string | Buffer, purpose: SealPurpose): Buffer
  open(sealed: Buffer, purpose: SealPurpose): Buffer
  openText(sealed: Buffer, purpose: SealPurpose): string
  /** Returns an HMAC of 32 bytes. */
  hmac(text: string, purpose: DigestPurpose, keyId: string): Buffer
  /** Returns an HMAC that begins with the id of its key. The database decides which key its digests use (`renewAndDigest`). */
  digest(text: string, purpose: DigestPurpose, keyId: string): Buffer
  /** Returns a digest in hex. It creates no buffers, because it runs for each payment. */
  digestHex(text: string, purpose: DigestPurpose, keyId: string): string
  /** Returns the digests of a text by every key of the ring, in ring order. */
  digests(text: string, purpose: DigestPurpose): Buffer[]
  /** Returns whether a digest matches a text with any key of the ring. */
  isDigestOf(digest: Buffer, text: string, purpose: DigestPurpose): boolean
  /** Returns the HMAC of an audit chain link. Its key is derived from a master key for this purpose only. */
  chainDigest(text: string, keyId: string): Buffer
  /** Returns a value that distinguishes two keys with the same id without revealing them. */
  fingerprint(id: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Creates a random entry for `REMIT_MASTER_KEYS`. */
export const newMasterKey = (): string => `k${Date.now().toString(36)}:${randomBytes(32).toString('base64')}`

/**
 * Parses `id:base64,id:base64`. Each key has 32 bytes. The first key is the primary key.
 *
 * @throws StartProblem that names the entry and never contains its key
 */
export function parseMasterKeys(text: string): KeyRing {
  const entries = text.split(',').map((entry, index) => parseEntry(entry.trim(), index + 1))
  const keys = new Map(entries)
  if (keys.size < entries.length)
    throw new StartProblem('REMIT_MASTER_KEYS contains a key id twice. Give each key its own id.')
  return keyRing(keys)
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

function keyRing(keys: Map<string, Buffer>): KeyRing {
  const ids = [...keys.keys()] as [string, ...string[]]
  const [sealingId] = ids
  const derived = new Map<string, Buffer>()
  const sealingKeys = new Map<string, KeyObject>()
  const hexDigests = new Map<string, (text: string) => string>()

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

  // A cipher that gets the bytes of a key creates its own key object, which takes twice as long as sealing a number.
  const sealingKey = (id: string) => {
    const key = sealingKeys.get(id) ?? createSecretKey(derive(id, 'seal'))
    sealingKeys.set(id, key)
    return key
  }

  const open = (sealed: Buffer, purpose: SealPurpose) => {
    const idLength = sealed.readUInt8(0)
    const id = sealed.toString('latin1', 1, 1 + idLength)
    const nonceAt = 1 + idLength
    const tagAt = nonceAt + NONCE_BYTES
    const decipher = createDecipheriv('aes-256-gcm', sealingKey(id), sealed.subarray(nonceAt, tagAt))
    decipher.setAAD(Buffer.from(purpose))
    decipher.setAuthTag(sealed.subarray(tagAt, tagAt + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(tagAt + TAG_BYTES)), decipher.final()])
  }

  const hmacHex = (text: string, purpose: DigestPurpose, id: string) => {
    let digestOf = hexDigests.get(id)
    if (!digestOf) {
      digestOf = createHmacHex(derive(id, 'digest'))
      hexDigests.set(id, digestOf)
    }
    return digestOf(`${purpose}\0${text}`)
  }

  const hmac = (text: string, purpose: DigestPurpose, id: string) => Buffer.from(hmacHex(text, purpose, id), 'hex')

  const marksHex = new Map(ids.map((id) => [id, keyMark(id).toString('hex')]))

  const digest = (text: string, purpose: DigestPurpose, id: string) =>
    Buffer.concat([keyMark(id), hmac(text, purpose, id)])

  return {
    ids,
    seal: (text, purpose) => {
      const nonce = systemRandom.bytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealingKey(sealingId), nonce)
      cipher.setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text), cipher.final()])
      return Buffer.concat([keyMark(sealingId), nonce, cipher.getAuthTag(), body])
    },
    open,
    openText: (sealed, purpose) => open(sealed, purpose).toString(),
    hmac,
    digest,
    digestHex: (text, purpose, id) => `${marksHex.get(id) ?? ''}${hmacHex(text, purpose, id)}`,
    digests: (text, purpose) => ids.map((id) => digest(text, purpose, id)),
    isDigestOf: (known, text, purpose) =>
      ids.some((id) => {
        const own = digest(text, purpose, id)
        return own.length === known.length && timingSafeEqual(own, known)
      }),
    chainDigest: (text, keyId) => createHmac('sha256', derive(keyId, 'audit chain')).update(text).digest(),
    fingerprint: (id) => createHash('sha256').update(derive(id, 'seal')).update('fingerprint').digest().subarray(0, 16),
  }
}

/** Returns the prefix of a key's sealed values and digests: the length of its id, and the id. */
export const keyMark = (id: string): Buffer => Buffer.concat([Buffer.from([id.length]), Buffer.from(id, 'latin1')])
