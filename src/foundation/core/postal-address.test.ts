import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPostalServiceOnly, stateAndZipProblems } from './postal-address.ts'

const shape = 'must be a ZIP code of 5 or 9 digits'

test('a ZIP code has five or nine digits and belongs to the state; a zero that a spreadsheet removed is offered', () => {
  const rows: [state: string, zip: string, problems: { state?: string; zip?: string }, country?: string | null][] = [
    ['MA', '02138', {}],
    ['ma', '02138-1234', {}],
    ['Massachusetts', '021381234', {}],
    ['MA', '2138', { zip: `${shape}. A spreadsheet may have removed the zero at the start of 02138` }],
    ['NY', '501', { zip: `${shape}. A spreadsheet may have removed the zero at the start of 00501` }],
    ['CA', '2138', { zip: `${shape}, such as 02138` }],
    ['MA', 'ABC', { zip: `${shape}, such as 02138` }],
    ['MA', '90210', { zip: 'is in CA, and not in MA' }],
    ['MA', '37402', { zip: 'is in TN, and not in MA' }],
    ['MA', '75501', { zip: 'is in TX, and not in MA' }],
    ['AR', '75501', {}],
    ['ZZ', '90210', { state: 'must be a state of the United States, such as MA' }],
    ['ZZ', 'ABC', { state: 'must be a state of the United States, such as MA', zip: `${shape}, such as 02138` }],
    ['CA', '00000', { zip: 'is not a ZIP code of the United States' }],
    ['D.C.', '20500', {}],
    ['new  york', '10001', {}],
    ['NY', '06390', {}],
    ['WY', '83414', {}],
    ['AE', '09012', {}],
    ['PR', '00901', {}],
    ['BC', 'V6B 1A1', {}, 'Canada'],
    ['Bayern', '80331', {}, 'DE'],
    ['ZZ', '02138', { state: 'must be a state of the United States, such as MA' }, 'USA'],
    ['MA', '02138', {}, ''],
    ['MA', '02138', {}, null],
  ]
  for (const [state, zip, problems, country] of rows) {
    assert.deepEqual(stateAndZipProblems({ state, zip, country }), problems, `${state} ${zip}`)
  }
})

test('only the Postal Service reaches PO boxes and military addresses', () => {
  const address = { line_1: '1 Main St', state: 'MA' }
  for (const line of ['PO Box 12', 'P.O. Box 12', 'p o box #7', 'POB 12', 'Post Office Box', 'Box 12']) {
    assert.ok(isPostalServiceOnly({ ...address, line_1: line }), line)
    assert.ok(isPostalServiceOnly({ ...address, line_2: line }), line)
  }
  assert.ok(isPostalServiceOnly({ ...address, state: 'AE' }))
  for (const line of ['1 Main St', '12 Boxwood Ln', '5 Po Boulevard', '1 Post Office Square']) {
    assert.ok(!isPostalServiceOnly({ ...address, line_1: line }), line)
  }
  assert.ok(!isPostalServiceOnly({ ...address, line_1: 'PO Box 12', country: 'Canada' }))
})
