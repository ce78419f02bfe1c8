import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineFile } from './content-disposition.ts'

test('the name of a file cannot be turned to look like another one', () => {
  assert.equal(
    inlineFile('invoice\u202Efdp.exe\r\n.pdf'),
    `inline; filename="invoice fdp.exe .pdf"; filename*=UTF-8''invoice%20fdp.exe%20.pdf`,
  )
})
