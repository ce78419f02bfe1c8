import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadArgon2, nodeArgon2 } from './argon2.ts'

const cost = { memoryCost: 64, timeCost: 2, parallelism: 1 }

test('the argon2 of Node.js and the native package accept the hashes of each other', async () => {
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

test('what is no hash of argon2id is an error, not a wrong password', async () => {
  for (const text of ['', 'secret', '$argon2i$v=19$m=64,t=2,p=1$c2FsdHNhbHQ$aGFzaA'])
    await assert.rejects(nodeArgon2.verify(text, 'secret'), /not an argon2id hash/)
})
