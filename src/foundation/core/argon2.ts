import crypto from 'node:crypto'
import { promisify } from 'node:util'
import { StartProblem } from '../lib/start-problem.ts'

/** `memoryCost` is in KiB, `timeCost` in passes. */
type Cost = { memoryCost: number; timeCost: number; parallelism: number }

/** argon2id with hashes in the PHC string format: `$argon2id$v=19$m=19456,t=2,p=1$SALT$HASH`. */
export type Argon2 = {
  hash(password: string | Buffer, cost: Cost): Promise<string>
  verify(hash: string, password: string): Promise<boolean>
}

/**
 * Loads the native code of @node-rs/argon2, or else uses the argon2 of Node.js 24.7, which takes twice as long. `npm ci --omit=optional`
 * leaves the native code out.
 *
 * @throws StartProblem if there is neither
 */
export async function loadArgon2(): Promise<Argon2> {
  const native = await import('@node-rs/argon2').catch(() => null)
  if (native) return native
  if (typeof crypto.argon2 === 'function') return nodeArgon2
  throw new StartProblem('Passwords need Node.js 24.7 or newer. Install it, or run npm ci without --omit=optional.')
}

export const nodeArgon2: Argon2 = {
  hash: async (password, { memoryCost, timeCost, parallelism }) => {
    const nonce = crypto.randomBytes(16)
    const parameters = { nonce, memory: memoryCost, passes: timeCost, parallelism, tagLength: 32 }
    const hash = await derive({ ...parameters, message: password })
    return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
  },
  verify: async (hash, password) => {
    const [, memory, passes, parallelism, salt, tag] = PHC.exec(hash) ?? []
    if (!salt || !tag) throw new Error('not an argon2id hash')
    const expected = Buffer.from(tag, 'base64')
    const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
    const nonce = Buffer.from(salt, 'base64')
    const given = await derive({ ...costs, nonce, message: password, tagLength: expected.length })
    return crypto.timingSafeEqual(expected, given)
  },
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Computes the hash in the thread pool, so that the event loop stays free. */
const derive = (parameters: crypto.Argon2Parameters): Promise<Buffer> =>
  promisify(crypto.argon2)('argon2id', parameters) as Promise<Buffer>

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
