import { isScientific } from '../lib/text/sheet.ts'

/** Whether nine digits end in the check digit of an ABA routing number: 3·(1st+4th+7th) + 7·(2nd+5th+8th) + (3rd+6th+9th) is a multiple of 10. */
export function isAbaRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false
  const weights = [3, 7, 1]
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] as number), 0)
  return sum % 10 === 0
}

/** How people and spreadsheets write numbers of banks: in groups, with blanks or hyphens between them. */
export const withoutGroups = (text: string): string => text.replace(/(?<=\d)[ \u00a0\u202f-](?=\d)/g, '')

/** What a spreadsheet did to the number of an account or a bank, as words after its field; null: nothing that is known. */
export function lostDigits(text: string): string | null {
  if (isScientific(text))
    return 'was shortened by a spreadsheet, and its last digits are lost. Format the column as text'
  const padded = text.padStart(9, '0')
  return /^\d{7,8}$/.test(text) && isAbaRoutingNumber(padded)
    ? `must have 9 digits. A spreadsheet may have removed the zero at the start of ${padded}`
    : null
}
