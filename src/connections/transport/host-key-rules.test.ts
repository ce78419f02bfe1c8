import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fingerprintOfKey, hostKeyAlgorithms, isPinned, readHostKeyPin } from './host-key-rules.ts'

/** GitHub's host key and its fingerprint, as GitHub publishes them. */
const BLOB = 'AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl'
const KEY = Buffer.from(BLOB, 'base64')
const FINGERPRINT = 'SHA256:+DiY3wvvV6TuJJhbpZisF/zLDA0zPMSvHdkr4UvCOqU'

test('the fingerprint of a key is that of OpenSSH', () => {
  assert.equal(fingerprintOfKey(KEY), FINGERPRINT)
})

test('a pin is a fingerprint, or a line of known_hosts', () => {
  for (const text of [
    FINGERPRINT,
    `ssh-ed25519 ${FINGERPRINT}`,
    `256 ${FINGERPRINT} the key of a bank (ED25519)`,
    `sftp.example.com ssh-ed25519 ${BLOB}`,
    `[sftp.example.com]:2222,192.0.2.1 ssh-ed25519 ${BLOB} added by the bank`,
    `|1|c2FsdHNhbHRzYWx0c2FsdHNhbHQ=|aGFzaGhhc2hoYXNoaGFzaGhhc2g= ssh-ed25519 ${BLOB}`,
    `ssh-ed25519 ${BLOB}`,
  ]) {
    const pin = readHostKeyPin(text)
    assert.ok(pin && isPinned(KEY, [pin]), text)
  }
})

test('a text that is no pin is refused', () => {
  for (const text of [
    '',
    'SHA256:short',
    'MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48',
    'sftp.example.com ssh-ed25519',
    `sftp.example.com ssh-rsa ${BLOB}`,
    'sftp.example.com ssh-ed25519 AAAA!',
  ]) {
    assert.equal(readHostKeyPin(text), null, text)
  }
})

test('another key is not pinned', () => {
  const other = Buffer.from(KEY)
  other[other.length - 1] = (other.at(-1) as number) ^ 1
  assert.equal(isPinned(other, [readHostKeyPin(FINGERPRINT) as never]), false)
  assert.equal(isPinned(KEY, []), false)
})

test('algorithms of pinned types are asked for first, and never RSA with SHA-1', () => {
  const pinOf = (text: string) => readHostKeyPin(text) as NonNullable<ReturnType<typeof readHostKeyPin>>
  const ecdsa = ['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521']
  const rsa = ['rsa-sha2-512', 'rsa-sha2-256']
  assert.deepEqual(hostKeyAlgorithms([pinOf(`ssh-ed25519 ${FINGERPRINT}`)]), ['ssh-ed25519', ...ecdsa, ...rsa])
  assert.deepEqual(hostKeyAlgorithms([pinOf(`ssh-rsa ${FINGERPRINT}`)]), [...rsa, 'ssh-ed25519', ...ecdsa])
  assert.deepEqual(hostKeyAlgorithms([pinOf(FINGERPRINT)]), ['ssh-ed25519', ...ecdsa, ...rsa])
})
