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

test('a number that is written in groups is masked too, and dates, amounts and short numbers stay', () => {
  const table: [string, string][] = [
    ['FROM IBAN DE89 3704 0044 0532 0130 00', 'FROM IBAN **** **** **** **** **30 00'],
    ['GB29 NWBK 6016 1331 9268 19 INVOICE 12', '**** **** **** **** **68 19 INVOICE 12'],
    ['DE89370400440532013000', 'DE****************3000'],
    ['ACCT 1234-5678-9012', 'ACCT ****-****-9012'],
    ['PAN 4111 1111 1111 1111', 'PAN **** **** **** 1111'],
    ['amex 3782 822463 10005', 'amex **** ****** *0005'],
    ['ssn 123-45-6789, account 1234 5678', 'ssn ***-**-6789, account **** 5678'],
    ['1042 2026-03-03 10:15', '1042 2026-03-03 10:15'],
    ['2026-03-03 1042 1,250,000.00', '2026-03-03 1042 1,250,000.00'],
    ['4111 1111 1111 1111 12.50', '**** **** **** 1111 12.50'],
    ['check 1042 of 12-03-2026 over 1,250,000.00 and 12.50', 'check 1042 of 12-03-2026 over 1,250,000.00 and 12.50'],
    ['RTP 53 TO UNIT 4 AC04', 'RTP 53 TO UNIT 4 AC04'],
  ]
  for (const [text, masked] of table) assert.equal(maskedLine(text), masked)
})
