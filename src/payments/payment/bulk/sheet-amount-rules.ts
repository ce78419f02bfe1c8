import { type Separator, separatorNames } from '../../../foundation/lib/text/sheet.ts'

/** An amount in dollars, or its problem, worded to follow the name of its column. */
export type SheetAmount = { amount: number; problem?: never } | { amount?: never; problem: string }

const UNREADABLE = 'must be dollars and cents, such as 1234.50'

/**
 * Reads an amount in the notations that spreadsheets of several countries use: `1,234.50`, `1.234,50`, `1 234,50` and `1'234.50`, with or
 * without a dollar sign. If commas separate the columns of the file, a comma is never the decimal sign. An amount with two meanings is
 * refused.
 */
export function readSheetAmount(text: string, separator: Separator): SheetAmount {
  const number = text
    .replace(/^(US\$|USD|\$)|(US\$|USD|\$)$/gi, '')
    .replace(/(?<=\d)['’\s](?=\d{3}(?!\d))/g, '') // between thousands, in Switzerland and France
    .trim()
  if (/E[+-]?\d+$/i.test(number))
    return { problem: `is in scientific notation. In the spreadsheet, format the column as a number with two decimals` }
  if (!/^\d[\d.,]*$|^[.,]\d+$/.test(number)) return { problem: UNREADABLE }
  const readings = readingsOf(number)
  const [reading, other] = readings
  if (!reading) return { problem: UNREADABLE }
  if (!other) return judged(reading, separator)
  if (separator === ',' && number.includes(',')) return { amount: dollarsOf(reading) }
  return { problem: `can be ${shown(reading)} or ${shown(other)}. Write ${plain(reading)} or ${plain(other)}` }
}

/** The digits before and after the decimal sign. If there is no decimal sign, `sign` is empty. */
type Reading = { whole: string; cents: string; sign: '' | '.' | ',' }

/** Returns the possible readings. If there are two, the first one takes the sign as a thousands separator. */
function readingsOf(number: string): Reading[] {
  const isGrouped = (text: string, sign: string) =>
    new RegExp(`^[1-9]\\d{0,2}(\\${sign}\\d{3})+$`).test(text) || /^\d+$/.test(text)
  const readings: Reading[] = []
  for (const sign of ['.', ','] as const) {
    const whole = number.replaceAll(sign, '')
    if (number.includes(sign) && isGrouped(number, sign)) readings.push({ whole, cents: '', sign: '' })
  }
  if (/^\d+$/.test(number)) readings.push({ whole: number, cents: '', sign: '' })
  for (const [sign, thousands] of [
    ['.', ','],
    [',', '.'],
  ] as const) {
    const [whole = '', cents, ...more] = number.split(sign)
    if (cents === undefined || more.length > 0 || !/^\d{0,9}$/.test(cents)) continue
    if (whole === '' ? cents !== '' : isGrouped(whole, thousands)) {
      readings.push({ whole: whole.replaceAll(thousands, ''), cents, sign })
    }
  }
  return readings
}

function judged(reading: Reading, separator: Separator): SheetAmount {
  if (/[1-9]/.test(reading.cents.slice(2))) return { problem: UNREADABLE }
  if (reading.sign !== ',' || separator !== ',') return { amount: dollarsOf(reading) }
  return {
    problem: `has a comma before the cents, in a file whose columns are separated by ${separatorNames[separator]}. Write ${plain(reading)}`,
  }
}

const dollarsOf = (reading: Reading): number => Number(plain(reading))

/** Writes an amount with a decimal point and at least two decimals. */
const plain = ({ whole, cents }: Reading): string =>
  `${whole.replace(/^0+(?=\d)/, '') || '0'}.${cents.replace(/(?<=..)0+$/, '').padEnd(2, '0')}`

const shown = (reading: Reading): string => `$${plain(reading).replace(/\B(?=(\d{3})+\.)/g, ',')}`
