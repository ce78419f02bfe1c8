import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** The source of randomness for ids, nonces and secrets. Tests use a seed. */
export type Random = { bytes(length: number): Buffer }

const POOL_BYTES = 4096
const MAX_POOLED_BYTES = 64

export const systemRandom: Random = createSystemRandom()

/**
 * Creates the system's source of randomness. It fetches bytes in bulk, because a system call takes ten times as long as creating an id.
 * Each byte is used once and then overwritten.
 */
function createSystemRandom(): Random {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return {
    bytes: (length) => {
      if (length > MAX_POOLED_BYTES) return randomBytes(length)
      if (used + length > POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      const bytes = Buffer.from(pool.subarray(used, used + length))
      pool.fill(0, used, used + length)
      used += length
      return bytes
    },
  }
}

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The last id of each clock. It keeps ids of the same millisecond in order (RFC 9562, 6.2, method 1). */
const lastOf = new WeakMap<Clock, { ms: number; counter: number }>()
const COUNTER_SIZE = 2 ** 26

function lastIdOf(clock: Clock): { ms: number; counter: number } {
  const known = lastOf.get(clock)
  if (known) return known
  const none = { ms: Number.NaN, counter: 0 }
  lastOf.set(clock, none)
  return none
}

/**
 * Creates a UUID version 7 (RFC 9562) as 32 hex digits in lower case. Later ids sort after earlier ones, so that indexes grow at one end.
 */
export function newId(deps: { clock: Clock; random: Random }): string {
  const bytes = deps.random.bytes(16)
  const ms = deps.clock.now().getTime()
  // The counter starts in the lower half of its range, which leaves room for the ids of one millisecond. If it overflows, it starts over.
  const last = lastIdOf(deps.clock)
  last.counter = last.ms === ms ? (last.counter + 1) % COUNTER_SIZE : bytes.readUInt32BE(6) % (COUNTER_SIZE / 2)
  last.ms = ms
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | (last.counter >>> 14), 6)
  bytes.writeUInt16BE(0x8000 | (last.counter & 0x3fff), 8)
  return bytes.toString('hex')
}

/** Returns the lowest id of a time. Ids that are created earlier are lower. */
export const lowestIdOf = (time: Date): string =>
  Math.max(0, time.getTime()).toString(16).padStart(12, '0').padEnd(32, '0')

/** Returns when an id was created. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 12), 16))

/** Creates an API key or a webhook key: 32 random hex digits (specification.md 1.2). */
export const newKey = (deps: { random: Random }): string => deps.random.bytes(16).toString('hex')

/** Creates the secret of an API key: 40 letters and digits, each equally likely (specification.md 1.2). */
export function newSecret(deps: { random: Random }): string {
  let secret = ''
  while (secret.length < 40) {
    for (const byte of deps.random.bytes(64)) {
      // 248 is the largest multiple of 62 below 256. Using larger bytes would make the first letters more likely.
      if (byte < 248 && secret.length < 40) secret += ALPHANUMERIC.charAt(byte % 62)
    }
  }
  return secret
}

export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
