import { recordAudit } from '../../../foundation/audit/audit-actions.ts'
import type { EnvironmentSettings, OperatorBank } from '../../../foundation/core/environment.ts'
import { ApiError } from '../../../foundation/core/errors.ts'
import { checkBankOf, connectionOfRail, type PaperRail } from '../../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { clockOf } from '../../../foundation/db/platform-clock.ts'
import { inTransaction, inTransactionOrRefused } from '../../../foundation/db/transaction.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { businessDate, DAY_MS } from '../../../foundation/lib/clock.ts'
import { bankAccountNumber } from '../../../money/bank/bank-correction-actions.ts'
import { legsOf, sendHandedOut } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { holdIfPaidBeforeHandOut } from '../../../money/rail/restore-hold-actions.ts'
import { openSignature, signatureOf } from '../../../people/user/user-actions.ts'
import { holdActiveUser } from '../../../people/user/user-lock-actions.ts'
import { isWholeAddress } from '../../../people/user/user-rules.ts'
import { type PaperBank, type PaperCheck, payeeText } from '../../drawing/paper-check-rules.ts'
import { canBePaid, MAYBE_PAID } from '../../payment/deposit/deposit-actions.ts'
import { paymentLegs, startMoneyMovement } from '../../payment/leg/payment-leg-actions.ts'
import { isRefundHeld } from '../../payment/leg/payment-money-actions.ts'
import { becomeDepositor, findRecipients } from '../../payment/multi/depositor-actions.ts'
import { recordAuditOnOtherPlatform } from '../../payment/outbox/outbox-actions.ts'
import {
  addressLines,
  adviceOnPaper,
  drawerOf,
  hasPaper,
  isDrawnOnOperator,
  requirePrintable,
  type TrackingStep,
  trackingOf,
} from '../../payment/paper-rules.ts'
import { getPayment, isRecipient, isSender, lockReadablePayment } from '../../payment/payment-actions.ts'
import { applyPaymentEvent } from '../../payment/payment-change-actions.ts'
import type { PaymentKey, PaymentRow } from '../../payment/payment-types.ts'
import { listedPayee } from '../printing/listed-payee-rules.ts'
import { numberCheck } from '../printing/print-check-actions.ts'
import { findPaperRow, listPaperLegs, type PaperRow } from './paper-store.ts'

/**
 * Returns the printable check of a payment to its recipient, or to its sender, who hands the check over. The first request makes the
 * payment PRINTED. While it is PRINTED, later requests return the same check.
 *
 * @throws ApiError payment_not_found, not_the_recipient, user_not_active, and those of `claimPrintableCheck`
 */
export async function printCheck(
  deps: Deps,
  caller: Caller,
  paymentId: string,
): Promise<{ number: string; pdf: Buffer }> {
  const { platformId } = await getPayment(deps, caller, paymentId)
  const isElsewhere = platformId !== caller.platformId
  if (isElsewhere) await inTransaction(deps, (tx) => requireActiveCaller(tx, caller))
  const check = await inTransactionOrRefused(deps, async (tx) => {
    const locked = await lockReadablePayment(tx, caller, { platformId, paymentId })
    const payment = isSender(caller, locked) ? locked : await becomeDepositor(tx, locked, caller)
    if (!isRecipient(caller, payment) && !isSender(caller, payment)) throw new ApiError('not_the_recipient')
    if (!isElsewhere) await requireActiveCaller(tx, caller)
    const taken = await claimPrintableCheck({ ...tx, clock: await clockOf(tx, platformId) }, payment)
    if (payment.status === 'PRINTED') return taken
    const entry = { actor: caller, action: 'payment_printed', subject: paymentId } as const
    if (isElsewhere) await recordAuditOnOtherPlatform(tx, { platformId, subjectId: paymentId, ...entry })
    else await recordAudit(tx, caller, entry.action, paymentId)
    return taken
  })
  return { number: check.number, pdf: await drawPaper(deps, caller.platformId, check) }
}

/** Refuses a caller whose user is stopped. @throws ApiError user_not_active */
async function requireActiveCaller(deps: TxDeps, caller: Caller): Promise<void> {
  if (!(await holdActiveUser(deps, caller))) throw new ApiError('user_not_active')
}

/** Draws the check as a PDF. @throws ApiError overloaded, rate_limited */
export const drawPaper = (deps: Deps, platformId: string, check: PaperCheck): Promise<Buffer> =>
  deps.drawings.paper.schedule({ platformId }, (run) => run('check', check))

/**
 * Returns the content of the printable check of a locked payment, which becomes PRINTED. A check drawn on the operator is available only
 * after the money has arrived. Until then, the refusal is returned instead of thrown, so that the started pull commits.
 *
 * @throws ApiError not_printable, invalid_deposit_option, paper_unavailable, unprintable_text
 */
export async function claimPrintableCheck(deps: TxDeps, payment: PaymentRow): Promise<PaperCheck | ApiError> {
  if (payment.status !== 'PRINTED') await beginPrint(deps, payment)
  else if (!(await holdActiveUser(deps, senderOf(payment)))) throw cannotBePaid()
  const push = await pushOf(deps, payment)
  if (isDrawnOnOperator(deps, payment.fundingKind) && !(await isOut(deps, push))) return notReady(deps, payment)
  return readPaperCheck(deps, { platformId: payment.platformId, paymentId: payment.id }, push)
}

/**
 * Returns whether the check may be handed out. A check on the operator's account waits until the sender has paid, when its push begins
 * (payment-leg-actions.ts). The push is marked as sent before anybody has the check. A void then stops the check at the bank instead of
 * refunding it at once.
 */
async function isOut(deps: TxDeps, push: LegRow | null): Promise<boolean> {
  if (push === null || push.heldAt !== null) return false
  if (push.status !== 'WAITING') return true
  return !(await holdIfPaidBeforeHandOut(deps, push)) && sendHandedOut(deps, paymentLegs, push)
}

async function notReady(deps: TxDeps, payment: PaymentRow): Promise<ApiError> {
  if (!(await pushOf(deps, payment))?.heldAt) return new ApiError('check_not_ready')
  const message =
    'The check cannot be printed yet: the operator of this service has to look at it first. Try again later.'
  return new ApiError('check_not_ready', { message })
}

async function beginPrint(deps: TxDeps, payment: PaymentRow): Promise<void> {
  if (payment.status !== 'UNPAID') throw new ApiError('not_printable')
  if (!payment.depositOptions.includes('PRINT')) throw new ApiError('invalid_deposit_option')
  if (!hasPaper(deps, payment.fundingKind, 'PRINT')) throw new ApiError('paper_unavailable')
  requirePrintable({ name: payment.name })
  if (!(await canBePaid(deps, payment))) throw cannotBePaid()
  // Paper on the operator's account is held before it is handed out (isOut).
  const isHandedOut = !isDrawnOnOperator(deps, payment.fundingKind)
  if (isHandedOut && (await isRefundHeld(deps, payment))) throw new ApiError('not_printable', MAYBE_PAID)
  const printed = await applyPaymentEvent(deps, payment, 'print', { rail: 'PRINT' })
  if (!printed) throw new ApiError('not_printable')
  await startMoneyMovement(deps, printed)
}

const senderOf = ({ platformId, senderId }: PaymentRow) => ({ platformId, userId: senderId })

const cannotBePaid = () =>
  new ApiError('not_printable', { message: 'The sender cannot fund this payment now. Ask the sender for a new one.' })

async function pushOf(deps: TxDeps, { platformId, id }: PaymentRow): Promise<LegRow | null> {
  const legs = await legsOf(deps, { platformId, subjectId: id })
  return legs.findLast(({ purpose, status }) => purpose === 'payment_push' && status !== 'CANCELLED') ?? null
}

/** The number on pictures of checks, which are never issued. */
const NO_NUMBER = '000000'

/**
 * Returns the content of a payment's check, with the account number in clear. `push` is the leg that issues the check and gives a check on
 * the operator's account its number. Returns null if the check is not issued.
 */
export async function readPaperCheck(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'settings' | 'connections' | 'afterCommit'>,
  key: PaymentKey,
  push: LegRow | null,
): Promise<PaperCheck> {
  const row = await findPaperRow(deps.sql, key)
  if (!row) throw new ApiError('payment_not_found')
  const sender = {
    name: row.senderName,
    address: isWholeAddress(row.senderAddress) ? addressLines(row.senderAddress) : [],
  }
  const operator = isDrawnOnOperator(deps, row.fundingKind) ? requireCheckBank(deps, push) : null
  const isNumberedByAccount = operator !== null && deps.settings.railNetwork === 'file'
  const printed = { issuedOn: businessDate(row.createdAt, deps.settings.timeZone), payee: payeeText(row.name) }
  const numbered =
    isNumberedByAccount && push && (await numberCheck(deps, { leg: push, ...drawnOn(deps, push), ...printed }))
  return {
    number: isNumberedByAccount ? String(numbered ? numbered.serial : NO_NUMBER) : row.number,
    reference: isNumberedByAccount ? row.number : null,
    date: numbered ? numbered.issuedOn : printed.issuedOn,
    amountCents: row.amountCents,
    sender: drawerOf(sender, operator),
    recipient: { name: row.name, address: row.address ? addressLines(row.address) : [] },
    memo: row.description,
    listedPayee: isNumberedByAccount && push ? listedPayeeOf(deps, push, printed.payee) : null,
    bank:
      specimenOf(deps.settings) ??
      (operator ? bankOfOperator((numbered || null)?.operatorBank ?? operator) : await bankOfSender(deps, key, row)),
    signature: await signatureOf(deps, { platformId: key.platformId, userId: row.senderId }),
    endorsements: await endorsementsOf(deps, key),
    voidAfterDays: Math.round((row.expiresAt.getTime() - row.createdAt.getTime()) / DAY_MS),
    remittanceAdvice: adviceOnPaper(row.remittanceAdvice),
    mark: deps.settings.specimenBank ? 'SPECIMEN' : null,
    createdAt: row.createdAt,
  }
}

/** Lists the recipients who endorsed the payment to another one. */
async function endorsementsOf(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  key: PaymentKey,
): Promise<NonNullable<PaperCheck['endorsements']>> {
  const recipients = await findRecipients(deps, key)
  const endorsed = recipients.filter(({ endorsedName }) => endorsedName !== null)
  return Promise.all(
    endorsed.map(async ({ endorsedName, signatureSealed }) => ({
      name: endorsedName as string,
      signature: signatureSealed && (await openSignature(deps, signatureSealed)),
    })),
  )
}

/** Returns the bank that a check is drawn on, with its connection. @throws ApiError paper_unavailable */
function drawnOn(deps: Pick<TxDeps, 'settings' | 'connections'>, push: LegRow) {
  const connection = connectionOfRail(deps.connections.current(), push.rail)
  if (!connection) throw new ApiError('paper_unavailable')
  return { operatorBank: requireCheckBank(deps, push), connection }
}

/** Returns the payee as the bank's check list shows it, or null if that is the same as on the check. */
function listedPayeeOf({ connections }: Pick<TxDeps, 'connections'>, { rail }: LegRow, payee: string): string | null {
  const layout = connectionOfRail(connections.current(), rail)?.checks?.layout
  return layout ? listedPayee(layout, payee) : null
}

/** Returns the account that a check is drawn on. Without a leg, the rail of the check is not known yet. */
function requireCheckBank(deps: Pick<TxDeps, 'settings' | 'connections'>, push: LegRow | null): OperatorBank {
  const bank = push
    ? checkBankOf(deps, push.rail as PaperRail)
    : (checkBankOf(deps, 'MAIL') ?? checkBankOf(deps, 'PRINT'))
  if (!bank) throw new ApiError('paper_unavailable')
  return bank
}

/** Returns the specimen account. In environments without real paper, checks show no account number that a user entered. */
const specimenOf = ({ specimenBank }: EnvironmentSettings): PaperBank | null =>
  specimenBank && { ...specimenBank, fractionalRouting: null }

const bankOfOperator = ({ bankName, routingNumber, accountNumber, fractionalRouting }: OperatorBank): PaperBank => ({
  name: bankName,
  routingNumber,
  accountNumber,
  fractionalRouting,
})

async function bankOfSender(
  deps: Pick<TxDeps, 'sql' | 'keyRing'>,
  { platformId }: PaymentKey,
  { fundingId, bankName, routing }: PaperRow,
): Promise<PaperBank> {
  const accountNumber = await bankAccountNumber(deps, { platformId, bankId: fundingId })
  if (accountNumber === null || routing === null) throw new Error('a payment is drawn on no bank')
  return { name: bankName, routingNumber: routing, accountNumber, fractionalRouting: null }
}

/** Returns the tracking history of a paper check, or an empty list for other payments. @throws ApiError payment_not_found */
export async function getTracking(deps: Deps, caller: Caller, paymentId: string): Promise<TrackingStep[]> {
  const payment = await getPayment(deps, caller, paymentId)
  const legs = await listPaperLegs(deps.sql, { platformId: payment.platformId, paymentId: payment.id })
  return trackingOf({ ...payment, legs })
}
