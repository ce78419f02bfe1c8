import { ApiError } from '../../foundation/core/errors.ts'
import { centsToDollars } from '../../foundation/core/money.ts'
import type { PaperRail } from '../../foundation/core/operator-account.ts'
import { formatDateTime } from '../../foundation/lib/clock.ts'
import { isId } from '../../foundation/lib/ids.ts'
import { emailProblem, isEmail, normalizeEmail } from '../../foundation/lib/text/email.ts'
import { hiddenCharacterIn } from '../../foundation/lib/text/hidden-character.ts'
import {
  BANK_FUNDED_OPTIONS,
  DEPOSIT_OPTIONS,
  type DepositOption,
  isOptionOn,
  isRailOn,
  type Rail,
  railOfDepositOption,
  railsOfDepositOption,
} from '../../money/rail/rail-rules.ts'
import { isPaper } from '../../money/rail/simulated-rail-rules.ts'
import { normalizePhone } from '../../people/user/user-rules.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { DestinationKind, FundingKind, GivenLine, PaymentRow, RemittanceLine } from './payment-types.ts'

/** The recipient of a payment: an email address, phone number or user_id, or an account of a user of the platform. */
export type RecipientInput = string | { id: string; account: string }

export type ParsedRecipient = {
  /** The recipient as the sender entered it. */
  text: string
  id: string | null
  email: string | null
  /** The phone number in E.164. */
  phone: string | null
  /** Whether a person without an account can be reached at this address. */
  isReachable: boolean
  destinationId: string | null
}

export function parseRecipient(input: RecipientInput): ParsedRecipient {
  if (typeof input !== 'string') {
    const id = isId(input.id) ? input.id : null
    return { text: input.id, id, email: null, phone: null, isReachable: false, destinationId: input.account }
  }
  const email = isEmail(input) ? normalizeEmail(input) : null
  const phone = email === null ? normalizePhone(input) : null
  return {
    text: input,
    id: null,
    email,
    phone,
    isReachable: email !== null || phone !== null,
    destinationId: null,
  }
}

/**
 * Explains why a text is not a valid recipient, as a phrase that follows the name of the field. A text with an @ is treated as an email
 * address.
 */
export const recipientProblem = (text: string): string =>
  hiddenCharacterIn(text) ??
  (text.includes('@')
    ? emailProblem(text)
    : 'must be an email address, a phone number and nothing else, or a user_id of the platform')

/**
 * Returns the deposit options that the recipient can choose. `hasPaper`: whether there is an account to draw checks of a rail on. `source`:
 * the settings and connections that decide which rails are available.
 *
 * @throws ApiError invalid_deposit_option, paper_unavailable
 */
export function offeredOptions(
  wanted: readonly DepositOption[] | null | undefined,
  fundingKind: FundingKind,
  { hasPaper, source }: { hasPaper(rail: PaperRail): boolean; source: RailSource },
): readonly DepositOption[] {
  const possible = fundingKind === 'wallet' ? DEPOSIT_OPTIONS : BANK_FUNDED_OPTIONS
  const foreign = wanted?.find((option) => !possible.includes(option))
  if (foreign)
    throw invalidDepositOption('deposit_options', `cannot include ${foreign} unless a wallet funds the payment`)
  const isOffered = (option: DepositOption) =>
    isOnPaper(option) ? hasPaper(railOfDepositOption[option] as PaperRail) : isOptionOn(option, source)
  const off = wanted?.find((option) => !isOffered(option))
  if (off && isOnPaper(off)) throw new ApiError('paper_unavailable')
  if (off)
    throw invalidDepositOption('deposit_options', `cannot include ${off}, because no bank or provider carries it here`)
  return wanted ?? possible.filter(isOffered)
}

/** Returns all rails on which a payee can be paid who chooses one of these options. */
export const railsOfOptions = (options: readonly DepositOption[], source: RailSource): Rail[] =>
  options.flatMap((option) =>
    isOnPaper(option) ? [railOfDepositOption[option]] : railsOfDepositOption(option, source),
  )

type RailSource = Parameters<typeof isRailOn>[1]

const isOnPaper = (option: DepositOption): boolean => isPaper(railOfDepositOption[option])

/** The deposit options for each kind of account, the preferred one first. */
const optionsByAccountKind: Record<DestinationKind, readonly DepositOption[]> = {
  bank: ['BANK', 'RTP'],
  wallet: ['WALLET'],
  card: ['CARD'],
  vcc: ['VCC'],
  paypal: ['PAYPAL'],
  venmo: ['VENMO'],
  interac: ['INTERAC'],
  wire: ['WIRE'],
}

/**
 * Returns the rail on which a payment reaches an account.
 *
 * @throws ApiError invalid_deposit_option if the sender does not offer it, or this environment does not support it
 */
export function railForAccount(
  { kind, isAbroad }: { kind: DestinationKind; isAbroad: boolean },
  offered: readonly string[],
  source: RailSource,
): Rail {
  const options = optionsByAccountKind[kind].filter((one) => offered.includes(one))
  if (options.length === 0)
    throw invalidDepositOption(
      'account',
      `is a ${kind}, but this payment does not offer ${optionsByAccountKind[kind][0]}. Choose another account`,
    )
  const rails = options.map((option) => (option === 'WIRE' && isAbroad ? 'SWIFT' : railOfDepositOption[option]))
  const rail = rails.find((one) => isRailOn(one, source))
  if (!rail)
    throw invalidDepositOption(
      'account',
      `is a ${kind}, but ${rails[0]} is not available here yet. Choose another account`,
    )
  return rail
}

export type PostalAddress = {
  line_1: string
  line_2?: string | null
  city: string
  state: string
  zip: string
  country?: string | null
}

/** The ways in which a paper check is mailed. */
export const MAIL_TYPES = ['USPS_FIRST_CLASS', 'OVERNIGHT', 'TWO_DAY', 'USPS_CERTIFIED'] as const
export const DEFAULT_MAIL_TYPE = 'USPS_FIRST_CLASS'

/** Returns whether the recipient is a postal address, to which a paper check is mailed. */
export const isPostalAddress = (recipient: RecipientInput | PostalAddress): recipient is PostalAddress =>
  typeof recipient === 'object' && 'line_1' in recipient

/** Formats an address in one line. */
export const addressLine = ({ line_1, line_2, city, state, zip, country }: PostalAddress): string =>
  [line_1, line_2, city, `${state} ${zip}`, country].filter(Boolean).join(', ')

export const invalidDepositOption = (field: 'deposit_options' | 'account', problem: string) =>
  new ApiError('invalid_deposit_option', { fields: { [field]: [problem] } })

/** The sort fields of payment lists. */
export const paymentSorts = {
  NUMBER: 'text',
  TYPE: 'text',
  AMOUNT: 'bigint',
  STATUS: 'text',
  DATE: 'timestamptz',
  UPDATE: 'timestamptz',
  DESCRIPTION: 'text',
} as const

export type PaymentSort = keyof typeof paymentSorts

/**
 * Returns the body of a webhook. It is fixed when the event is created. A payment without a rail has no deposit_option (specification.md
 * 7.1).
 */
export const paymentEventBody = (payment: { id: string; status: PaymentStatus; rail: Rail | null }): string =>
  JSON.stringify({
    id: payment.id,
    status: payment.status,
    type: 'CHECK',
    ...(payment.rail && { deposit_option: payment.rail }),
  })

type AnsweredPayment = Pick<
  PaymentRow,
  'id' | 'amountCents' | 'createdAt' | 'name' | 'recipient' | 'description' | 'comment'
> & { status: string }

/** Returns the fields that every answer about a payment contains, in the order of the contract. The caller fills in `number`. */
export const commonAnswer = (payment: AnsweredPayment, number: string | number | null) => ({
  id: payment.id,
  number,
  amount: centsToDollars(payment.amountCents),
  date: formatDateTime(payment.createdAt),
  status: payment.status,
  name: payment.name,
  recipient: payment.recipient,
  description: payment.description,
  comment: payment.comment,
  image_uri: null,
})

/** Returns the number of a payment. A number that the caller set keeps its type, and a number from the counter is a JSON number. */
export const answeredNumber = ({ number, numberIsText }: Pick<PaymentRow, 'number' | 'numberIsText'>) =>
  numberIsText ? number : Number(number)

/** Returns the file name of an attachment, which is always sent as a PDF. */
export const pdfName = (filename: string | null): string =>
  (filename ?? 'attachment').replace(/(\.(pdf|png|jpe?g))?$/i, '.pdf')

/** Returns remittance advice as it is stored. Plain text becomes one line with only a description. */
export function remittanceLines(advice: GivenLine[] | string | null | undefined): RemittanceLine[] | null {
  if (typeof advice !== 'string') return advice?.map(withoutNulls) ?? null
  return advice.trim() === '' ? null : [{ description: advice }]
}

const withoutNulls = (line: GivenLine): RemittanceLine =>
  Object.fromEntries(Object.entries(line).filter(([, cell]) => cell !== null))

/** Returns remittance advice as a table of strings with one row per line: id, date, amount, description (specification.md 5.1). */
export const remittanceTable = (lines: RemittanceLine[] | null): string[][] =>
  (lines ?? []).map(({ id = '', date = '', amount, description = '' }) => [
    id,
    date,
    amount?.toFixed(2) ?? '',
    description,
  ])
