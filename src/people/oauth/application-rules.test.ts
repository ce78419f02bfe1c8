import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRedirectUriOf } from './application-rules.ts'

test('a redirect URI is compared byte for byte, and at a loopback address without its port (RFC 8252, 7.3)', () => {
  const rows: [registered: string, given: string, isAllowed: boolean][] = [
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback', true],
    ['http://127.0.0.1:8000/callback', 'http://127.0.0.1:51004/callback', true],
    ['http://127.0.0.1:8000/callback', 'http://127.0.0.1/callback', true],
    ['http://[::1]:8000/callback?a=b', 'http://[::1]:51004/callback?a=b', true],
    ['http://127.0.0.1', 'http://127.0.0.1:51004', true],
    ['http://localhost:8000/callback', 'http://localhost:8000/callback', true],
    ['http://localhost:8000/callback', 'http://localhost:51004/callback', false],
    ['http://127.0.0.1/callback', 'http://localhost/callback', false],
    ['http://127.0.0.1/callback', 'http://[::1]/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/other', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004/callback?a=b', false],
    ['http://127.0.0.1/callback', 'https://127.0.0.1:51004/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:51004@evil.example/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1.evil.example/callback', false],
    ['http://127.0.0.1/callback', 'http://127.0.0.1:99999/callback', false],
    ['http://127.0.0.2/callback', 'http://127.0.0.2:51004/callback', false],
    ['https://app.example/callback', 'https://app.example:8443/callback', false],
    ['https://app.example/callback', 'https://app.example/callback/', false],
  ]
  for (const [registered, given, isAllowed] of rows) {
    assert.equal(isRedirectUriOf([registered], given), isAllowed, `${registered} ${given}`)
  }
})
