import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { StructuredAddress } from '../../foundation/core/connections.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { lockCaller, lockUser } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { destinationSpecs, type KeptDestination } from './destination-kind-rules.ts'
import { maskedDetails, type OtherDestinationKind, type StoredDestinationKind } from './destination-rules.ts'
import {
  chooseDestination,
  type DestinationKey,
  type DestinationRow,
  findDestination,
  findDestinationDetails,
  findWireAccount,
  type HeldAccount,
  hasOpenLeg,
  holdAccountRow,
  insertDestination,
  listDestinations,
  listWireAccounts,
  lockDestinationRow,
  markDestinationDeleted,
  markDestinationsOfUserDeleted,
  updateDestinationDetails,
  type WireAccountRow,
} from './destination-store.ts'
import { needsCardNumber } from './payout-account-actions.ts'

/** Adds a payout account to a user. */
export async function addDestination(
  deps: TxDeps,
  caller: Caller,
  given: KeptDestination & { kind: StoredDestinationKind },
): Promise<DestinationRow> {
  await lockCaller(deps, caller)
  const destination = await insertKept(deps, caller, given, { isSeen: true })
  await recordAudit(deps, caller, 'destination_added', subjectOf(destination))
  return destination
}

/** Stores the payout account of a payee without an account, for one payment. Lists never show it, and no other payment uses it. */
export async function addDestinationOfPayment(
  deps: TxDeps,
  { platformId, paymentId }: { platformId: string; paymentId: string },
  given: KeptDestination & { kind: OtherDestinationKind },
): Promise<{ kind: OtherDestinationKind; id: string; isAbroad: boolean }> {
  const row = await insertKept(deps, { platformId, userId: paymentId }, given, { isSeen: false })
  return { kind: given.kind, id: row.id, isAbroad: isAbroad(row) }
}

/** Returns the payout account of a payee who has no Remit account. The caller stores it together with the payment. */
export const newDestinationOfPayment = (
  deps: Pick<Deps, 'clock' | 'random' | 'keyRing' | 'settings' | 'connections'>,
  { platformId, paymentId }: { platformId: string; paymentId: string },
  { kind, details, accountNumber }: KeptDestination & { kind: OtherDestinationKind },
): DestinationRow & { accountSealed: Buffer | null } => ({
  platformId,
  userId: paymentId,
  id: newId(deps),
  kind,
  details,
  isDefault: false,
  createdAt: deps.clock.now(),
  accountSealed: sealedNumber(deps, { kind, accountNumber }),
})

async function insertKept(
  deps: TxDeps,
  { platformId, userId }: UserKey,
  { kind, details, accountNumber }: KeptDestination & { kind: StoredDestinationKind },
  { isSeen }: { isSeen: boolean },
): Promise<DestinationRow> {
  const createdAt = deps.clock.now()
  const others = isSeen && hasDefault(kind) ? await listDestinations(deps.sql, { platformId, userId }, kind) : null
  const isDefault = others?.length === 0
  const destination = { platformId, userId, id: newId(deps), kind, details, isDefault, createdAt }
  const accountSealed = sealedNumber(deps, { kind, accountNumber })
  await insertDestination(deps.sql, { ...destination, accountSealed, deletedAt: isSeen ? null : createdAt })
  return destination
}

/** Seals the number of a destination. Returns null if it has none, or if no processor needs it. */
function sealedNumber(
  deps: Pick<Deps, 'keyRing' | 'settings' | 'connections'>,
  { kind, accountNumber }: { kind: StoredDestinationKind; accountNumber: string | undefined },
): Buffer | null {
  if (accountNumber === undefined || (kind === 'card' && !needsCardNumber(deps))) return null
  return deps.keyRing.seal(accountNumber, kind === 'vcc' || kind === 'card' ? 'card number' : 'bank account')
}

const hasDefault = (kind: StoredDestinationKind) => kind === 'vcc' || destinationSpecs[kind].hasDefault

export const getDestinations = (deps: Deps, user: UserKey, kind: StoredDestinationKind): Promise<DestinationRow[]> =>
  listDestinations(deps.sql, user, kind)

/** Returns a destination of the caller. @throws ApiError destination_not_found */
export async function getDestination(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  { id, kind }: Which,
): Promise<DestinationRow> {
  const destination = await findDestination(deps.sql, { platformId: caller.platformId, id, kind })
  const isVisible = destination && (destination.userId === caller.userId || caller.isOwner)
  if (!isVisible) throw new ApiError('destination_not_found')
  return destination
}

type Which = { id: string; kind: StoredDestinationKind }

/** Locks a destination of the caller. @throws ApiError destination_not_found, not_the_holder */
async function lockDestination(deps: TxDeps, caller: Caller, which: Which): Promise<DestinationRow> {
  await lockUser(deps, caller) // prevents two defaults
  await lockDestinationRow(deps.sql, { platformId: caller.platformId, id: which.id })
  const destination = await getDestination(deps, caller, which)
  if (destination.userId !== caller.userId) throw new ApiError('not_the_holder')
  return destination
}

/** The changes of a destination. Its account cannot change, because that would be another destination. A null `name` removes the name. */
export type DestinationChanges = { name?: string | null; default?: boolean }

/** Changes the name of a destination, or makes it the default. @throws ApiError destination_not_found, not_the_holder, invalid_request */
export async function changeDestination(
  deps: TxDeps,
  caller: Caller,
  { changes, ...which }: Which & { changes: DestinationChanges },
): Promise<void> {
  const destination = await lockDestination(deps, caller, which)
  if (changes.default === false && destination.isDefault) {
    throw fieldError('invalid_request', 'default', 'cannot be turned off. Turn it on for another card instead')
  }
  if (changes.name !== undefined) {
    const { name: _, ...others } = destination.details
    await updateDestinationDetails(deps.sql, destination, { ...others, ...(changes.name && { name: changes.name }) })
  }
  if (changes.default && !destination.isDefault) await choose(deps, caller, destination)
}

async function choose(deps: TxDeps, caller: Caller, destination: DestinationRow): Promise<void> {
  await chooseDestination(deps.sql, destination)
  await recordAudit(deps, caller, 'destination_default_changed', subjectOf(destination))
}

const subjectOf = ({ id, kind }: DestinationRow): string => `${id} ${kind}`

/**
 * Deletes a destination. If it was the default, the oldest remaining one becomes the default.
 *
 * @throws ApiError destination_not_found, not_the_holder, destination_busy
 */
export async function deleteDestination(deps: TxDeps, caller: Caller, which: Which): Promise<void> {
  const destination = await lockDestination(deps, caller, which)
  if (await hasOpenLeg(deps.sql, destination)) throw new ApiError('destination_busy')
  await markDestinationDeleted(deps.sql, destination, deps.clock.now())
  await recordAudit(deps, caller, 'destination_removed', subjectOf(destination))
  const [oldest] = destination.isDefault ? await listDestinations(deps.sql, destination, which.kind) : []
  if (oldest) await choose(deps, caller, oldest)
}

/**
 * Masks a destination, so that its holder recognizes it and others cannot use it: `•••• 4242`, `b•••@example.com`. Returns null if it is
 * unknown.
 */
export async function maskedDestination(
  deps: Pick<TxDeps, 'sql'>,
  destination: { platformId: string; id: string },
): Promise<string | null> {
  const row = await findDestinationDetails(deps.sql, destination)
  return row && maskedDetails(row.details)
}

/** A wire account as an order needs it. `routing`: an ABA routing number or a BIC. */
export type WireAccount = { routing: string; accountNumber: string; address: StructuredAddress | null }

/** Returns wire accounts by id, even if they were deleted. Leaves out those whose number was deleted or cannot be decrypted. */
export async function readWireAccounts(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'log'>,
  accounts: readonly { platformId: string; id: string }[],
): Promise<Map<string, WireAccount>> {
  const rows = await listWireAccounts(deps.sql, accounts)
  return new Map(rows.flatMap((row) => wireAccountOf(deps, row)))
}

/** Returns one wire account of a platform, or null. */
export async function readWireAccount(
  deps: Pick<TxDeps, 'sql' | 'keyRing' | 'log'>,
  account: { platformId: string; id: string },
): Promise<WireAccount | null> {
  const row = await findWireAccount(deps.sql, account)
  return new Map(row ? wireAccountOf(deps, row) : []).get(account.id) ?? null
}

function wireAccountOf(
  { keyRing, log }: Pick<TxDeps, 'keyRing' | 'log'>,
  { id, details, accountSealed }: WireAccountRow,
): [string, WireAccount][] {
  const { routing, line_1, city, state, zip, holder_country: country } = details
  if (!accountSealed || !routing) return []
  const address =
    city && country
      ? { street: line_1 ?? null, building: null, postalCode: zip ?? null, town: city, region: state ?? null, country }
      : null
  try {
    return [[id, { routing, accountNumber: keyRing.openText(accountSealed, 'bank account'), address }]]
  } catch (err) {
    log.error({ err, account: id }, 'account number cannot be decrypted')
    return []
  }
}

export const deleteDestinationsOfUser = (deps: TxDeps, user: UserKey): Promise<void> =>
  markDestinationsOfUserDeleted(deps.sql, user, deps.clock.now())

/** Finds a payout account of a user, of any kind. Prevents its deletion until the end of the transaction. */
export const holdAccount = (deps: TxDeps, key: DestinationKey): Promise<HeldAccount | null> =>
  holdAccountRow(deps.sql, key)

const isAbroad = ({ details }: Pick<DestinationRow, 'details'>): boolean => (details.country ?? 'US') !== 'US'
