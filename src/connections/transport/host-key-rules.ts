import { createHash, timingSafeEqual } from 'node:crypto'
import type { ServerHostKeyAlgorithm } from 'ssh2'
import type { HostKeyPin } from './transport-types.ts'

/** The types of host keys, with their signature algorithms. RSA keys may only sign with SHA-2, because SHA-1 is broken. */
const algorithmsOfType: Readonly<Record<string, ServerHostKeyAlgorithm[]>> = {
  'ssh-ed25519': ['ssh-ed25519'],
  'ecdsa-sha2-nistp256': ['ecdsa-sha2-nistp256'],
  'ecdsa-sha2-nistp384': ['ecdsa-sha2-nistp384'],
  'ecdsa-sha2-nistp521': ['ecdsa-sha2-nistp521'],
  'ssh-rsa': ['rsa-sha2-512', 'rsa-sha2-256'],
}

/** The names of types that `ssh-keygen -l` prints. */
const typesOfName: Readonly<Record<string, string>> = { '(ED25519)': 'ssh-ed25519', '(RSA)': 'ssh-rsa' }

/**
 * Reads a pin in one of three forms. The first is `SHA256:…`, alone or after the type. The second is a line of `ssh-keygen -l`. The
 * third is a line of known_hosts, which may be hashed.
 *
 * @returns null for any other text
 */
export function readHostKeyPin(text: string): HostKeyPin | null {
  const words = text.trim().split(/\s+/)
  const type = words.map((word) => typesOfName[word] ?? word).find((word) => word in algorithmsOfType) ?? null
  const fingerprint = words.find((word) => word.startsWith('SHA256:'))
  if (fingerprint) {
    const sha256 = Buffer.from(fingerprint.slice('SHA256:'.length), 'base64')
    return sha256.length === 32 ? { type, sha256 } : null
  }
  const blob = type && words[words.indexOf(type) + 1]
  if (!blob || !/^[A-Za-z0-9+/]+={0,2}$/.test(blob)) return null
  const key = Buffer.from(blob, 'base64')
  return typeOfHostKey(key) === type ? { type, sha256: sha256Of(key) } : null
}

/** Returns the type that a host key contains (RFC 4253, section 6.6), or null if it cannot be read. */
function typeOfHostKey(key: Buffer): string | null {
  if (key.length < 4) return null
  const length = key.readUInt32BE(0)
  return length > 64 || key.length < 4 + length ? null : key.toString('latin1', 4, 4 + length)
}

export const isPinned = (key: Buffer, pins: readonly HostKeyPin[]): boolean =>
  pins.some(({ sha256 }) => timingSafeEqual(sha256, sha256Of(key)))

/** Formats a fingerprint as OpenSSH does. */
export const fingerprintOf = (sha256: Buffer): string => `SHA256:${sha256.toString('base64').replace(/=+$/, '')}`

export const fingerprintOfKey = (key: Buffer): string => fingerprintOf(sha256Of(key))

const sha256Of = (key: Buffer): Buffer => createHash('sha256').update(key).digest()

/**
 * Returns the host key algorithms to request, best first. A server with several keys uses the first algorithm of this list for which it has
 * a key, so the types of pinned keys come first. The others follow, so that the fingerprint of a new key with another type can be shown.
 */
export function hostKeyAlgorithms(pins: readonly HostKeyPin[]): ServerHostKeyAlgorithm[] {
  const isPinnedType = (type: string) => pins.some((pin) => pin.type === type)
  const types = Object.keys(algorithmsOfType)
  return [...types.filter(isPinnedType), ...types.filter((type) => !isPinnedType(type))].flatMap(
    (type) => algorithmsOfType[type] ?? [],
  )
}
