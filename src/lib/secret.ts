import { hash, timingSafeEqual } from 'node:crypto'

/** What is stored of a secret. Secrets are random: a fast hash gives nobody a dictionary to try. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** Whether a secret is the one that was hashed, compared in constant time. */
export const isSecretOf = (secret: string, secretHash: Buffer): boolean =>
  timingSafeEqual(hashSecret(secret), secretHash)
