import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textTable } from './text-table.ts'

test('a cell can neither control the terminal nor start another line', () => {
  const table = textTable([
    ['NAME', 'STATUS'],
    ['\u001B[2JAda\r\nGrace\u202E', 'VERIFIED'],
  ])
  assert.equal(table, 'NAME            STATUS\n [2JAda Grace   VERIFIED')
})
