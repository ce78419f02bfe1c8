import { hash, timingSafeEqual } from 'node:crypto'

/** The stored form of a secret. Secrets are random, so a fast hash is safe against dictionary attacks. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether a secret matches a hash, in constant time. */
export const isSecretOf = (secret: string, secretHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash)
