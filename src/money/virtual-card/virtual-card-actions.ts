import type { EnvironmentSettings } from '../../foundation/core/environment.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { formatDate } from '../../foundation/lib/clock.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { requirePhone } from '../../people/user/user-rules.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import {
  addDestination,
  changeDestination,
  type DestinationChanges,
  deleteDestination,
  getDestination,
  getDestinations,
} from '../destination/destination-actions.ts'
import type { DestinationRow } from '../destination/destination-store.ts'
import { post } from '../ledger/ledger-actions.ts'
import { type CardIssuer, type CardTransactionType, type IssuedCard, simulatedIssuer } from './virtual-card-rules.ts'
import {
  addToBalance,
  type CardTransactionRow,
  findCardTransaction,
  insertCardTransaction,
  insertVirtualCard,
  isCardDeleted,
  listBalances,
  listCardTransactions,
  lockBalance,
} from './virtual-card-store.ts'

const KIND = 'vcc'

const issuers: Record<NonNullable<EnvironmentSettings['cardIssuer']>, CardIssuer> = { simulated: simulatedIssuer }

/** Returns the issuer of virtual cards. @throws ApiError not_configured */
function requireIssuer({ settings }: Pick<Deps, 'settings'>): CardIssuer {
  if (settings.cardIssuer === null) throw new ApiError('not_configured')
  return issuers[settings.cardIssuer]
}

export type VirtualCard = DestinationRow & { balanceCents: number }

/** Issues a card. Its number is stored sealed. Its security code is not stored. @throws ApiError not_configured, invalid_request */
export async function issueVirtualCard(
  deps: TxDeps,
  caller: Caller,
  { phone }: { phone: string | null },
): Promise<IssuedCard & { id: string }> {
  const issuer = requireIssuer(deps)
  if (phone !== null) requirePhone(phone, 'phone')
  const card = issuer.issueCard({ random: deps.random, today: formatDate(deps.clock.now()) })
  const details = { card_number: card.number.slice(-4), expiration_date: card.expirationDate }
  const { id } = await addDestination(deps, caller, { kind: KIND, details, accountNumber: card.number })
  await insertVirtualCard(deps.sql, { platformId: caller.platformId, id })
  return { ...card, id }
}

/** Lists the cards of a user with their balances. @throws ApiError not_configured */
export async function getVirtualCards(deps: Deps, user: UserKey): Promise<VirtualCard[]> {
  requireIssuer(deps)
  const balances = new Map((await listBalances(deps.sql, user)).map(({ id, balanceCents }) => [id, balanceCents]))
  const cards = await getDestinations(deps, user, KIND)
  return cards.map((card) => ({ ...card, balanceCents: balances.get(card.id) ?? 0 }))
}

/**
 * Changes the name of a card, or makes it the default.
 *
 * @throws ApiError not_configured, destination_not_found, not_the_holder, invalid_request
 */
export async function changeVirtualCard(
  deps: TxDeps,
  caller: Caller,
  { id, changes }: { id: string; changes: DestinationChanges },
): Promise<void> {
  requireIssuer(deps)
  await changeDestination(deps, caller, { id, kind: KIND, changes })
}

/**
 * Deletes a card that neither holds nor owes money. @throws ApiError not_configured, destination_not_found, not_the_holder,
 * destination_busy, card_not_empty, card_overdrawn
 */
export async function deleteVirtualCard(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  requireIssuer(deps)
  await deleteDestination(deps, caller, { id, kind: KIND })
  // The balance is checked after the deletion, because the deletion blocks new payments to the card.
  const balanceCents = (await lockBalance(deps.sql, { platformId: caller.platformId, id })) ?? 0
  if (balanceCents > 0) throw new ApiError('card_not_empty')
  // A card that owes money must not be deleted, because its debt would be lost.
  if (balanceCents < 0) throw new ApiError('card_overdrawn')
}

/** Checks that all cards of a user are empty. @throws ApiError user_busy if a card holds or owes money */
export async function requireEmptyCards(deps: TxDeps, user: UserKey): Promise<void> {
  const balances = await listBalances(deps.sql, user)
  const busy = balances.find(({ balanceCents }) => balanceCents !== 0)
  if (!busy) return
  throw new ApiError('user_busy', {
    message:
      busy.balanceCents > 0
        ? 'The user cannot be deleted because a virtual card holds money. Spend it first.'
        : 'The user cannot be deleted because a virtual card is below zero. Pay into the card first.',
  })
}

/** Checks that a card exists and the caller may see it. @throws ApiError not_configured, destination_not_found */
async function requireCard(deps: Pick<TxDeps, 'sql' | 'settings'>, caller: Caller, id: string): Promise<void> {
  requireIssuer(deps)
  const card = await getDestination(deps, caller, { id, kind: KIND })
  if (card.userId !== caller.userId) throw new ApiError('not_the_holder')
}

/**
 * Simulates a purchase. `amount` is in dollars. @throws ApiError not_configured, destination_not_found,
 * not_the_holder, insufficient_funds
 */
export async function spendOnCard(
  deps: TxDeps,
  caller: Caller,
  { id, amount, description }: { id: string; amount: number; description: string | null },
): Promise<CardTransactionRow> {
  await requireCard(deps, caller, id)
  const cents = requireCents(amount, 'amount')
  const move = {
    platformId: caller.platformId,
    id,
    type: 'SPEND',
    cents: -cents,
    description,
    paymentId: null,
  } as const
  const transaction = await moveCardMoney(deps, { ...move, minCents: 0 })
  if (!transaction) {
    throw new ApiError('insufficient_funds', { fields: { amount: ['is more than the balance of the card'] } })
  }
  return transaction
}

type CardMove = {
  platformId: string
  id: string
  type: CardTransactionType
  /** The change of the balance. Negative cents leave the card. */
  cents: number
  minCents: number | null
  description: string | null
  paymentId: string | null
}

const rules = { LOAD: 'card_loaded', RETURN: 'card_unloaded', SPEND: 'card_spent' } as const satisfies Record<
  CardTransactionType,
  string
>

/**
 * Changes the balance of a card and posts the change to the ledger. All changes of balances use this function.
 *
 * @returns null if the balance is too low
 */
async function moveCardMoney(
  deps: TxDeps,
  { platformId, id, type, cents, minCents, description, paymentId }: CardMove,
): Promise<CardTransactionRow | null> {
  const balanceCents = await addToBalance(deps.sql, { platformId, id, cents, minCents })
  if (balanceCents === null) return null
  const row = { platformId, id: newId(deps), cardId: id, type, cents, balanceCents, description, paymentId }
  const transaction = { ...row, createdAt: deps.clock.now() }
  await insertCardTransaction(deps.sql, transaction)
  await post(deps, { platformId, paymentId: null }, rules[type], { cents: Math.abs(cents), card: id })
  return transaction
}

export type CardPayout = { platformId: string; cardId: string; paymentId: string; cents: number; name: string }

/** Adds a payout that has arrived to a card. `deps` must have the clock of the card's platform. */
export async function loadCard(deps: TxDeps, { cardId: id, name, ...payout }: CardPayout): Promise<void> {
  await moveCardMoney(deps, { ...payout, id, type: 'LOAD', minCents: null, description: name })
  const { platformId, paymentId, cents } = payout
  // A card cannot be deleted while a payout of its own platform is in transit, but a payout from another platform can still arrive after
  // the deletion.
  if (!(await isCardDeleted(deps.sql, { platformId, id }))) return
  const note = 'A payout arrived on a virtual card that was deleted.'
  await recordException(deps, { platformId, kind: 'holder_gone', paymentId, cents, note })
}

/** Removes a returned payout from a card. If its money was spent, the card has a negative balance. */
export async function unloadCard(deps: TxDeps, { cardId: id, name, cents, ...payout }: CardPayout): Promise<void> {
  await moveCardMoney(deps, { ...payout, id, cents: -cents, type: 'RETURN', minCents: null, description: name })
  const { platformId, paymentId } = payout
  if (!(await isCardDeleted(deps.sql, { platformId, id }))) return
  const note = 'A payout went back from a virtual card that was deleted after its money was spent. Its holder owes it.'
  await recordException(deps, { platformId, kind: 'holder_gone', paymentId, cents, note })
}

/** Lists the transactions of a card, newest first. @throws ApiError not_configured, destination_not_found, not_the_holder */
export async function getCardTransactions(
  deps: Deps,
  caller: Caller,
  { id: cardId, paging }: { id: string; paging: Paging },
): Promise<Page<CardTransactionRow>> {
  await requireCard(deps, caller, cardId)
  return listCardTransactions(deps.sql, { platformId: caller.platformId, cardId }, paging)
}

/** Returns a transaction of a card. @throws ApiError not_configured, destination_not_found, not_the_holder, card_transaction_not_found */
export async function getCardTransaction(
  deps: Deps,
  caller: Caller,
  { id: cardId, transactionId: id }: { id: string; transactionId: string },
): Promise<CardTransactionRow> {
  await requireCard(deps, caller, cardId)
  const transaction = await findCardTransaction(deps.sql, { platformId: caller.platformId, cardId, id })
  if (!transaction) throw new ApiError('card_transaction_not_found')
  return transaction
}
