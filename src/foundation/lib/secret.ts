import { hash, timingSafeEqual } from 'node:crypto'

/** Returns the hash of a secret for storage. Secrets are random, so a fast hash is safe against dictionary attacks. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

const HASH_BYTES = 32

/** A buffer that is used again for each hash. Every request checks a secret, and creating a buffer takes twice as long as hashing. */
const ownHash = Buffer.alloc(HASH_BYTES)

/** Returns whether a secret matches a hash, in constant time. */
export function isSecretOf(secret: string, secretHash: Buffer): boolean {
  ownHash.write(hash('sha256', secret, 'binary'), 'binary')
  return timingSafeEqual(ownHash, secretHash)
}
