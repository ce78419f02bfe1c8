import { generateSecret, generateURI, verifySync } from 'otplib'
import type { EnvironmentName } from '../../../foundation/core/environment.ts'

/** The seconds of a time step. RFC 6238 with parameters that every app supports: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30

export const RECOVERY_CODE_COUNT = 10

/** Creates a seed: 160 random bits in base32 (RFC 4226, 4, R6). */
export const newSeed = (): string => generateSecret()

/** Returns the content of the QR code for the authenticator app. */
export const seedUri = ({ seed, email, name }: { seed: string; email: string; name: EnvironmentName }): string =>
  generateURI({ issuer: `Remit ${name}`, label: email, secret: seed })

export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/**
 * Returns the time step of a code from the app: the current step, the previous or the next one (RFC 6238, 5.2). Returns null for other
 * codes.
 */
export function findTimeStep({ seed, code, now }: { seed: string; code: string; now: Date }): number | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret: seed, token: code, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** The alphabet of recovery codes: Crockford's base32 in lower case, without letters that look like digits. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Formats a recovery code: ten characters of five random bits each, in two halves. */
export function recoveryCode(bytes: Buffer): string {
  const text = [...bytes.subarray(0, 10)].map((byte) => RECOVERY_ALPHABET.charAt(byte % 32)).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}
