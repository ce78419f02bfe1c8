import type { RailNetwork } from '../../foundation/core/environment.ts'
import type { LegStatus } from './leg-status.ts'

/** The rails of payments, named as in `deposit_option` of a webhook (specification.md 5.4). */
export const RAILS = [
  'ACH',
  'MAIL',
  'PRINT',
  'INSTANT',
  'RTP',
  'WALLET',
  'PAYPAL',
  'VENMO',
  'INTERAC',
  'WIRE',
  'SWIFT',
] as const
export type Rail = (typeof RAILS)[number]

/** The names of rails for people, for the beginning of a sentence. */
export const railWords: Record<Rail, string> = {
  ACH: 'ACH',
  MAIL: 'Mailed check',
  PRINT: 'Printed check',
  INSTANT: 'Debit card',
  RTP: 'Real-time payment',
  WALLET: 'Wallet',
  PAYPAL: 'PayPal',
  VENMO: 'Venmo',
  INTERAC: 'Interac',
  WIRE: 'Wire',
  SWIFT: 'International wire',
}

/** The rails that exist where money moves in bank files. All other rails are disabled. */
const RAILS_OF_FILES: readonly Rail[] = ['ACH', 'MAIL', 'PRINT', 'WALLET']

export const isRailOn = (rail: Rail, { railNetwork }: { railNetwork: RailNetwork }): boolean =>
  railNetwork === 'simulated' || RAILS_OF_FILES.includes(rail)

/**
 * Whether a leg on file rails has no event of its own. It waits for a file, for the acceptance of its file or, as an issued check, for the
 * bank to pay it.
 */
export const waitsForFile = (
  { rail, status }: { rail: Rail; status: LegStatus },
  { railNetwork }: { railNetwork: RailNetwork },
): boolean => railNetwork === 'file' && WAITING_IN_FILES[status]?.includes(rail) === true

const WAITING_IN_FILES: Partial<Record<LegStatus, readonly Rail[]>> = {
  WAITING: ['ACH', 'MAIL'],
  SENT: ['ACH', 'MAIL', 'PRINT'],
  ACCEPTED: ['MAIL'],
  STOPPING: ['MAIL', 'PRINT'],
}

/** The rails of a sender's deposit options (specification.md 5.4). A WIRE to a bank abroad uses SWIFT. */
export const railOfDepositOption = {
  PRINT: 'PRINT',
  MAIL: 'MAIL',
  BANK: 'ACH',
  CARD: 'INSTANT',
  VCC: 'INSTANT',
  RTP: 'RTP',
  PAYPAL: 'PAYPAL',
  WALLET: 'WALLET',
  VENMO: 'VENMO',
  INTERAC: 'INTERAC',
  WIRE: 'WIRE',
} as const satisfies Record<string, Rail>

export type DepositOption = keyof typeof railOfDepositOption
export const DEPOSIT_OPTIONS = Object.keys(railOfDepositOption) as DepositOption[]

/** The deposit options for a payment from a bank. The other options need a wallet as funding account (specification.md 5.4). */
export const BANK_FUNDED_OPTIONS: readonly DepositOption[] = ['BANK', 'PRINT', 'MAIL']
