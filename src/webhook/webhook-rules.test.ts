import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../lib/errors.ts'
import { isPrivateAddress, requireWebhookUrl, signatureHeader, webhookUrlProblem } from './webhook-rules.ts'

test('the signature of the published vector is the published one (api.md 7)', () => {
  const header = signatureHeader({
    key: '335b5728e25b47e88995fce207bff380',
    nonce: '1243549809',
    body: '{"status": "PAID", "id": "ed0af5fb335c47dd8eb53199ba50f5c4", "type": "CHECK"}',
  })
  assert.equal(header, 'nonce=1243549809,signature=4ee9758fc0bceb3ca1a2fe397fbd125364cfffdb04296fa118dab9778a4b3ce3')
})

const everywhere = [
  'https://example.com',
  'https://example.com:8443/hook?a=b',
  'https://203.0.114.7/',
  'https://[2606:4700::1]/x',
]
const locally = ['http://localhost:5000/hook', 'https://localhost/', 'http://127.0.0.1:5000/', 'http://[::1]:5000/']
const nowhere = [
  '',
  'example.com/hook',
  '/hook',
  'ftp://example.com/',
  'javascript:alert(1)',
  'http://example.com/hook',
  'http://localhost.example.com/',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'http://user@localhost:5000/',
  'https://10.0.0.1/',
  'https://172.16.5.4/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://127.0.0.2/',
  'https://0x7f.2/', // 127.0.0.2
  'https://3232235777/', // 192.168.1.1
  'https://224.0.0.1/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[::]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[64:ff9b::a00:1]/', // 10.0.0.1 behind a translator
  'https://app.localhost/',
  'https://localhost./',
]

test('a webhook URL must be https at a public address', () => {
  for (const url of everywhere) assert.equal(webhookUrlProblem(url, { allowsLocal: false }), null, url)
  for (const url of [...locally, ...nowhere]) {
    assert.notEqual(webhookUrlProblem(url, { allowsLocal: false }), null, url)
  }
})

test('where it is allowed, a webhook URL may also be this machine, and nothing else', () => {
  for (const url of [...everywhere, ...locally]) assert.equal(webhookUrlProblem(url, { allowsLocal: true }), null, url)
  for (const url of nowhere) assert.notEqual(webhookUrlProblem(url, { allowsLocal: true }), null, url)
})

test('a refused webhook URL names the field, an accepted one is stored in its normal form', () => {
  const field = 'developer.webhook_uri'
  assert.throws(
    () => requireWebhookUrl('http://example.com', field, { allowsLocal: false }),
    (error) => error instanceof ApiError && error.code === 'invalid_request' && field in (error.fields ?? {}),
  )
  assert.equal(
    requireWebhookUrl('HTTPS://Example.COM:443/Hook', field, { allowsLocal: false }),
    'https://example.com/Hook',
  )
})

test('names are not addresses: what they point to is looked at when a webhook is sent', () => {
  assert.equal(isPrivateAddress('example.com'), false)
  assert.equal(isPrivateAddress('10.0.0.1'), true)
  assert.equal(isPrivateAddress('[::1]'), true)
})
