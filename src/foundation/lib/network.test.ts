import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkOf } from './network.ts'

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:1::5', '2001:db8:0:1'],
  ['2001:DB8::1:2:3:4', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['what is this', 'what is this'],
] as const) {
  test(`attempts from ${address} count for ${network}`, () => assert.equal(networkOf(address), network))
}
