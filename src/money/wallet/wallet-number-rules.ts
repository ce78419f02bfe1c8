import { MIN_VIRTUAL_DIGITS, type NumberForm, type VirtualAccountRail } from '../../foundation/core/connections.ts'

/** The routing and account number for payments into a wallet over one rail. */
export type WalletNumber = { routing: string; account: string }

/** The number of a wallet for each rail. Null: money cannot reach the wallet over this rail. */
export type WalletNumbers = Record<VirtualAccountRail, WalletNumber | null>

export const NO_NUMBERS: WalletNumbers = { ACH: null, RTP: null, WIRE: null }

/** Returns the simulated account number of a wallet. It is derived only from the wallet's id, so it is stable and reveals nothing else. */
export const simulatedNumber = (routing: string, walletId: string): WalletNumber => ({
  routing,
  account: String(BigInt(`0x${walletId}`) % 10n ** 12n).padStart(12, '0'),
})

/** Generates a number with random digits. `random`: at least 8 bytes. */
export function formNumber({ prefix, length, checkDigit }: NumberForm, random: Buffer): string {
  const freeDigits = length - prefix.length - (checkDigit === 'none' ? 0 : 1)
  const free = String(random.readBigUInt64BE() % 10n ** BigInt(freeDigits)).padStart(freeDigits, '0')
  const number = `${prefix}${free}`
  return checkDigit === 'none' ? number : `${number}${luhnDigit(number)}`
}

/** Returns the check digit of ISO/IEC 7812-1, to be added at the end. */
export function luhnDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 2 : 1)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return String((10 - (sum % 10)) % 10)
}

/** Matches digits in a text, not next to other digits, that may be an account number. Captures them without leading zeros. */
const DIGITS = new RegExp(`(?<!\\d)0*([1-9]\\d{${MIN_VIRTUAL_DIGITS - 1},16})(?!\\d)`, 'g')

export const possibleNumbersIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(DIGITS)].map(([, digits]) => digits as string))),
]
