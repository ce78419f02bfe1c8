import { isScientific } from '../lib/text/sheet.ts'

/**
 * Returns whether a text is an ABA routing number: nine digits for which 3·(1st+4th+7th) + 7·(2nd+5th+8th) + (3rd+6th+9th) is a multiple of
 * 10.
 */
export function isAbaRoutingNumber(text: string): boolean {
  if (!/^\d{9}$/.test(text) || text === '000000000') return false
  const weights = [3, 7, 1]
  const sum = [...text].reduce((total, digit, index) => total + Number(digit) * (weights[index % 3] as number), 0)
  return sum % 10 === 0
}

/** Removes spaces and hyphens between digits. People and spreadsheets write bank numbers in groups. */
export const withoutGroups = (text: string): string => text.replace(/(?<=\d)[ \u00a0\u202f-](?=\d)/g, '')

/**
 * Explains how a spreadsheet damaged the number of a bank or an account, as a text that follows the field's name. Returns null if no
 * damage is detected.
 */
export function lostDigits(text: string): string | null {
  if (isScientific(text))
    return 'was shortened by a spreadsheet, and its last digits are lost. Format the column as text'
  const padded = text.padStart(9, '0')
  return /^\d{7,8}$/.test(text) && isAbaRoutingNumber(padded)
    ? `must have 9 digits. A spreadsheet may have removed the zero at the start of ${padded}`
    : null
}

/**
 * Formats a routing number as a fraction, which people type when the MICR line is unreadable: 021200025 is "2/212". Banks print a prefix
 * for their city or state before it ("55-2/212"), which the routing number does not contain.
 */
export function fractionalRouting(routingNumber: string): string {
  const [symbol, institution] = [routingNumber.slice(0, 4), routingNumber.slice(4, 8)]
  return `${Number(institution)}/${Number(symbol)}`
}

/** Returns whether a fraction, with or without a prefix, belongs to a routing number. */
export function isFractionOf(fraction: string, routingNumber: string): boolean {
  const [, institution, symbol] = /^(?:\d{1,2}-)?(\d{1,4})\/(\d{1,4})$/.exec(fraction) ?? []
  return `${Number(institution)}/${Number(symbol)}` === fractionalRouting(routingNumber)
}
