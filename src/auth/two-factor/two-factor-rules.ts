import { generateSecret, generateURI, verifySync } from 'otplib'
import type { EnvironmentName } from '../../core/environment.ts'

/** RFC 6238 with what every app knows: SHA-1, six digits, thirty seconds. */
const STEP_SECONDS = 30

export const RECOVERY_CODE_COUNT = 10

/** 160 random bits in base32 (RFC 4226, 4, R6). */
export const newSeed = (): string => generateSecret()

/** What the app reads from the QR code. */
export const seedUri = ({ seed, email, name }: { seed: string; email: string; name: EnvironmentName }): string =>
  generateURI({ issuer: `Remit ${name}`, label: email, secret: seed })

export const isAppCode = (code: string): boolean => /^\d{6}$/.test(code)

/** The step that a code of the app is for: this one, the one before or the next one (RFC 6238, 5.2). Null: none. */
export function stepOfCode({ seed, code, now }: { seed: string; code: string; now: Date }): number | null {
  const epoch = Math.floor(now.getTime() / 1000)
  const result = verifySync({ secret: seed, token: code, epoch, epochTolerance: STEP_SECONDS })
  return result.valid && 'timeStep' in result ? result.timeStep : null
}

/** Without letters that look like digits (Crockford's base32, in lower case). */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Ten of 32 letters and digits, 50 random bits, in two halves: as it is shown. */
export function recoveryCode(bytes: Buffer): string {
  const text = [...bytes.subarray(0, 10)].map((byte) => RECOVERY_ALPHABET.charAt(byte % 32)).join('')
  return `${text.slice(0, 5)}-${text.slice(5)}`
}
