import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedLine } from './bank-case-view-rules.ts'

test('a line shows the last four digits of a number, and an addenda record also its code and original trace number', () => {
  const table: [string, string][] = [
    ['62109100001900012345678901 0000001060', '**********************8901 ******1060'],
    ['799R20091000010000061      02100002', '799R20091000010000061      ****0002'],
    ['799R1509100001000000226030101140153', '799R15091000010000002**********0153'],
    ['798C01091000010000041      021000020009876543210', '798C01091000010000041      *****************3210'],
    ['705CALLED BY 0123456789', '705CALLED BY ******6789'],
    ['check 1042 of 12/03/2026', 'check 1042 of 12/03/2026'],
  ]
  for (const [text, masked] of table) assert.equal(maskedLine(text), masked)
})
