import type { ProcessorAccount } from '../../connections/processor/processor-types.ts'
import { connectionOfRail } from '../../foundation/core/operator-account.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { findPayoutAccountRow, updateCardToken } from './destination-store.ts'

// Stores the number of a card, only where a processor pays to cards. The number is sealed until a token of the processor replaces it.

/** The prefix of a token. A number has only digits. */
const TOKEN_PREFIX = 'token:'

/** Returns whether paying to a card needs its number. Without a processor for cards, numbers are not stored. */
export const needsCardNumber = ({ settings, connections }: Pick<Deps, 'settings' | 'connections'>): boolean =>
  settings.railNetwork === 'file' && connectionOfRail(connections.current(), 'INSTANT') !== null

/**
 * Returns the account data that a processor needs. Returns null if the account cannot be paid, because it or its number was deleted or
 * never stored.
 */
export async function findPayoutAccount(
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  key: { platformId: string; id: string },
): Promise<ProcessorAccount | null> {
  const row = await findPayoutAccountRow(sql, key)
  if (!row) return null
  const { kind, details, accountSealed } = row
  if (kind !== 'card') return details.username === undefined ? null : { kind: 'contact', username: details.username }
  const expires = details.expiration_date
  if (!accountSealed || expires === undefined) return null
  const value = keyRing.openText(accountSealed, 'card number')
  return value.startsWith(TOKEN_PREFIX)
    ? { kind: 'card_token', token: value.slice(TOKEN_PREFIX.length), expires }
    : { kind: 'card', number: value, expires }
}

/** Replaces the number of a card with the token of a processor. */
export const keepCardToken = (
  { sql, keyRing }: Pick<TxDeps, 'sql' | 'keyRing'>,
  { token, ...key }: { platformId: string; id: string; token: string },
): Promise<void> => updateCardToken(sql, key, keyRing.seal(`${TOKEN_PREFIX}${token}`, 'card number'))
