import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { ApiError } from '../../foundation/core/errors.ts'
import {
  requireWebhookUrl,
  retryAfterSeconds,
  signatureHeader,
  webhookHeaders,
  webhookUrlProblem,
} from './webhook-rules.ts'

const strict = { allowsLocalWebhooks: false, webhookAllowedNetworks: [] }
const local = { allowsLocalWebhooks: true, webhookAllowedNetworks: [] }

test('the signature of the published vector is the published one (specification.md 7.3)', () => {
  const header = signatureHeader({
    key: '335b5728e25b47e88995fce207bff380',
    nonce: '1243549809',
    body: '{"status": "PAID", "id": "ed0af5fb335c47dd8eb53199ba50f5c4", "type": "CHECK"}',
  })
  assert.equal(header, 'nonce=1243549809,signature=4ee9758fc0bceb3ca1a2fe397fbd125364cfffdb04296fa118dab9778a4b3ce3')
})

test('during a rotation the old key signs the one header, and both keys the other', () => {
  const [oldKey, newKey, body] = ['0'.repeat(32), '1'.repeat(32), '{"id":"ä"}']
  const event = { eventId: 'a'.repeat(32), body, order: null, nonce: '42', now: new Date() }
  const verify = (headers: Record<string, string>, key: string) =>
    new Webhook(Buffer.from(key).toString('base64')).verify(body, headers)

  const rotating = webhookHeaders(event, { webhookKey: newKey, previousWebhookKey: oldKey })
  assert.equal(rotating.signature, signatureHeader({ body, nonce: '42', key: oldKey }))
  assert.match(rotating['webhook-signature'] as string, /^v1,\S{44} v1,\S{44}$/)
  for (const key of [oldKey, newKey]) assert.deepEqual(verify(rotating, key), { id: 'ä' })
  assert.throws(() => verify(rotating, '2'.repeat(32)))
  const [newest] = (rotating['webhook-signature'] as string).split(' ')

  const usual = webhookHeaders(event, { webhookKey: newKey, previousWebhookKey: null })
  assert.equal(usual['webhook-signature'], newest, 'the new key is the first one')
  assert.equal(usual.signature, signatureHeader({ body, nonce: '42', key: newKey }))
  assert.throws(() => verify(usual, oldKey))
  const keyId = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 16)
  assert.equal(rotating['webhook-key-id'], `${keyId(newKey)} ${keyId(oldKey)}`)
  assert.equal(usual['webhook-key-id'], keyId(newKey))
  assert.deepEqual(Object.keys(usual).sort(), [
    'content-type',
    'signature',
    'user-agent',
    'webhook-id',
    'webhook-key-id',
    'webhook-signature',
    'webhook-timestamp',
  ])
  const order = { eventAt: new Date('2026-03-02T15:04:05.678Z'), sequence: 42 }
  const ordered = webhookHeaders({ ...event, order }, { webhookKey: newKey, previousWebhookKey: null })
  assert.deepEqual([ordered['webhook-event-time'], ordered['webhook-sequence']], ['2026-03-02T15:04:05Z', '42'])
})

const everywhere = [
  'https://example.com',
  'https://example.com:8443/hook?a=b',
  'https://example.com./hook',
  'https://203.0.114.7/',
  'https://[2606:4700::1]/x',
  'https://bücher.example/',
  'https://exa\tmple.com/', // parsed as example.com, because URL parsers remove tabs and line ends
  'https:\\\\example.com\\@10.0.0.1/', // parsed as a path at example.com
  'https:/example.com',
  'https://10.0.0.1.example.com/',
]
const locally = ['http://localhost:5000/hook', 'https://localhost/', 'http://127.0.0.1:5000/', 'http://[::1]:5000/']
const nowhere = [
  '',
  'example.com/hook',
  '/hook',
  '//example.com/hook',
  'https://',
  'https:///',
  'https://:443/',
  'https://?',
  'https://exam ple.com/',
  'https://example.com:65536/',
  'https://example.com:0/',
  'http://localhost:0/',
  'https://example.com:-1/',
  `https://example.com/${'x'.repeat(2_048)}`,
  `https://example.com/${'ü'.repeat(400)}`, // 2,400 characters after encoding
  'ftp://example.com/',
  'wss://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/plain,x',
  'http://example.com/hook',
  'http://localhost.example.com/',
  'https://user:password@example.com/',
  'https://user@example.com/',
  'https://:password@example.com/',
  'http://user@localhost:5000/',
  'https://example.com@10.0.0.1/',
  'https://10.0.0.1/',
  'https://172.16.5.4/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.64.0.1/',
  'https://0.0.0.0/',
  'https://0/',
  'https://127.0.0.2/',
  'https://127.0.0.2./',
  'https://127.2/',
  'https://0x7f.2/', // 127.0.0.2
  'https://0x7f000002/',
  'https://2130706434/',
  'https://0177.0.0.2/',
  'https://017700000002/',
  'https://%31%32%37.0.0.2/',
  'https://１２７.０.０.２/', // full-width digits
  'https://127。0。0。2/', // ideographic full stops
  'https://3232235777/', // 192.168.1.1
  'https:\\\\10.0.0.1\\',
  'https://10.0.0.1#@example.com/',
  'https://1\t0.0.0.1/',
  'https://256.256.256.256/',
  'https://1.2.3.4.5/',
  'https://224.0.0.1/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://[fe80::1%25eth0]/',
  'https://[::]/',
  'https://[::127.0.0.1]/',
  'https://[::ffff:10.0.0.1]/',
  'https://[0:0:0:0:0:ffff:7f00:2]/',
  'https://[64:ff9b::a00:1]/', // 10.0.0.1 through NAT64
  'https://[2002:a00:1::]/',
  'https://[fec0::1]/',
  'https://app.localhost/',
  'https://localhost./',
  'https://localhost../',
  'https://LOCALHOST./',
  'https://ⓛocalhost./',
]

test('a webhook URL must be https at a public address', () => {
  for (const url of everywhere) assert.equal(webhookUrlProblem(url, strict), null, url)
  for (const url of [...locally, ...nowhere]) assert.notEqual(webhookUrlProblem(url, strict), null, url)
})

test('where it is allowed, a webhook URL may also be this machine, and nothing else', () => {
  for (const url of [...everywhere, ...locally]) assert.equal(webhookUrlProblem(url, local), null, url)
  for (const url of nowhere) assert.notEqual(webhookUrlProblem(url, local), null, url)
})

test('the networks of the operator are allowed, by https and without a user name as everywhere', () => {
  const settings = { allowsLocalWebhooks: false, webhookAllowedNetworks: ['10.0.0.0/8', '127.0.0.0/8'] }
  for (const url of ['https://10.0.0.1/', 'https://127.0.0.1:8443/', 'https://[::ffff:10.0.0.1]/']) {
    assert.equal(webhookUrlProblem(url, settings), null, url)
  }
  for (const url of ['http://10.0.0.1/', 'https://user@10.0.0.1/', 'https://192.168.1.1/', 'http://localhost/']) {
    assert.notEqual(webhookUrlProblem(url, settings), null, url)
  }
})

test('a refused webhook URL names the field, an accepted one is stored in its normal form', () => {
  const field = 'developer.webhook_uri'
  assert.throws(
    () => requireWebhookUrl('http://example.com', field, strict),
    (error) => error instanceof ApiError && error.code === 'invalid_request' && field in (error.fields ?? {}),
  )
  assert.equal(requireWebhookUrl('HTTPS://Example.COM:443/Hook', field, strict), 'https://example.com/Hook')
})

test('Retry-After is seconds or an HTTP date, from now to a day', () => {
  const now = new Date('2026-03-02T10:00:00.500Z')
  const rows: [header: string | undefined, seconds: number | null][] = [
    [undefined, null],
    ['', null],
    ['0', 0],
    ['120', 120],
    [' 120 ', 120],
    ['86400', 86_400],
    ['999999999999999', 86_400],
    ['9'.repeat(400), null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['120, 60', null],
    ['soon', null],
    ['Mon, 02 Mar 2026 10:01:00 GMT', 60],
    ['Mon, 02 Mar 2026 09:00:00 GMT', 0],
    ['Tue, 01 Jan 2999 00:00:00 GMT', 86_400],
    ['Mon, 99 Foo 2026 10:01:00 GMT', null],
    ['2026-03-02', null],
  ]
  for (const [header, seconds] of rows) assert.equal(retryAfterSeconds(header, { now }), seconds, header)
})
