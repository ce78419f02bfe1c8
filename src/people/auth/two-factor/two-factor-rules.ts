import { generateSecret, generateURI, verifySync } from 'otplib'
import type { EnvironmentName } from '../../../foundation/core/environment.ts'

/** RFC 6238 with the parameters that every app supports: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30

export const RECOVERY_CODE_COUNT = 10

/** 160 random bits in base32 (RFC 4226, 4, R6). */
export const newSeed = (): string => generateSecret()

/** The content of the QR code for the app. */
export const seedUri = ({ seed, email, name }: { seed: string; email: string; name: EnvironmentName }): string =>
  generateURI({ issuer: `Remit ${name}`, label: email, secret: seed })

export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/** The time step of an app code: the current one, the previous or the next (RFC 6238, 5.2), or null. */
export function stepOfCode({ seed, code, now }: { seed: string; code: string; now: Date }): number | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret: seed, token: code, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Crockford's base32 in lower case: no letters that look like digits. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ten characters from 32, 50 random bits, displayed in two halves. */
export function recoveryCode(bytes: Buffer): string {
  const text = [...bytes.subarray(0, 10)].map((byte) => RECOVERY_ALPHABET.charAt(byte % 32)).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}
