import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isNewer, mergeSides, type Placed } from './payment-search-rules.ts'

const placed = (id: string): Placed => ({ id, sortValue: id })

test('a full page ends at its last row', () => {
  const sides = [
    { rows: ['9', '7', '5'].map(placed), end: null },
    { rows: ['8', '6'].map(placed), end: null },
  ]
  const { page, next, end } = mergeSides(sides, 4)
  assert.deepEqual(
    page.map(({ id }) => id),
    ['9', '8', '7', '6'],
  )
  assert.deepEqual([next?.id, end], ['6', null])
})

test('rows after the end of another table are left for the next page', () => {
  const sides = [
    { rows: [placed('9')], end: placed('5') },
    { rows: ['8', '4', '3'].map(placed), end: null },
  ]
  const { page, next, end } = mergeSides(sides, 10)
  assert.deepEqual(
    page.map(({ id }) => id),
    ['9', '8'],
  )
  assert.deepEqual([next?.id, end?.id], ['5', '5'])
})

test('the pages of any tables together have each matching row once, newest first', () => {
  const side = fc.uniqueArray(fc.integer({ min: 10, max: 99 }), { maxLength: 30 })
  fc.assert(
    fc.property(
      side,
      side,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 8 }),
      (some, others, limit, window) => {
        const isMatch = (id: string) => Number(id) % 3 === 0
        const lists = [some, others.filter((one) => !some.includes(one))].map((ids) =>
          ids.map(String).sort((a, b) => (a > b ? -1 : 1)),
        )
        const seen: string[] = []
        for (let after: Placed | null = null, pages = 0; ; pages++) {
          assert.ok(pages < 100)
          const sides = lists.map((ids) => {
            const left = ids.filter((id) => after === null || isNewer(after, placed(id)))
            const rows = left
              .slice(0, window)
              .filter(isMatch)
              .slice(0, limit + 1)
              .map(placed)
            const last = left[window - 1]
            return { rows, end: rows.length > limit || last === undefined ? null : placed(last) }
          })
          const { page, next } = mergeSides(sides, limit)
          seen.push(...page.map(({ id }) => id))
          if (!next) break
          after = next
        }
        assert.deepEqual(
          seen,
          lists
            .flat()
            .filter(isMatch)
            .sort((a, b) => (a > b ? -1 : 1)),
        )
      },
    ),
  )
})
