import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransactionOrRefused } from '../../foundation/db/transaction.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { isEmail } from '../../foundation/lib/text/email.ts'
import {
  addBank,
  type Bank,
  getBanks,
  type Holder,
  releaseBank,
  updateBank,
  verifyBank,
} from '../../money/bank/bank-actions.ts'
import { answerChallenge, getInstitutions, type IavResult, logInAtInstitution } from '../../money/iav/iav-actions.ts'
import type { FormValues, Institution } from '../../money/iav/institution-rules.ts'
import { requireAccountWithin } from '../../payments/payment/deposit/pull-limit-actions.ts'
import type { Attachment } from '../../payments/payment/payment-store.ts'
import type { LinkVisit } from '../../payments/recipient/recipient-link-actions.ts'
import { mailRecipient } from '../../payments/recipient/recipient-mail-actions.ts'
import { readInvoiceAttachment } from '../invoice/invoice-attachment-actions.ts'
import { payInvoiceIn } from '../invoice/invoice-payment-actions.ts'
import type { InvoiceRow } from '../invoice/invoice-store.ts'
import {
  describeInvoice,
  findOrCreatePayer,
  type LinkedInvoice,
  type OpenedInvoice,
  openInvoice,
  readLinkedInvoice,
} from './payer-link-actions.ts'
import { authorizationMail, MAX_ACCOUNTS } from './payer-rules.ts'
import { findLinkedInvoice, insertDebitAuthorization } from './payer-store.ts'

/** The account from which an invoice is paid, and its holder. */
export type GivenAccount = {
  name: string
  routing: string
  account: string
  type: 'CHECKING' | 'SAVINGS' | 'BUSINESS'
}

/**
 * Adds the account to pay from. It is VERIFIED if its institution confirmed it. Otherwise, two micro-deposits are sent, and the person
 * returns later with their amounts. The refusal link_not_found is returned, not thrown, so that the attempt is counted.
 *
 * @throws ApiError invoice_not_payable, invalid_request, bank_blocked, release_limit_reached, too_many_tries
 */
export async function giveAccount(
  deps: TxDeps,
  visit: LinkVisit,
  given: GivenAccount,
): Promise<LinkedInvoice | ApiError> {
  const opened = await openToPay(deps, visit)
  if (opened instanceof ApiError) return opened
  const payer = await findOrCreatePayer(opened)
  const bank = await addGiven(opened, payer, given)
  if (bank.status === 'DEPOSIT_ONLY') await releaseBank(opened.deps, payer, bank.id)
  await updateBank(opened.deps, payer, bank.id, { default: true })
  return describeAgain(opened)
}

/** Adds an account that replaces an earlier one. */
async function addGiven({ deps }: OpenedInvoice, payer: Holder, { name, ...account }: GivenAccount): Promise<Bank> {
  const banks = await getBanks(deps, payer)
  if (banks.length >= MAX_ACCOUNTS) {
    throw new ApiError('too_many_tries', {
      message: 'Too many accounts were given for this invoice. Ask its sender for another one.',
    })
  }
  return addBank(deps, payer, { ...account, name })
}

/** Lists the institutions where an account can be verified at once. @throws ApiError not_configured */
export async function getPayerInstitutions(deps: TxDeps, visit: LinkVisit): Promise<readonly Institution[] | ApiError> {
  const read = await readLinkedInvoice(deps, visit)
  return read instanceof ApiError ? read : getInstitutions(deps)
}

/** A sign-in at an institution, or the answer to its challenge. */
export type SignIn = { institutionId: string; values: FormValues } | { challengeId: string; values: FormValues }

/** Signs in at an institution, which confirms the accounts there for an hour. @throws ApiError as `logInAtInstitution` */
export async function signInToPay(deps: Deps, visit: LinkVisit, signIn: SignIn): Promise<IavResult> {
  await getInstitutions(deps) // Refuses the request before anything is stored.
  const payer = await inTransactionOrRefused(deps, async (tx) => {
    const opened = await openToPay(tx, visit)
    return opened instanceof ApiError ? opened : findOrCreatePayer(opened)
  })
  return 'institutionId' in signIn ? logInAtInstitution(deps, payer, signIn) : answerChallenge(deps, payer, signIn)
}

/**
 * Confirms the account by the amounts of its micro-deposits. After the third wrong pair, no more tries are possible. The refusal
 * link_not_found is returned, not thrown, so that the attempt is counted.
 *
 * @returns the number of tries that are left, or null if the amounts were right @throws ApiError bank_not_pending, invalid_request
 */
export async function confirmAccount(
  deps: TxDeps,
  visit: LinkVisit,
  amounts: { amount1: number; amount2: number },
): Promise<{ linked: LinkedInvoice; triesLeft: number | null } | ApiError> {
  const opened = await openToPay(deps, visit)
  if (opened instanceof ApiError) return opened
  const { bank } = await describeInvoice(opened.deps, opened.invoice)
  if (!bank) throw new ApiError('no_pending_bank')
  const payer = await findOrCreatePayer(opened)
  const outcome = await verifyBank(opened.deps, payer, { bankId: bank.id, ...amounts })
  return { linked: await describeAgain(opened), triesLeft: outcome.isVerified ? null : outcome.triesLeft }
}

/**
 * Pays the invoice with one debit of the verified account. The text to which the person agreed is stored as evidence, with its time and
 * address, and a copy is mailed. The refusal link_not_found is returned, not thrown, so that the attempt is counted.
 *
 * @throws ApiError invoice_not_payable, invalid_request, and as `payInvoiceIn`
 */
export async function payLinked(
  deps: TxDeps,
  visit: LinkVisit & { baseUrl: string },
  { authorization }: { authorization: string },
): Promise<LinkedInvoice | ApiError> {
  const opened = await openToPay(deps, visit)
  if (opened instanceof ApiError) return opened
  const { invoice, visitor } = opened
  const { bank, authorization: text, sender, logo } = await describeInvoice(opened.deps, invoice)
  if (!bank || text === null) throw new ApiError('invoice_not_payable', { message: NOT_VERIFIED })
  if (authorization !== text) throw fieldError('invalid_request', 'authorization', 'must be the text of the page')
  const { platformId, userId } = await findOrCreatePayer(opened)
  const payer = { platformId, userId, grantId: null }
  await requireAccountWithin(opened.deps, { platformId, bankId: bank.id, cents: invoice.amountCents })
  const payment = await payInvoiceIn(opened.deps, { payer, id: invoice.id, account: bank.id })
  const givenAt = deps.realClock.now()
  await insertDebitAuthorization(deps.sql, {
    platformId,
    id: newId(deps),
    invoiceId: invoice.id,
    paymentId: payment.id,
    bankId: bank.id,
    text,
    address: visit.address,
    givenAt,
  })
  await recordAudit(deps, visitor, 'invoice_paid', `${invoice.id} with payment ${payment.id}, by link`)
  if (isEmail(invoice.recipient)) {
    const url = `${visit.baseUrl}/invoice/${visit.token}`
    const mail = authorizationMail({ text, at: givenAt, sender, url })
    await mailRecipient(deps, visit.baseUrl, { to: invoice.recipient, ...mail, brand: { name: sender, logo } })
  }
  return describeAgain(opened)
}

const NOT_VERIFIED = 'This bank account is not verified yet. Confirm it first.'

/** Returns the attachment as a PDF, or a PDF of the invoice. @throws ApiError link_not_found, overloaded, rate_limited */
export async function getLinkedPdf(deps: Deps, visit: LinkVisit): Promise<Attachment> {
  const { invoice } = await inTransactionOrRefused(deps, (tx) => readLinkedInvoice(tx, visit))
  return readInvoiceAttachment(deps, invoice)
}

const IN_ACCOUNT = 'This invoice is in the account of its recipient. Sign in to pay it.'

async function openToPay(deps: TxDeps, visit: LinkVisit): Promise<OpenedInvoice | ApiError> {
  const opened = await openInvoice(deps, visit)
  if (opened instanceof ApiError) return opened
  if (opened.invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')
  if (opened.invoice.recipientPlatformId !== null) throw new ApiError('invoice_not_payable', { message: IN_ACCOUNT })
  return opened
}

async function describeAgain({ deps, invoice }: OpenedInvoice): Promise<LinkedInvoice> {
  const { platformId, id } = invoice
  const again = await findLinkedInvoice(deps.sql, { platformId, invoiceId: id })
  return describeInvoice(deps, again as InvoiceRow)
}
