import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadArgon2, nodeArgon2 } from './argon2.ts'

const cost = { memoryCost: 64, timeCost: 2, parallelism: 1 }

test('Node.js and the native package accept each other’s argon2 hashes', async () => {
  const native = await loadArgon2()
  assert.notEqual(native, nodeArgon2)
  for (const [from, to] of [
    [native, nodeArgon2],
    [nodeArgon2, native],
    [nodeArgon2, nodeArgon2],
  ] as const) {
    const hash = await from.hash('correct horse', cost)
    assert.match(hash, /^\$argon2id\$v=19\$m=64,t=2,p=1\$[^$=]{22}\$[^$=]{43}$/)
    assert.equal(await to.verify(hash, 'correct horse'), true)
    assert.equal(await to.verify(hash, 'correct horsf'), false)
  }
  assert.notEqual(await nodeArgon2.hash('same', cost), await nodeArgon2.hash('same', cost))
})

test('a text that is not an argon2id hash causes an error and does not count as a wrong password', async () => {
  for (const text of ['', 'secret', '$argon2i$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaA'])
    await assert.rejects(nodeArgon2.verify(text, 'secret'), /not an argon2id hash/)
})
