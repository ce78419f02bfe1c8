import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineFile } from './content-disposition.ts'

test('a file name cannot disguise itself as another one', () => {
  assert.equal(
    inlineFile('invoice\u202Efdp.exe\r\n.pdf'),
    `inline; filename="invoice fdp.exe .pdf"; filename*=UTF-8''invoice%20fdp.exe%20.pdf`,
  )
})

test('characters that RFC 8187 reserves are encoded', () => {
  assert.equal(
    inlineFile("Ada's copy (1)*.pdf"),
    `inline; filename="Ada_s copy (1)_.pdf"; filename*=UTF-8''Ada%27s%20copy%20%281%29%2A.pdf`,
  )
})
