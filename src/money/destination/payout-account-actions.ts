import type { ProcessorAccount } from '../../connections/processor/processor-types.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { findPayoutAccountRow, updateCardToken } from './destination-store.ts'

// The number of a card is stored only where a processor pays to cards. It is sealed, and a token of the processor replaces it. Another processor
// cannot use the token, so it is kept with the id of its connection.

/** A token with its connection. A number has only digits. */
const TOKEN = /^token:(?<connectionId>[^:]+):(?<token>.*)$/s

/** Returns whether paying to a card needs its number. Without a processor for cards, numbers are not stored. */
export const needsCardNumber = ({ settings, connections }: Pick<Deps, 'settings' | 'connections'>): boolean =>
  settings.railNetwork === 'file' && connectionOfRail(connections.current(), 'INSTANT') !== null

/**
 * Returns an account with the data that the processor of a connection needs. Null: the account cannot be paid, because it was deleted, its
 * number was deleted or never stored, or only another connection has a token for it.
 */
export async function findPayoutAccount(
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  { connectionId, ...key }: { platformId: string; id: string; connectionId: string },
): Promise<ProcessorAccount | null> {
  const row = await findPayoutAccountRow(sql, key)
  if (!row) return null
  const { kind, details, accountSealed } = row
  if (kind !== 'card') return details.username === undefined ? null : { kind: 'contact', username: details.username }
  const expires = details.expiration_date
  if (!accountSealed || expires === undefined) return null
  const value = keyRing.openText(accountSealed, 'card number')
  const kept = TOKEN.exec(value)?.groups
  if (!kept) return { kind: 'card', number: value, expires }
  return kept.connectionId === connectionId ? { kind: 'card_token', token: kept.token as string, expires } : null
}

/** Replaces the number of a card by the token of the processor of a connection. */
export const keepCardToken = (
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  { connectionId, token, ...key }: { platformId: string; id: string; connectionId: string; token: string },
): Promise<void> => updateCardToken(sql, key, keyRing.seal(`token:${connectionId}:${token}`, 'card number'))
