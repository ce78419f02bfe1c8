import { randomBytes, randomFillSync } from 'node:crypto'
import type { Clock } from './clock.ts'

/** The source of randomness for ids, nonces and secrets. Tests use a seed. */
export type Random = { bytes(length: number): Buffer }

const POOL_BYTES = 4096
const MAX_POOLED_BYTES = 64

export const systemRandom: Random = createSystemRandom()

/** A system call takes ten times as long as creating an id, so bytes are fetched in bulk, used once and wiped. */
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

/** The last id of each clock, so that ids within a millisecond stay ordered (RFC 9562, 6.2, method 1). */
const lastOf = new WeakMap<Clock, { ms: number; counter: number }>()
const COUNTER_SIZE = 0x1000

function lastIdOf(clock: Clock): { ms: number; counter: number } {
  const known = lastOf.get(clock)
  if (known) return known
  const none = { ms: Number.NaN, counter: 0 }
  lastOf.set(clock, none)
  return none
}

/** A UUID version 7 (RFC 9562) as 32 lower-case hex digits. Later ids sort later, so indexes grow at one end. */
export function newId(deps: { clock: Clock; random: Random }): string {
  const bytes = deps.random.bytes(16)
  const ms = deps.clock.now().getTime()
  // Starts in the lower half, which leaves room within a millisecond. If that runs out, it starts over.
  const last = lastIdOf(deps.clock)
  last.counter = last.ms === ms ? (last.counter + 1) % COUNTER_SIZE : bytes.readUInt16BE(6) % (COUNTER_SIZE / 2)
  last.ms = ms
  bytes.writeUIntBE(ms, 0, 6)
  bytes.writeUInt16BE(0x7000 | last.counter, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex')
}

/** The lowest id of a time: earlier ids are lower, later ids are not. */
export const lowestIdOf = (time: Date): string =>
  Math.max(0, time.getTime()).toString(16).padStart(12, '0').padEnd(32, '0')

/** When an id was created. */
export const timeOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 12), 16))

/** 32 random hex digits: an API key or a webhook key (specification.md 1.2). */
export const newKey = (deps: { random: Random }): string => deps.random.bytes(16).toString('hex')

/** 40 random letters and digits, each equally likely: the secret of an API key (specification.md 1.2). */
export function newSecret(deps: { random: Random }): string {
  let secret = ''
  while (secret.length < 40) {
    for (const byte of deps.random.bytes(64)) {
      // 248 is the largest multiple of 62 below 256. Larger bytes would favor the first letters.
      if (byte < 248 && secret.length < 40) secret += ALPHANUMERIC.charAt(byte % 62)
    }
  }
  return secret
}

export const isId = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)
