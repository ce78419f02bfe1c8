import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { dollarsToCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../foundation/db/transaction.ts'
import { addBankOfPayment } from '../../money/bank/bank-actions.ts'
import { requireAccountOfOthers } from '../../money/bank/operator-account-actions.ts'
import { addDestinationOfPayment } from '../../money/destination/destination-actions.ts'
import type { KeptDestination } from '../../money/destination/destination-kind-rules.ts'
import type { OtherDestinationKind } from '../../money/destination/destination-rules.ts'
import { readSignatureImage } from '../../people/user/user-actions.ts'
import { requireSignatureImage } from '../../people/user/user-rules.ts'
import { claimPrintableCheck, drawPaper } from '../check/paper/paper-actions.ts'
import { depositByMail, depositInto } from '../payment/deposit/deposit-actions.ts'
import { keyOf } from '../payment/leg/payment-money-actions.ts'
import { becomeDepositor } from '../payment/multi/depositor-actions.ts'
import { applyEndorsement, canEndorse } from '../payment/multi/endorsement-actions.ts'
import type { PaymentRecipientRow } from '../payment/payment-recipient-store.ts'
import type { PostalAddress } from '../payment/payment-rules.ts'
import type { PaymentRow } from '../payment/payment-types.ts'
import {
  getLinkedPayment,
  isClaimed,
  isLinkExpired,
  type Linked,
  type LinkedPayment,
  type LinkVisit,
  openLinked,
  optionsOf,
  visitorOf,
} from './recipient-link-actions.ts'
import type { PageOption } from './recipient-rules.ts'

/** Stores the account that receives the money, which is used for this payment only, and deposits the payment. */
export type Deposit = (deps: TxDeps, payment: PaymentRow) => Promise<unknown>

type GivenBank = { routing: string; account: string; type: 'CHECKING' | 'SAVINGS' | 'BUSINESS' }

export const intoBank =
  ({ routing, account, type }: GivenBank): Deposit =>
  async (deps, payment) => {
    await requireAccountOfOthers(deps, { routing, account })
    const id = await addBankOfPayment(deps, keyOf(payment), { routing, account, type, name: payment.name })
    return depositInto(deps, payment, { kind: 'bank', id })
  }

export const intoDestination =
  (kind: OtherDestinationKind, kept: KeptDestination): Deposit =>
  async (deps, payment) =>
    depositInto(deps, payment, await addDestinationOfPayment(deps, keyOf(payment), { kind, ...kept }))

export const byMail =
  (address: PostalAddress): Deposit =>
  (deps, payment) =>
    depositByMail(deps, payment, address)

/**
 * Deposits the payment of a link in the way that the payee chose. Refusals that count as attempts are returned, not thrown:
 * link_not_found, wrong_pin, too_many_tries.
 *
 * @throws ApiError invalid_deposit_option, payment_expired, not_depositable, invalid_request, and those of paper
 */
export async function depositLinked(
  deps: TxDeps,
  visit: LinkVisit,
  { option, deposit }: { option: PageOption; deposit: Deposit },
): Promise<LinkedPayment | ApiError> {
  const linked = await openForDeposit(deps, visit, option)
  if (linked instanceof ApiError) return linked
  await deposit(linked.deps, linked.payment)
  const subject = `${linked.payment.id} by link as ${option}`
  await recordAudit(deps, visitorOf(linked.payment, visit), 'payment_deposited', subject)
  return getLinkedPayment(deps, visit)
}

/**
 * Prints the check for a payee without an account. `amount` is in dollars, and the payee must type it, because the first print debits the
 * sender. Programs that scan mail press the buttons of pages, but do not type amounts.
 *
 * @throws ApiError those of `depositLinked` and `claimPrintableCheck`
 */
export async function printLinked(
  deps: Deps,
  { amount, ...visit }: LinkVisit & { amount: number | undefined },
): Promise<{ number: string; pdf: Buffer }> {
  const { check, platformId } = await inTransactionOrRefused(deps, async (tx) => {
    const linked = await openForDeposit(tx, visit, 'PRINT')
    if (linked instanceof ApiError) return linked
    requireTyped(linked, amount)
    const check = await claimPrintableCheck(linked.deps, linked.payment)
    if (linked.payment.status !== 'PRINTED')
      await recordAudit(tx, visitorOf(linked.payment, visit), 'payment_printed', `${linked.payment.id} by link`)
    return check instanceof ApiError ? check : { check, platformId: linked.payment.platformId }
  })
  return { number: check.number, pdf: await drawPaper(deps, platformId, check) }
}

/** Requires that the payee typed the right amount. @throws ApiError invalid_request */
function requireTyped({ payment, terms }: Linked, amount: number | undefined): void {
  if (payment.status === 'PRINTED' || terms.pinSealed) return
  if (amount === undefined || dollarsToCents(amount) !== payment.amountCents) {
    throw fieldError('invalid_request', 'amount', 'must be the amount of the check')
  }
}

async function openForDeposit(deps: TxDeps, visit: LinkVisit, option: PageOption): Promise<Linked | ApiError> {
  const linked = await openLinked(deps, visit)
  if (linked instanceof ApiError) return linked
  if (isClaimed(linked)) {
    throw new ApiError('not_depositable', {
      message: 'This payment was added to an account. Sign in there to choose where the money goes.',
    })
  }
  if (isLinkExpired(linked)) throw new ApiError('payment_expired')
  if (!optionsOf(deps, linked.payment).includes(option)) throw new ApiError('invalid_deposit_option')
  if (!linked.own) return linked
  return { ...linked, payment: await becomeDepositor(linked.deps, linked.payment, { position: linked.own.position }) }
}

/**
 * Endorses a payment for another recipient. Refusals that count as attempts are returned, not thrown.
 *
 * @throws ApiError not_endorsable, invalid_signature_image, overloaded, rate_limited
 */
export async function endorseLinked(
  deps: Deps,
  visit: LinkVisit,
  { name, signature }: { name: string; signature: string | null },
): Promise<LinkedPayment> {
  if (signature !== null) requireSignatureImage(signature)
  const { payment } = await inTransactionOrRefused(deps, (tx) => openToEndorse(tx, visit))
  const user = { platformId: payment.platformId, userId: payment.senderId }
  const image = signature === null ? null : await readSignatureImage(deps, user, signature)
  return inTransactionOrRefused(deps, async (tx) => {
    const linked = await openToEndorse(tx, visit)
    if (linked instanceof ApiError) return linked
    await applyEndorsement(linked.deps, linked.own as PaymentRecipientRow, { name, image })
    await recordAudit(tx, visitorOf(linked.payment, visit), 'payment_endorsed', `${linked.payment.id} by link`)
    return getLinkedPayment(tx, visit)
  })
}

async function openToEndorse(deps: TxDeps, visit: LinkVisit): Promise<Linked | ApiError> {
  const linked = await openLinked(deps, visit)
  if (linked instanceof ApiError) return linked
  const { own, payment } = linked
  if (!own || isClaimed(linked) || !canEndorse(linked.deps, payment, own)) throw new ApiError('not_endorsable')
  return linked
}
