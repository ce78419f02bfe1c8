import { fieldError } from '../../../foundation/core/errors.ts'
import { centsToDollars, requireCents } from '../../../foundation/core/money.ts'
import type { Pool } from '../../../foundation/db/connect.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { shareStatementsOfPlatform } from '../../../foundation/db/shared-statements.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { IdempotencyClaim } from '../../../foundation/http/idempotency/idempotency-store.ts'
import { businessDate } from '../../../foundation/lib/clock.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import { hiddenCharacterIn } from '../../../foundation/lib/text/hidden-character.ts'
import { type Posting, postingsOf } from '../../../money/ledger/posting-rules.ts'
import { type NewLeg, newLeg } from '../../../money/rail/leg-actions.ts'
import { DEPOSIT_OPTIONS, type DepositOption } from '../../../money/rail/rail-rules.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { requireOrderable } from '../leg/order-details-actions.ts'
import { hasPaper, requireMailable } from '../paper-rules.ts'
import {
  addressLine,
  DEFAULT_MAIL_TYPE,
  isPostalAddress,
  offeredOptions,
  type ParsedRecipient,
  type PostalAddress,
  parseRecipient,
  paymentEventBody,
  type RecipientInput,
  railForAccount,
  railsOfOptions,
  recipientProblem,
  remittanceLines,
} from '../payment-rules.ts'
import type { DestinationKind, GivenLine, OrderSource, RemittanceLine } from '../payment-types.ts'
import {
  type Acceptance,
  countNeededApprovals,
  type FoundPayee,
  findPayees,
  type PayeeAccount,
} from './accept-store.ts'
import { type AccountKinds, findAccountKinds, type NamedAccounts } from './account-kinds-store.ts'
import type { AttachmentInput } from './attachment-actions.ts'
import { ANSWER_VERSION } from './first-answer-rules.ts'
import { findSavedAccount, type GivenAccount, newPayeeAccount } from './payee-account-actions.ts'

/** A sender's order. Amounts are in dollars. */
export type Order = {
  amount: number
  name: string
  /** A postal address requests a paper check. */
  recipient: RecipientInput | PostalAddress
  account?: string | null
  description?: string | null
  comment?: string | null
  number?: number | string | null
  deposit_options?: DepositOption[] | null
  pin?: { description?: string | null; value: string } | null
  attachment?: AttachmentInput | null
  remittance_advice?: GivenLine[] | string | null
  mail_type?: string | null
  /** Whether the caller writes several recipients. The recipient is then only shown. */
  isForSeveral?: boolean
  /** The account of a payee without a user. If it is set, the recipient is only shown. */
  payeeAccount?: GivenAccount
  /** The payee, if it is a user of another platform. If it is set, the recipient is only shown. */
  payeeElsewhere?: UserKey
}

/**
 * The user that sends the payment. `grantId`: the grant of the application that sends it. Without a `source`, an API key sends it.
 * `releasedFrom`: how an approval is released.
 */
export type Sender = {
  platformId: string
  userId: string
  grantId: string | null
  source?: OrderSource
  releasedFrom?: OrderSource
}

export const senderOf = (caller: Caller): Sender => ({
  platformId: caller.platformId,
  userId: caller.userId,
  grantId: caller.credential.kind === 'token' ? caller.credential.id : null,
  source: sourceOf(caller),
})

const SOURCES = { session: 'WEB', api_key: 'API', token: 'APPLICATION' } as const

export const sourceOf = ({ credential }: Caller): OrderSource => SOURCES[credential.kind]

/** Finds the kinds of the accounts that an order names. */
export type ReadAccountKinds = (accounts: NamedAccounts) => Promise<AccountKinds>

const MAX_ORDERS_PER_STATEMENT = 100
/** The maximum number of accounts whose kinds are remembered, at about 200 bytes each. Above it, all are forgotten and read again. */
const MAX_REMEMBERED = 50_000

/**
 * One statement reads the accounts of all orders that are prepared at the same time. The kind of an account never changes, so it is
 * remembered, also of a deleted one: whether the account may be used is checked under the locks. Create one reader per database.
 */
export function createAccountKindsReader(sql: Pool): ReadAccountKinds {
  const read = shareStatementsOfPlatform<Pool, NamedAccounts, AccountKinds>(findAccountKinds, {
    maxSize: MAX_ORDERS_PER_STATEMENT,
  })
  return remembering((accounts) => read(sql, accounts), { isLasting: ({ destination }) => destination !== 'unknown' })
}

/** Creates a reader for the orders of one request. It runs one statement for each order, but reads the same accounts only once. */
export const createRequestAccountKindsReader = (deps: Deps | TxDeps): ReadAccountKinds =>
  remembering(readAlone(deps), { isLasting: () => true })

const readAlone =
  ({ sql }: Deps | TxDeps): ReadAccountKinds =>
  async (accounts) =>
    (await findAccountKinds(sql, accounts.platformId, [accounts]))[0] as AccountKinds

function remembering(
  read: ReadAccountKinds,
  { isLasting }: { isLasting(kinds: AccountKinds): boolean },
): ReadAccountKinds {
  const remembered = new Map<string, AccountKinds>()
  return async (accounts) => {
    const key = `${accounts.platformId} ${accounts.fundingId} ${accounts.destinationId}`
    const known = remembered.get(key)
    if (known) return known
    const kinds = await read(accounts)
    if (!isLasting(kinds)) return kinds
    if (remembered.size >= MAX_REMEMBERED) remembered.clear()
    remembered.set(key, kinds)
    return kinds
  }
}

type Preparation = {
  sender: Sender
  order: Order
  claim: IdempotencyClaim | null
  /** Reads the kinds of accounts. By default, runs one statement for each order. */
  readAccountKinds?: ReadAccountKinds | undefined
}

/** Checks and prepares everything that needs no locks, except the attachment. */
export async function prepareOrder(
  deps: Deps | TxDeps,
  { sender, order, claim, readAccountKinds = readAlone(deps) }: Preparation,
): Promise<Acceptance> {
  const amountCents = requireCents(order.amount, 'amount')
  const address = isPostalAddress(order.recipient) ? order.recipient : null
  if (address) requireMailable(order, address)
  const id = newId(deps)
  const { recipient, kinds, payeeAccount } = await findAccounts(deps, { id, sender, order, readAccountKinds })
  const { platformId } = sender
  const accounts = { platformId, fundingId: order.account ?? null, destinationId: recipient.destinationId }
  const depositOptions = offeredOptions(address ? ['MAIL'] : order.deposit_options, kinds.funding, {
    hasPaper: (rail) => hasPaper(deps, kinds.funding, rail),
    source: deps,
  })
  const now = deps.clock.now()
  const deposit = depositOf(deps, {
    id,
    sender,
    amountCents,
    kinds,
    accounts,
    depositOptions,
    isPaper: address !== null,
  })
  if (deposit && recipient.destinationId !== null) {
    const account = { kind: kinds.destination, platformId, id: recipient.destinationId }
    await requireOrderable(deps, { ...order, rail: deposit.rail, account, amountCents })
  }
  return {
    id,
    amountCents,
    name: order.name,
    recipient: recipient.text,
    description: order.description ?? null,
    comment: order.comment ?? null,
    remittanceAdvice: remittanceLines(order.remittance_advice)?.map(normalizedLine) ?? null,
    claim,
    platformId,
    senderId: sender.userId,
    fundingKind: kinds.funding,
    fundingId: accounts.fundingId,
    grantId: sender.grantId,
    recipientId: recipient.id,
    recipientPlatformId: order.payeeElsewhere?.platformId ?? null,
    recipientEmail: recipient.email,
    recipientPhone: recipient.phone,
    isReachable: recipient.isReachable,
    destinationKind: kinds.destination,
    destinationId: recipient.destinationId,
    payeeAccount,
    kind: order.isForSeveral ? 'MULTI' : address ? 'PHYSICAL' : 'DIGITAL',
    number: order.number == null ? null : String(order.number),
    numberIsText: typeof order.number === 'string',
    depositOptions,
    rails: deposit ? [deposit.rail] : railsOfOptions(depositOptions, deps),
    pin: order.pin
      ? { description: order.pin.description ?? null, valueSealed: deps.keyRing.seal(order.pin.value, 'payment pin') }
      : null,
    attachment: null,
    address,
    mailType: address ? (order.mail_type ?? DEFAULT_MAIL_TYPE) : null,
    now,
    businessDay: businessDate(now, deps.settings.timeZone),
    realNow: claim?.now ?? deps.realClock.now(),
    deposit,
    postings: postingsAtAcceptance(deps, { amountCents, kinds, accounts, deposit }),
    approvalId: null,
    batch: null,
    sources: [...new Set([sender.source ?? 'API', sender.releasedFrom ?? sender.source ?? 'API'])],
    invoiceId: null,
    isDryRun: false,
    answerVersion: ANSWER_VERSION,
  }
}

type Found = {
  recipient: ParsedRecipient
  kinds: KnownKinds
  payeeAccount: PayeeAccount | null
}

type KnownKinds = AccountKinds & { destination: DestinationKind | null; isKnown: boolean }

/** Finds the recipient of an order and the kinds of its accounts. `{id, account}` can name a saved payee of the sender. */
async function findAccounts(
  deps: Deps | TxDeps,
  {
    id,
    sender,
    order,
    readAccountKinds,
  }: Pick<Preparation, 'sender' | 'order'> & { id: string; readAccountKinds: ReadAccountKinds },
): Promise<Found> {
  const { platformId } = sender
  const recipient = recipientOf(order)
  const { destinationId } = recipient
  const kinds = await accountKinds(readAccountKinds, { platformId, fundingId: order.account ?? null, destinationId })
  const isUnknown = kinds.destination === 'unknown'
  const saved = isUnknown ? await findSavedAccount(deps, sender, recipient) : null
  const given = order.payeeAccount ?? saved?.given
  if (order.payeeAccount) requireReadable(recipient)
  if (given) {
    const payeeAccount = await newPayeeAccount(deps, { platformId, paymentId: id, name: order.name }, given)
    return {
      recipient: shownRecipient(saved?.payee ?? recipient.text, payeeAccount.id),
      kinds: { ...kinds, destination: given.kind, isKnown: true },
      payeeAccount,
    }
  }
  if (order.isForSeveral) {
    const kindsOfSeveral = { ...kinds, destination: null, isKnown: true }
    return { recipient: shownRecipient(recipient.text, null), kinds: kindsOfSeveral, payeeAccount: null }
  }
  // Acceptance refuses an unknown account under its locks, because it looks up the Idempotency-Key first.
  const destination = kinds.destination === 'unknown' ? 'bank' : kinds.destination
  return { recipient, kinds: { ...kinds, destination, isKnown: !isUnknown }, payeeAccount: null }
}

/**
 * Refuses a recipient that was meant as an address and is not one. Otherwise, the payee of a given account can be any text. @throws
 * ApiError invalid_recipient
 */
function requireReadable({ text, email }: ParsedRecipient): void {
  const isMistake = (text.includes('@') && email === null) || hiddenCharacterIn(text) !== null
  if (isMistake) throw fieldError('invalid_recipient', 'recipient', recipientProblem(text))
}

function recipientOf({ recipient, payeeElsewhere }: Order): ParsedRecipient {
  if (isPostalAddress(recipient)) return shownRecipient(addressLine(recipient), null)
  const parsed = parseRecipient(recipient)
  return payeeElsewhere ? { ...shownRecipient(parsed.text, null), id: payeeElsewhere.userId } : parsed
}

/** Reads the kinds of the accounts. An order without a funding account uses the sender's default bank. */
async function accountKinds(read: ReadAccountKinds, accounts: NamedAccounts): Promise<AccountKinds> {
  const { fundingId, destinationId } = accounts
  if (fundingId === null && destinationId === null) return { funding: 'bank', destination: null, isAbroad: false }
  return read(accounts)
}

/** Returns a recipient that is shown and not looked up. */
const shownRecipient = (text: string, destinationId: string | null): ParsedRecipient => ({
  text,
  id: null,
  email: null,
  phone: null,
  isReachable: true,
  destinationId,
})

type Planned = {
  id: string
  sender: Sender
  amountCents: number
  kinds: KnownKinds
  accounts: NamedAccounts
  depositOptions: readonly string[]
  isPaper: boolean
}

/** Returns the deposit in the same transaction, if the destination is already known (specification.md 5.3). */
function depositOf(
  deps: Deps | TxDeps,
  { id, sender, amountCents, kinds, accounts, ...planned }: Planned,
): Acceptance['deposit'] {
  if (!planned.isPaper && kinds.destination === null) return null
  const destination = { kind: kinds.destination as DestinationKind, isAbroad: kinds.isAbroad }
  const offered = kinds.isKnown ? planned.depositOptions : DEPOSIT_OPTIONS
  const rail = planned.isPaper ? 'MAIL' : railForAccount(destination, offered, deps)
  const status = rail === 'WALLET' ? 'PAID' : 'IN_PROCESS'
  const basics = { platformId: accounts.platformId, subjectId: id, userId: sender.userId, cents: amountCents }
  const leg: NewLeg =
    kinds.funding === 'bank'
      ? { ...basics, purpose: 'payment_pull', accountId: null, rail: 'ACH', direction: 'debit' }
      : { ...basics, purpose: 'payment_push', accountId: accounts.destinationId, rail, direction: 'credit' }
  return {
    status,
    rail,
    eventId: newId(deps),
    eventBody: paymentEventBody({ id, status, rail }),
    leg: rail === 'WALLET' ? null : newLeg(deps, leg),
  }
}

/** Returns the wallet transfers that are posted when a payment is accepted. A payment from a bank posts nothing before its pull. */
function postingsAtAcceptance(
  deps: Deps | TxDeps,
  {
    amountCents: cents,
    kinds,
    accounts,
    deposit,
  }: Pick<Planned, 'amountCents' | 'kinds' | 'accounts'> & Pick<Acceptance, 'deposit'>,
): Posting[] {
  const { fundingId, destinationId } = accounts
  if (kinds.funding === 'bank' || fundingId === null) return []
  const wallets = { cents, senderWallet: fundingId, ...(destinationId && { recipientWallet: destinationId }) }
  const hold = postingsOf(deps, 'accept', wallets)
  if (!deposit) return hold
  return [...hold, ...postingsOf(deps, deposit.rail === 'WALLET' ? 'receive' : 'deposit', wallets)]
}

/** Normalizes a remittance line to amounts that are exact to the cent, without floating-point noise. */
const normalizedLine = ({ amount, ...rest }: RemittanceLine, index: number): RemittanceLine =>
  amount === undefined
    ? rest
    : { ...rest, amount: centsToDollars(requireCents(amount, `remittance_advice.${index}.amount`)) }

type Reading = Pick<Deps, 'sql'> | Pick<TxDeps, 'sql'>

/** Counts the people who must approve prepared orders that are released together. */
export const countApprovalsNeeded = (deps: Reading, acceptances: readonly Acceptance[]): Promise<number> =>
  countNeededApprovals(deps.sql, acceptances)

/** Finds the users that prepared orders would pay now, and refusals because of these users. */
export const payeesOf = (deps: Reading, acceptances: readonly Acceptance[]): Promise<FoundPayee[]> =>
  findPayees(deps.sql, acceptances)
