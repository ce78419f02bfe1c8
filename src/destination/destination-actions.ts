import type { Deps, TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import { lockCaller } from '../user/user-lock-actions.ts'
import type { UserKey } from '../user/user-store.ts'
import type { OtherDestinationKind } from './destination-rules.ts'
import {
  type DestinationKey,
  type DestinationRow,
  findDestination,
  hasLegOnItsWay,
  holdDestinationRow,
  insertDestination,
  listDestinations,
  markDestinationDeleted,
} from './destination-store.ts'

/** Adds a place where a user can be paid. `accountNumber` is sealed; everything else is shown. */
export async function addDestination(
  deps: TxDeps,
  caller: Caller,
  {
    kind,
    details,
    accountNumber,
  }: { kind: OtherDestinationKind; details: Record<string, string>; accountNumber?: string },
): Promise<DestinationRow> {
  await lockCaller(deps, caller)
  const { platformId, userId } = caller
  const destination = { platformId, userId, id: newId(deps), kind, details, createdAt: deps.clock.now() }
  const accountSealed = accountNumber === undefined ? null : deps.keyRing.seal(accountNumber, 'bank account')
  await insertDestination(deps.sql, { ...destination, accountSealed })
  return destination
}

export const getDestinations = (deps: Deps, user: UserKey, kind: OtherDestinationKind): Promise<DestinationRow[]> =>
  listDestinations(deps.sql, user, kind)

/** @throws ApiError destination_not_found */
export async function getDestination(
  deps: Pick<TxDeps, 'sql'>,
  caller: Caller,
  { id, kind }: { id: string; kind: OtherDestinationKind },
): Promise<DestinationRow> {
  const destination = await findDestination(deps.sql, { platformId: caller.platformId, id, kind })
  const isVisible = destination && (destination.userId === caller.userId || caller.isOwner)
  if (!isVisible) throw new ApiError('destination_not_found')
  return destination
}

/** @throws ApiError destination_not_found, not_the_holder, bank_busy */
export async function deleteDestination(
  deps: TxDeps,
  caller: Caller,
  which: { id: string; kind: OtherDestinationKind },
): Promise<void> {
  const destination = await getDestination(deps, caller, which)
  if (destination.userId !== caller.userId) throw new ApiError('not_the_holder')
  await markDestinationDeleted(deps.sql, destination, deps.clock.now())
  if (await hasLegOnItsWay(deps.sql, destination)) throw new ApiError('bank_busy')
}

/** Keeps one from being deleted until the end of the transaction. A wire can lead abroad. */
export async function holdDestination(
  deps: TxDeps,
  key: DestinationKey,
): Promise<{ kind: OtherDestinationKind; isAbroad: boolean } | null> {
  const row = await holdDestinationRow(deps.sql, key)
  return row && { kind: row.kind, isAbroad: (row.details.country ?? 'US') !== 'US' }
}
