import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteBytes } from '../src/connections/exchange/kept-bytes-actions.ts'
import { DAY, newPair, startFileService } from './support/file-service.ts'

test('the bytes of files are deleted keep_bytes_days after their end, except those of ACH files to the bank', async (t) => {
  const service = await startFileService(t)
  await newPair(service)
  await service.passDays(5)
  await service.receive('unread.ach', 'not a file of a bank')
  const kept = async () => {
    const rows = await service.deps.sql<{ direction: string; status: string; isKept: boolean }[]>`
      select e.direction, e.status, p.content_sealed is not null as is_kept
      from exchanges e
      join exchange_parts p on p.file_id = e.id
      order by e.created_at, e.id
    `
    return rows.map(({ direction, status, isKept }) => [direction, status, isKept])
  }
  const before = await kept()
  assert.deepEqual(before, [
    ['out', 'ACCEPTED', true],
    ['in', 'SET_ASIDE', true],
  ])
  service.clock.advance(399 * DAY)
  assert.equal(await deleteBytes(service), 0)
  service.clock.advance(2 * DAY)
  assert.equal(await deleteBytes(service), 1)
  assert.deepEqual(await kept(), [
    ['out', 'ACCEPTED', true],
    ['in', 'SET_ASIDE', false],
  ])
  assert.equal(await deleteBytes(service), 0)
})
