import { createHmac, createSecretKey, hash } from 'node:crypto'

/** The block size of SHA-256. HMAC would hash a longer key first. */
const BLOCK_BYTES = 64
const DIGEST_BYTES = 32
/** The maximum length of a short text, in characters of at most three bytes. */
const MAX_SHORT = 1_000

/**
 * Returns a function that computes HMAC-SHA-256 in hex (RFC 2104). Each payment computes two of them, so their speed matters. For short
 * texts, two calls of `hash` take half as long as the `Hmac` of Node.js, whose objects need finalization by the garbage collector.
 *
 * @param key at most 64 bytes
 */
export function createHmacHex(key: Buffer): (text: string) => string {
  const keyObject = createSecretKey(key)
  const inner = Buffer.concat([padded(key, 0x36), Buffer.alloc(3 * MAX_SHORT)])
  const outer = Buffer.concat([padded(key, 0x5c), Buffer.alloc(DIGEST_BYTES)])
  return (text) => {
    if (text.length > MAX_SHORT) return createHmac('sha256', keyObject).update(text).digest('hex')
    const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES)
    outer.write(hash('sha256', inner.subarray(0, end), 'binary'), BLOCK_BYTES, 'binary')
    return hash('sha256', outer, 'hex')
  }
}

const padded = (key: Buffer, value: number): Buffer =>
  Buffer.concat([key], BLOCK_BYTES).map((byte) => byte ^ value) as Buffer
