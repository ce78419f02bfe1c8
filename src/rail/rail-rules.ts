import type { RailNetwork } from '../core/environment.ts'
import type { LegStatus } from './leg-status.ts'

/** The rails money moves on, as `deposit_option` of a webhook names them (specification.md 5.4). */
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

/** The rails that there are where money leaves in files; the others are off until there is something to send them with. */
const RAILS_OF_FILES: readonly Rail[] = ['ACH', 'MAIL', 'PRINT', 'WALLET']

export const isRailOn = (rail: Rail, { railNetwork }: { railNetwork: RailNetwork }): boolean =>
  railNetwork === 'simulated' || RAILS_OF_FILES.includes(rail)

/**
 * Whether a leg does nothing by itself where money leaves in files. It waits to be put into a file, for its file to be
 * accepted, or, as paper that is out, for the bank to pay it.
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

/** What a sender can offer, and the rail it means (specification.md 5.4). A WIRE to a bank abroad is SWIFT. */
export const railOfDepositOption = {
  PRINT: 'PRINT',
  MAIL: 'MAIL',
  BANK: 'ACH',
  CARD: 'INSTANT',
  RTP: 'RTP',
  PAYPAL: 'PAYPAL',
  WALLET: 'WALLET',
  VENMO: 'VENMO',
  INTERAC: 'INTERAC',
  WIRE: 'WIRE',
} as const satisfies Record<string, Rail>

export type DepositOption = keyof typeof railOfDepositOption
export const DEPOSIT_OPTIONS = Object.keys(railOfDepositOption) as DepositOption[]

/** What can be offered on a payment drawn on a bank: the other rails need a wallet as funding account (specification.md 5.4). */
export const BANK_FUNDED_OPTIONS: readonly DepositOption[] = ['BANK', 'PRINT', 'MAIL']
