import type { Sql } from '../db/connect.ts'
import type { Deps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { refuseClaim } from '../http/idempotency.ts'
import type { IdempotencyClaim } from '../http/idempotency-store.ts'
import type { CommitTogether } from '../lib/commit-together.ts'
import { ApiError, type ErrorCode } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { dollarsOfCents, requireCents } from '../lib/money.ts'
import type { DepositOption } from '../rail/rail-rules.ts'
import { type Acceptance, type AcceptanceRow, acceptPaymentRow } from './accept-store.ts'
import { type AttachmentInput, attachmentPdf } from './attachment-actions.ts'
import {
  BANK_RAIL,
  commonAnswer,
  offeredOptions,
  parseRecipient,
  paymentEventBody,
  type RecipientInput,
  remittanceTable,
} from './payment-rules.ts'
import { findPayment, type RemittanceLine } from './payment-store.ts'

/** Payments are accepted in groups that share a commit. */
export type AcceptDeps = Deps & { commitTogether: CommitTogether<Sql> }

/** What a sender orders; amounts in dollars. */
export type Order = {
  amount: number
  name: string
  recipient: RecipientInput
  account?: string | null
  description?: string | null
  comment?: string | null
  number?: number | string | null
  deposit_options?: DepositOption[] | null
  pin?: { description?: string; value: string } | null
  attachment?: AttachmentInput | null
  remittance_advice?: RemittanceLine[] | null
}

export type Accepted = { text: string; isReplayed: boolean }

/**
 * Accepts a payment and answers with the JSON of it, the same for a repeated Idempotency-Key. With an account of the
 * recipient it is deposited in the same transaction (api.md 5).
 *
 * @throws ApiError every code of `refusals`, and invalid_request, invalid_deposit_option, invalid_attachment,
 *   idempotency_key_in_use, idempotency_key_reused
 */
export async function acceptPayment(
  deps: AcceptDeps,
  { caller, order, claim }: { caller: Caller; order: Order; claim: IdempotencyClaim | null },
): Promise<Accepted> {
  const acceptance = await prepare(deps, caller, order, claim)
  const row = await deps.commitTogether<AcceptanceRow>({
    lockKey: acceptance.senderId,
    run: (sql) => acceptPaymentRow(sql, acceptance),
    lookUp: () => lookUp(deps, acceptance),
  })
  if (row.outcome !== 'accepted' && row.outcome !== 'replayed') throw refusalOf(row.outcome)
  if (row.endpointIds.length > 0) deps.wake()
  return { text: row.answer as string, isReplayed: row.outcome === 'replayed' }
}

/** Everything that can be checked and made without the database. */
async function prepare(deps: Deps, caller: Caller, order: Order, claim: IdempotencyClaim | null): Promise<Acceptance> {
  const amountCents = requireCents(order.amount, 'amount')
  const recipient = parseRecipient(order.recipient)
  const isDepositedAtOnce = recipient.destinationId !== null
  const depositOptions = offeredOptions(order.deposit_options, { isDepositedAtOnce })
  const id = newId(deps)
  const now = deps.clock.now()
  const status = isDepositedAtOnce ? 'IN_PROCESS' : 'UNPAID'
  const given = {
    id,
    amountCents,
    name: order.name,
    recipient: recipient.text,
    description: order.description ?? null,
    comment: order.comment ?? null,
    remittanceAdvice: order.remittance_advice?.map(withoutNoise) ?? null,
  }
  const [answerHead, answerTail] = answerAroundNumber({ ...given, status, createdAt: now })
  return {
    ...given,
    claim,
    platformId: caller.platformId,
    senderId: caller.userId,
    fundingId: order.account ?? null,
    grantId: caller.credential.kind === 'token' ? caller.credential.id : null,
    recipientId: recipient.id,
    recipientEmail: recipient.email,
    isReachable: recipient.isReachable,
    destinationId: recipient.destinationId,
    kind: 'DIGITAL',
    number: order.number == null ? null : String(order.number),
    numberIsText: typeof order.number === 'string',
    depositOptions,
    pin: order.pin
      ? { description: order.pin.description ?? null, valueSealed: deps.keyRing.seal(order.pin.value, 'payment pin') }
      : null,
    attachment: order.attachment == null ? null : await attachmentPdf(order.attachment),
    now,
    realNow: claim?.now ?? deps.realClock.now(),
    answerHead,
    answerTail,
    deposit: isDepositedAtOnce
      ? { rail: BANK_RAIL, eventId: newId(deps), eventBody: paymentEventBody({ id, status, rail: BANK_RAIL }) }
      : null,
  }
}

/** A line with its amount in whole cents, as dollars. */
const withoutNoise = ({ amount, ...rest }: RemittanceLine, index: number): RemittanceLine =>
  amount === undefined
    ? rest
    : { ...rest, amount: dollarsOfCents(requireCents(amount, `remittance_advice.${index}.amount`)) }

/** The answer in two halves: the number between them is known to the database only, under the sender's lock. */
function answerAroundNumber(
  payment: Parameters<typeof commonAnswer>[0] & { remittanceAdvice: RemittanceLine[] | null },
): [head: string, tail: string] {
  const answer = { ...commonAnswer(payment, null), remittance_advice: remittanceTable(payment.remittanceAdvice) }
  const text = JSON.stringify(answer)
  const marker = '"number":null'
  const at = text.indexOf(marker) // The id comes before it, which is hex: this is the field itself.
  return [text.slice(0, at + marker.length - 'null'.length), text.slice(at + marker.length)]
}

/** What became of a payment whose commit was lost from sight: it has the id it was given beforehand. */
async function lookUp(
  deps: Deps,
  { platformId, id, answerHead, answerTail }: Acceptance,
): Promise<AcceptanceRow | null> {
  const payment = await findPayment(deps.sql, { platformId, paymentId: id })
  if (!payment) return null
  const number = payment.numberIsText ? JSON.stringify(payment.number) : payment.number
  return { outcome: 'accepted', answer: `${answerHead}${number}${answerTail}`, endpointIds: [] }
}

/** What the outcomes of `accept_payment` mean, and the field to blame. */
const refusals: Record<string, [code: ErrorCode, field?: string, problem?: string]> = {
  unauthorized: ['unauthorized'],
  invalid_token: ['invalid_token'],
  user_not_active: ['user_not_active'],
  bank_not_found: ['bank_not_found', 'account', 'is not a bank of this user'],
  bank_not_verified: ['bank_not_verified', 'account', 'is not VERIFIED'],
  no_verified_bank: ['no_verified_bank', 'account', 'is needed: there is no default bank that is VERIFIED'],
  recipient_not_found: ['recipient_not_found', 'recipient.id', 'is not a user of this platform'],
  invalid_recipient: ['invalid_recipient', 'recipient', 'is not an e-mail address, a phone number or a user_id'],
  own_recipient: ['own_recipient', 'recipient', 'is the sender'],
  recipient_not_active: ['recipient_not_active'],
  destination_not_found: ['bank_not_found', 'recipient.account', 'is not a bank of the recipient'],
}

function refusalOf(outcome: string): Error {
  refuseClaim(outcome)
  const refusal = refusals[outcome]
  if (!refusal) return new Error(`accept_payment returned ${outcome}`)
  const [code, field, problem] = refusal
  return new ApiError(code, field && problem ? { fields: { [field]: [problem] } } : {})
}
