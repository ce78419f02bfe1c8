import { formatDateTime } from '../lib/clock.ts'
import { isEmail, normalEmail } from '../lib/email.ts'
import { ApiError } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { dollarsOfCents } from '../lib/money.ts'
import { addBankingDays } from '../rail/banking-day-rules.ts'
import { BANK_FUNDED_OPTIONS, type DepositOption, type Rail, railOfDepositOption } from '../rail/rail-rules.ts'
import { normalPhone } from '../user/user-rules.ts'
import type { PaymentStatus } from './payment-status.ts'
import type { PaymentRow, RemittanceLine } from './payment-store.ts'

/** To whom a payment goes: somebody named by e-mail, phone or user_id, or an account of a user of the platform. */
export type RecipientInput = string | { id: string; account: string }

export type ParsedRecipient = {
  /** As the sender named it. */
  text: string
  id: string | null
  email: string | null
  /** Whether somebody outside can be reached there. */
  isReachable: boolean
  destinationId: string | null
}

export function parseRecipient(input: RecipientInput): ParsedRecipient {
  if (typeof input !== 'string') {
    const id = isId(input.id) ? input.id : null
    return { text: input.id, id, email: null, isReachable: false, destinationId: input.account }
  }
  const email = isEmail(input) ? normalEmail(input) : null
  return {
    text: input,
    id: null,
    email,
    isReachable: email !== null || normalPhone(input) !== null,
    destinationId: null,
  }
}

/**
 * What is offered to the recipient of a payment drawn on a bank.
 *
 * @throws ApiError invalid_deposit_option
 */
export function offeredOptions(
  wanted: readonly DepositOption[] | null | undefined,
  { isDepositedAtOnce }: { isDepositedAtOnce: boolean },
): readonly DepositOption[] {
  const options = wanted ?? BANK_FUNDED_OPTIONS
  const foreign = options.find((option) => !BANK_FUNDED_OPTIONS.includes(option))
  if (foreign) throw invalidDepositOption('deposit_options', `${foreign} needs a wallet as funding account`)
  if (isDepositedAtOnce && !options.includes('BANK')) {
    throw invalidDepositOption('deposit_options', 'must offer BANK when the recipient is a bank account')
  }
  return options
}

export const invalidDepositOption = (field: 'deposit_options' | 'account', problem: string) =>
  new ApiError('invalid_deposit_option', { fields: { [field]: [problem] } })

/** What payments can be sorted by. */
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

/** The rail on which a bank is paid. */
export const BANK_RAIL: Rail = railOfDepositOption.BANK

/** The body of a webhook, fixed when the event is made; without a rail there is no deposit_option (api.md 7). */
export const paymentEventBody = (payment: { id: string; status: PaymentStatus; rail: Rail | null }): string =>
  JSON.stringify({
    id: payment.id,
    status: payment.status,
    type: 'CHECK',
    ...(payment.rail && { deposit_option: payment.rail }),
  })

/** Banking days from a deposit to the money at the recipient: a pull, two days of trust, a push (design.md, "Rails"). */
const ACH_BANKING_DAYS = 4
const PAPER_BANKING_DAYS = 5

/** The day on which the money is expected at the recipient. */
export const expectedOn = ({ rail, depositedAt }: { rail: Rail; depositedAt: Date }): Date =>
  addBankingDays(depositedAt, rail === 'ACH' ? ACH_BANKING_DAYS : PAPER_BANKING_DAYS)

type AnsweredPayment = Pick<
  PaymentRow,
  'id' | 'amountCents' | 'createdAt' | 'status' | 'name' | 'recipient' | 'description' | 'comment'
>

/** The fields that a payment has in every answer, in the order of the contract. `number` is put in by the caller. */
export const commonAnswer = (payment: AnsweredPayment, number: string | number | null) => ({
  id: payment.id,
  number,
  amount: dollarsOfCents(payment.amountCents),
  date: formatDateTime(payment.createdAt),
  status: payment.status,
  name: payment.name,
  recipient: payment.recipient,
  description: payment.description,
  comment: payment.comment,
  image_uri: null,
})

/** The caller's number in the type it came in; one of the counter as a number. */
export const answeredNumber = ({ number, numberIsText }: Pick<PaymentRow, 'number' | 'numberIsText'>) =>
  numberIsText ? number : Number(number)

/** The remittance advice as a table, a row for each line: id, date, amount, description. */
export const remittanceTable = (lines: RemittanceLine[] | null) =>
  (lines ?? []).map(({ id = null, date = null, amount = null, description = null }) => [id, date, amount, description])
