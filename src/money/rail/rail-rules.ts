import type { CurrentConnections } from '../../foundation/core/connections.ts'
import type { RailNetwork } from '../../foundation/core/environment.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import type { LegStatus } from './leg-status.ts'

/**
 * The rails of payments, named as in `deposit_option` of a webhook (specification.md 5.4). A new rail also needs a place in the other lists
 * of this file, in `CARRIED_RAILS` of foundation/core/connections.ts (in production, a connection carries it), in `optionsByAccountKind`
 * (payments/payment/payment-rules.ts), in `PAGE_OPTIONS` and `destinations` (payments/recipient), in `BANKING_DAYS`
 * (payments/payment/expected-day-rules.ts), in `railInText` (web/src/pages/payments/payment-words.ts), in `railWords`
 * (web/src/pages/recipient/payment-record.tsx), in `PROCESSOR_RAILS` or `ISO_RAILS` (foundation/core/connections.ts), and in the simulated
 * bank (docs/testing.md).
 */
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

/**
 * Returns whether a rail is available. Simulated rails always are. In production, a connection must carry the rail, except for payments
 * between wallets.
 */
export const isRailOn = (
  rail: Rail,
  { settings, connections }: { settings: { railNetwork: RailNetwork }; connections: CurrentConnections },
): boolean =>
  settings.railNetwork === 'simulated' || rail === 'WALLET' || connectionOfRail(connections.current(), rail) !== null

/**
 * The rails whose provider answers each order in production. A payment is PAID only when the provider reports that the money has moved,
 * never because time has passed.
 */
const ORDER_RAILS = ['INSTANT', 'RTP', 'PAYPAL', 'VENMO', 'INTERAC', 'WIRE', 'SWIFT'] as const satisfies Rail[]

export const isOrderRail = (rail: Rail): boolean => (ORDER_RAILS as readonly Rail[]).includes(rail)

/** Returns whether orders go to a bank, which can be asked to call back one that has left. The payment stays until it answers. */
export const isRecallable = (rail: Rail): boolean => rail === 'RTP' || rail === 'WIRE' || rail === 'SWIFT'

/**
 * Returns whether the next event of a leg in production has no due time. The leg waits for a file or a request, for the acceptance of its
 * file, or for a report of the bank or provider that it was paid.
 */
export const waitsForConnection = (
  { rail, status }: { rail: Rail; status: LegStatus },
  { railNetwork }: { railNetwork: RailNetwork },
): boolean => railNetwork === 'file' && WAITING_FOR_CONNECTION[status]?.includes(rail) === true

const WAITING_FOR_CONNECTION: Partial<Record<LegStatus, readonly Rail[]>> = {
  WAITING: ['ACH', 'MAIL', ...ORDER_RAILS],
  SENT: ['ACH', 'MAIL', 'PRINT', ...ORDER_RAILS],
  ACCEPTED: ['MAIL', ...ORDER_RAILS],
  STOPPING: ['MAIL', 'PRINT', ...ORDER_RAILS],
}

/** The rail for each deposit option of a sender (specification.md 5.4). A WIRE to a bank abroad uses SWIFT. */
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

/** Returns the available rails of a deposit option: several if the account that the payee chooses decides. */
export const railsOfDepositOption = (option: DepositOption, source: Parameters<typeof isRailOn>[1]): Rail[] =>
  (option === 'WIRE' ? (['WIRE', 'SWIFT'] as const) : [railOfDepositOption[option]]).filter((rail) =>
    isRailOn(rail, source),
  )

export const isOptionOn = (option: DepositOption, source: Parameters<typeof isRailOn>[1]): boolean =>
  railsOfDepositOption(option, source).length > 0

export const DEPOSIT_OPTIONS = Object.keys(railOfDepositOption) as DepositOption[]

/** The deposit options for a payment from a bank. The other options need a wallet as funding account (specification.md 5.4). */
export const BANK_FUNDED_OPTIONS: readonly DepositOption[] = ['BANK', 'PRINT', 'MAIL']
