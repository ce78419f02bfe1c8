import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowedAddress } from './address-rules.ts'

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '203.0.114.7',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2001:4860:4860::8888',
  '::ffff:8.8.8.8',
]

const NOT_PUBLIC: [address: string, what: string][] = [
  ['0.0.0.0', 'this machine'],
  ['0.1.2.3', '"this" network'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.64.0.1', 'carrier-grade NAT'],
  ['100.100.100.200', 'metadata of Alibaba'],
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['168.63.129.16', 'metadata of Azure'],
  ['169.254.0.1', 'link-local'],
  ['169.254.169.254', 'metadata of AWS, Google, Azure'],
  ['169.254.170.2', 'credentials of AWS containers'],
  ['192.0.0.192', 'metadata of Oracle'],
  ['192.0.0.8', 'IETF protocols'],
  ['192.0.2.1', 'documentation'],
  ['198.51.100.1', 'documentation'],
  ['203.0.113.1', 'documentation'],
  ['192.31.196.1', 'AS112'],
  ['192.175.48.1', 'AS112'],
  ['192.52.193.1', 'AMT'],
  ['192.88.99.1', '6to4 relay'],
  ['198.18.0.1', 'benchmarks'],
  ['198.19.255.255', 'benchmarks'],
  ['224.0.0.1', 'multicast'],
  ['239.255.255.255', 'multicast'],
  ['240.0.0.1', 'reserved'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'this machine'],
  ['::1', 'loopback'],
  ['::127.0.0.1', 'IPv4-compatible'],
  ['::10.0.0.1', 'IPv4-compatible'],
  ['::8.8.8.8', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:a9fe:a9fe', 'IPv4-mapped metadata'],
  ['0:0:0:0:0:ffff:10.0.0.1', 'IPv4-mapped'],
  ['::ffff:0:10.0.0.1', 'IPv4-translated'],
  ['64:ff9b::a00:1', 'NAT64'],
  ['64:ff9b::808:808', 'NAT64'],
  ['64:ff9b:1::a00:1', 'NAT64 of a network'],
  ['100::1', 'discard'],
  ['100:0:0:1::1', 'dummy prefix'],
  ['2001::1', 'Teredo'],
  ['2001:0:a00:1::1', 'Teredo'],
  ['2001:1::1', 'IETF protocols'],
  ['2001:2::1', 'benchmarks'],
  ['2001:10::1', 'ORCHID'],
  ['2001:20::1', 'ORCHID'],
  ['2001:db8::1', 'documentation'],
  ['2002:a00:1::1', '6to4'],
  ['2002:808:808::1', '6to4'],
  ['2620:4f:8000::1', 'AS112'],
  ['2600::5efe:10.0.0.1', 'ISATAP'],
  ['2600::200:5efe:a9fe:a9fe', 'ISATAP'],
  ['3ffe::1', '6bone'],
  ['3fff::1', 'documentation'],
  ['4000::1', 'not given out'],
  ['5f00::1', 'segment routing'],
  ['fc00::1', 'unique local'],
  ['fd00:ec2::254', 'metadata of AWS'],
  ['fd20:ce::254', 'metadata of Google'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local with a zone'],
  ['2606:4700::1%eth0', 'with a zone'],
  ['fec0::1', 'site-local'],
  ['ff02::1', 'multicast'],
  ['', 'nothing'],
  ['example.com', 'a name'],
]

const nothingElse = { allowsLocalWebhooks: false, webhookAllowedNetworks: [] }
const isPublic = (address: string) => isAllowedAddress(address, nothingElse, { isLocalUrl: false })

test('addresses of the open Internet are public', () => {
  for (const address of PUBLIC) assert.equal(isPublic(address), true, address)
})

test('all others are not, nor those that lead to one', () => {
  for (const [address, what] of NOT_PUBLIC) assert.equal(isPublic(address), false, `${address}: ${what}`)
})

test('where local webhooks are allowed, a URL may name this machine, and no other private address', () => {
  const local = { allowsLocalWebhooks: true, webhookAllowedNetworks: [] }
  const rows: [address: string, isLocalUrl: boolean, isAllowed: boolean][] = [
    ['127.0.0.1', true, true],
    ['::1', true, true],
    ['127.0.0.1', false, false],
    ['10.0.0.1', true, false],
    ['169.254.169.254', true, false],
    ['8.8.8.8', false, true],
  ]
  for (const [address, isLocalUrl, isAllowed] of rows) {
    assert.equal(isAllowedAddress(address, local, { isLocalUrl }), isAllowed, address)
  }
  const nowhere = { allowsLocalWebhooks: false, webhookAllowedNetworks: [] }
  assert.equal(isAllowedAddress('127.0.0.1', nowhere, { isLocalUrl: true }), false)
})

test('the networks of the operator are allowed, to the last address', () => {
  const settings = { allowsLocalWebhooks: false, webhookAllowedNetworks: ['10.20.0.0/16', 'fd12:3456::/32'] }
  const allowed = ['10.20.0.1', '10.20.255.255', '::ffff:10.20.0.1', 'fd12:3456:ffff::1', '8.8.8.8']
  const refused = ['10.21.0.0', '10.19.255.255', 'fd12:3457::1', '127.0.0.1', '::10.20.0.1', '64:ff9b::a14:1']
  for (const address of allowed) assert.equal(isAllowedAddress(address, settings, { isLocalUrl: false }), true, address)
  for (const address of refused) {
    assert.equal(isAllowedAddress(address, settings, { isLocalUrl: false }), false, address)
  }
})
