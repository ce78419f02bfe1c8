import { isAbaRoutingNumber } from '../../../foundation/core/routing-number.ts'
import { isCalendarDate } from '../../../foundation/lib/clock.ts'
import { isBic, isIban } from '../../destination/destination-rules.ts'
import { isReference } from './character-set-rules.ts'

/** The formats of values that are written unchanged. `problem` completes the sentence "The element … ". */
export const valueFormats = {
  reference: { fits: isReference, problem: 'must be an id of letters, digits and /-?:().,\'+ without "//"' },
  code: {
    fits: (text) => /^[A-Z0-9]{1,4}$/.test(text),
    problem: 'must be a code of up to 4 capital letters and digits',
  },
  bic: { fits: isBic, problem: 'is not a BIC' },
  iban: { fits: isIban, problem: 'is not an IBAN: its check digits do not match' },
  account: { fits: (text) => /^[A-Za-z0-9][A-Za-z0-9 -]*$/.test(text), problem: 'must have only letters and digits' },
  routing: { fits: isAbaRoutingNumber, problem: 'is not a routing number: its check digit does not match' },
  clearing: { fits: (text) => /^[A-Z0-9]+$/.test(text), problem: 'must have only capital letters and digits' },
  country: { fits: (text) => COUNTRIES.has(text), problem: 'is not the code of a country (ISO 3166)' },
  currency: { fits: (text) => /^[A-Z]{3}$/.test(text), problem: 'is not the code of a currency' },
  date: { fits: isCalendarDate, problem: 'is not a date' },
  time: { fits: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text), problem: 'is not a time' },
  amount: { fits: (text) => /^(?!0*\.?0*$)\d{1,13}(\.\d{1,5})?$/.test(text), problem: 'must be a positive amount' },
  count: { fits: (text) => /^[1-9]\d*$/.test(text), problem: 'must be a positive number' },
  uuid: {
    fits: (text) => /^[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[89ab][a-f0-9]{3}-[a-f0-9]{12}$/.test(text),
    problem: 'is not a UUID of version 4',
  },
} as const satisfies Record<string, { fits(text: string): boolean; problem: string }>

export type ValueFormat = keyof typeof valueFormats

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const regionNames = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/** The codes of two letters that Unicode knows as regions. Withdrawn codes are replaced by newer ones, and ZZ means no region. */
const COUNTRIES = new Set(
  LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).filter(
    (code) => code !== 'ZZ' && new Intl.Locale('und', { region: code }).region === code && regionNames.of(code),
  ),
)

/**
 * Writes an amount exactly: 1230 with two decimals is `12.30`.
 *
 * @param minor an integer of the smallest unit
 * @throws RangeError if the number is no safe integer
 */
export function decimalText(minor: number | bigint, decimals: number): string {
  if (typeof minor === 'number' && !Number.isSafeInteger(minor)) throw new RangeError('an amount is not exact')
  const digits = String(minor < 0 ? -minor : minor).padStart(decimals + 1, '0')
  const sign = minor < 0 ? '-' : ''
  const at = digits.length - decimals
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, at)}.${digits.slice(at)}`
}
