import type { Actor } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransactionOrRefused } from '../../foundation/db/transaction.ts'
import { businessDate } from '../../foundation/lib/clock.ts'
import { networkOf } from '../../foundation/lib/network.ts'
import { hashSecret, isSecretOf } from '../../foundation/lib/secret.ts'
import { bankAccountNumber } from '../../money/bank/bank-correction-actions.ts'
import { maskedDestination } from '../../money/destination/destination-actions.ts'
import { maskedDigits } from '../../money/destination/destination-rules.ts'
import { isOptionOn } from '../../money/rail/rail-rules.ts'
import { type AttemptSubject, countAttempts, uncountAttempt } from '../../people/auth/attempts/attempt-actions.ts'
import { calendarNow, expectedDay } from '../payment/expected-day-rules.ts'
import { findRecipients, missingEndorsements } from '../payment/multi/depositor-actions.ts'
import { canEndorse } from '../payment/multi/endorsement-actions.ts'
import { hasPaper } from '../payment/paper-rules.ts'
import { attachmentOf, paymentHasAttachment } from '../payment/payment-actions.ts'
import type { PaymentRecipientRow } from '../payment/payment-recipient-store.ts'
import type { Attachment } from '../payment/payment-store.ts'
import type { PaymentRow } from '../payment/payment-types.ts'
import { canBeDeposited } from './recipient-invitation-actions.ts'
import { logoUrl, optionsOnPage, type PageOption, secondsLocked, wrongPinMessage } from './recipient-rules.ts'
import {
  findLink,
  findTerms,
  type LinkRow,
  lockLink,
  lockLinkedPayment,
  type TermsRow,
  updateWrongPins,
} from './recipient-store.ts'

/** A visitor's link token, network address, and PIN, if one was entered. */
export type LinkVisit = { token: string; address: string; pin?: string | undefined }

/** A payment as a payee without an account sees it. */
export type LinkedPayment = {
  payment: PaymentRow
  sender: string
  /** The logo as a data URL, or null if the sender has no valid picture. */
  logo: string | null
  /** The destination, masked. Null if there is none yet, or a PIN protects it. */
  destination: string | null
  /** The required PIN with its description, or null if no PIN is required. */
  pin: { description: string | null } | null
  expected: string | null
  hasAttachment: boolean
  /** The payout options that are currently available. */
  options: PageOption[]
  /** The endorsements of a payment to several recipients, or null for a payment to one. */
  endorsement: LinkedEndorsement | null
  /** Whether the payment was moved into an account. If so, the link can no longer deposit it. */
  isClaimed: boolean
}

/** The endorsements of a payment. `missing` names the other recipients who have not endorsed it yet. */
export type LinkedEndorsement = { canEndorse: boolean; isEndorsed: boolean; canDeposit: boolean; missing: string[] }

/**
 * Reads the payment of a link. The refusal link_not_found is returned, not thrown, so that the attempt is counted.
 *
 * @throws ApiError too_many_tries
 */
export async function getLinkedPayment(deps: TxDeps, visit: LinkVisit): Promise<LinkedPayment | ApiError> {
  const linked = await lockLinked(deps, visit)
  return linked instanceof ApiError ? linked : describeLinked(linked)
}

/** Returns the file that the sender attached, as a PDF. @throws ApiError link_not_found, wrong_pin, too_many_tries, attachment_not_found */
export async function getLinkedAttachment(deps: Deps, visit: LinkVisit): Promise<Attachment> {
  const { payment } = await inTransactionOrRefused(deps, (tx) => openLinked(tx, visit))
  return attachmentOf(deps, payment)
}

/** Checks a PIN. The refusals link_not_found, wrong_pin and too_many_tries are returned, not thrown, so that the attempt is counted. */
export async function checkLinkedPin(deps: TxDeps, visit: LinkVisit): Promise<ApiError | null> {
  const linked = await openLinked(deps, visit)
  return linked instanceof ApiError ? linked : null
}

/** A locked link and its locked payment. `deps` has the time of the payment's platform. */
export type Linked = {
  deps: TxDeps
  link: LinkRow
  payment: PaymentRow
  terms: TermsRow
  /** All recipients of a payment to several, and the recipient of the link. */
  recipients: readonly PaymentRecipientRow[]
  own: PaymentRecipientRow | null
}

/** Finds and locks a link and its payment. The refusal link_not_found is returned, not thrown. @throws ApiError too_many_tries */
export async function lockLinked(given: TxDeps, visit: LinkVisit): Promise<Linked | ApiError> {
  const found = await findByLink(given, visit, async (tokenHash) => {
    const found = await findLink(given.sql, tokenHash)
    const payment = found && (await lockLinkedPayment(given.sql, found))
    const link = payment && (await lockLink(given.sql, tokenHash)) // The link may have been replaced by a newer one before the lock.
    return link && { link, payment }
  })
  if (found instanceof ApiError) return found
  const { link, payment } = found
  const deps = await visitorDeps(given, link)
  const recipients = link.position === 0 ? [] : await findRecipients(deps, link)
  const own = recipients.find(({ position }) => position === link.position) ?? null
  return { deps, link, payment, terms: await findTerms(given.sql, link), recipients, own }
}

/** Locks a link and its payment for a visitor with the right PIN. Refusals that count as attempts are returned, not thrown. */
export async function openLinked(deps: TxDeps, visit: LinkVisit): Promise<Linked | ApiError> {
  const linked = await lockLinked(deps, visit)
  return linked instanceof ApiError ? linked : ((await refuseWrongPin(linked, visit.pin)) ?? linked)
}

/**
 * Finds the object of a link. Invalid links are limited per network address. The refusal link_not_found is returned, not thrown, so that
 * the attempt is counted.
 *
 * @throws ApiError too_many_tries
 */
export async function findByLink<Found>(
  deps: TxDeps,
  { token, address }: LinkVisit,
  find: (tokenHash: Buffer) => Promise<Found | null>,
): Promise<Found | ApiError> {
  const from: AttemptSubject = { kind: 'link', name: networkOf(address) }
  await countAttempts(deps, [from])
  const found = await find(hashSecret(token))
  if (!found) return new ApiError('link_not_found')
  await uncountAttempt(deps, from)
  return found
}

/** Returns the dependencies for a visitor's request, with the time of the platform of the link. */
export const visitorDeps = async (deps: TxDeps, { platformId }: { platformId: string }): Promise<TxDeps> => ({
  ...deps,
  clock: await clockOf(deps, platformId),
  actor: { kind: 'recipient', id: null },
})

/** Returns the visitor as an actor in the audit trail of the link's platform. */
export const visitorOf = ({ platformId }: { platformId: string }, { address }: LinkVisit): Actor => ({
  platformId,
  userId: null,
  credential: { kind: 'anonymous' },
  origin: { address, userAgent: null },
})

/** Returns the day on which the money should arrive. After that day, returns null, because the day is unknown. */
function comingDay(deps: TxDeps, payment: PaymentRow): string | null {
  const day = expectedDay(payment, calendarNow(deps))
  return day !== null && day >= businessDate(deps.clock.now(), deps.settings.timeZone) ? day : null
}

/** Returns the content of the page. An overdue payment is shown as expired, although its status may change only later. */
export async function describeLinked(linked: Linked): Promise<LinkedPayment> {
  const { deps, payment, terms } = linked
  const isExpired = isLinkExpired({ deps, payment })
  const endorsement = endorsementOf(linked)
  const isMine = endorsement === null || (endorsement.canDeposit && endorsement.missing.length === 0)
  const isOpen = !isExpired && isMine && !isClaimed(linked) && (await canBeDeposited(deps, payment))
  return {
    payment: isExpired ? { ...payment, status: 'EXPIRED' } : payment,
    sender: terms.sender,
    logo: logoUrl(terms.logo),
    destination: terms.pinSealed || !isMine ? null : await destinationOf(deps, payment),
    pin: terms.pinSealed && { description: terms.pinDescription },
    expected: comingDay(deps, payment),
    hasAttachment: await paymentHasAttachment(deps, payment),
    options: isOpen ? optionsOf(deps, payment) : [],
    endorsement,
    isClaimed: isClaimed(linked),
  }
}

/** Returns whether the payment, or the place of one of several recipients, belongs to an account. */
export const isClaimed = ({ payment, own }: Pick<Linked, 'payment' | 'own'>): boolean =>
  own === null ? payment.recipientId !== null : own.userId !== null

function endorsementOf(linked: Linked): LinkedEndorsement | null {
  const { deps, payment, recipients, own } = linked
  if (!own) return null
  const isTaken = recipients.some(({ position, status }) => position !== own.position && status === 'DEPOSITOR')
  return {
    canEndorse: !isClaimed(linked) && canEndorse(deps, payment, own),
    isEndorsed: own.endorsedName !== null,
    canDeposit: !own.endorseOnly && !isTaken,
    missing: isTaken || own.status === 'DEPOSITOR' ? [] : missingEndorsements(recipients, own).map(({ name }) => name),
  }
}

async function destinationOf(deps: TxDeps, { platformId, destinationKind, destinationId }: PaymentRow) {
  if (destinationKind === null || destinationId === null || destinationKind === 'wallet') return null
  if (destinationKind !== 'bank') return maskedDestination(deps, { platformId, id: destinationId })
  const account = await bankAccountNumber(deps, { platformId, bankId: destinationId })
  return account && maskedDigits(account)
}

export const isLinkExpired = ({ deps, payment }: Pick<Linked, 'deps' | 'payment'>): boolean =>
  payment.status === 'EXPIRED' || (payment.status === 'UNPAID' && payment.expiresAt <= deps.clock.now())

export const optionsOf = (deps: TxDeps, { depositOptions, status, fundingKind }: PaymentRow): PageOption[] =>
  optionsOnPage(depositOptions, {
    status,
    canPrint: hasPaper(deps, fundingKind, 'PRINT'),
    canMail: hasPaper(deps, fundingKind, 'MAIL'),
    isOn: (option) => isOptionOn(option, deps),
  })

/** Refuses a wrong PIN, or any PIN while the link is locked. Returns null for the right PIN, or if none is required. */
export async function refuseWrongPin({ deps, link, terms }: Linked, pin: string | undefined): Promise<ApiError | null> {
  if (!terms.pinSealed) return null
  const now = deps.realClock.now()
  if (link.lockedUntil && link.lockedUntil > now) return pinLocked(link.lockedUntil, now)
  if (pin === undefined) return fieldError('invalid_request', 'pin', 'is required')
  const isRight = isSecretOf(pin, hashSecret(deps.keyRing.openText(terms.pinSealed, 'payment pin')))
  if (isRight) {
    if (link.wrongPins > 0) await updateWrongPins(deps.sql, link, { wrongPins: 0, lockedUntil: null })
    return null
  }
  const wrongPins = link.wrongPins + 1
  const seconds = secondsLocked(wrongPins)
  const lockedUntil = seconds > 0 ? new Date(now.getTime() + seconds * 1000) : null
  await updateWrongPins(deps.sql, link, { wrongPins, lockedUntil })
  const message = wrongPinMessage(wrongPins)
  return new ApiError('wrong_pin', {
    message,
    fields: { pin: [message] },
    ...(seconds > 0 && { retryAfterSeconds: seconds }),
  })
}

function pinLocked(until: Date, now: Date): ApiError {
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1000)
  return new ApiError('too_many_tries', { message: 'Too many incorrect PINs.', retryAfterSeconds: seconds })
}
