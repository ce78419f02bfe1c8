import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import { JobProblem } from '../../foundation/core/helper-process.ts'
import { requireStateAndZip } from '../../foundation/core/postal-address.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { cutPage, type Paging, type Position } from '../../foundation/db/paging.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { drawablePng } from '../../foundation/lib/files/drawable-png.ts'
import { isPng } from '../../foundation/lib/files/file-type.ts'
import { newId, newKey } from '../../foundation/lib/ids.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { createApiKey, type NewApiKey } from './api-key/api-key-actions.ts'
import { deleteApiKeys } from './api-key/api-key-store.ts'
import { upsertStatusChange } from './status-change-store.ts'
import { lockCaller, lockUser } from './user-lock-actions.ts'
import {
  type AddressChanges,
  changedAddress,
  invalidSignatureImage,
  isOfDrawableSize,
  isWholeAddress,
  requireBirthday,
  requirePhone,
  requireSignatureImage,
} from './user-rules.ts'
import { hasEnoughData, USER_STATUSES, type UserEvent, type UserStatus, userTransitions } from './user-status.ts'
import {
  type Brand,
  countUsers,
  eraseUser,
  findSignature,
  findUser,
  hasSeveralMembers,
  insertUser,
  type ListedUser,
  listUsers,
  type Merchant,
  type UserFilter,
  type UserKey,
  type UserRow,
  updateCounters,
  updateUser,
  updateUserStatus,
  upsertSignature,
} from './user-store.ts'
import type { UserHooks } from './user-types.ts'

export type NewUser = { id: string; apiKey: NewApiKey; webhookKey: string }

type UserToCreate = {
  platformId: string | null
  externalId: string | null
  name: string
  published?: NewUser
  /** The caller who sees the secret of the key. */
  maker?: Caller
}

/**
 * Creates a user of a platform with its first API key. Without `platformId`, creates the owner of a new platform. `published` contains the
 * well-known ids and keys of the demo's owner.
 *
 * @throws ApiError user_id_taken
 */
export async function createUser(deps: TxDeps, newUser: UserToCreate): Promise<NewUser> {
  const { id, webhookKey } = await createUserWithoutKey(deps, newUser)
  const user = { platformId: newUser.platformId ?? id, userId: id }
  const apiKey = await createApiKey(deps, user, {
    name: null,
    expirationDate: null,
    ...(newUser.maker && { maker: newUser.maker }),
    ...(newUser.published && { published: newUser.published.apiKey }),
  })
  return { id, apiKey, webhookKey }
}

/** Creates a user without an API key: an owner who signs in. */
export async function createUserWithoutKey(
  deps: TxDeps,
  { platformId, externalId, name, published }: UserToCreate,
): Promise<Pick<NewUser, 'id' | 'webhookKey'>> {
  const id = published?.id ?? newId(deps)
  const webhookKey = published?.webhookKey ?? newKey(deps)
  const isInserted = await insertUser(deps.sql, {
    platformId: platformId ?? id,
    id,
    externalId,
    name,
    status: 'UNVERIFIED',
    webhookKeySealed: deps.keyRing.seal(webhookKey, 'webhook key'),
    createdAt: deps.clock.now(),
  })
  if (!isInserted) throw new ApiError('user_id_taken', { fields: { user_id: ['is already in use'] } })
  return { id, webhookKey }
}

/**
 * Creates a user for a person without an account who pays an invoice. It has no API key. The invoice's sender is responsible for it, so it
 * counts as verified when its bank is.
 */
export async function createGuest(
  deps: TxDeps,
  { platformId, name }: { platformId: string; name: string },
): Promise<UserKey> {
  const id = newId(deps)
  await insertUser(deps.sql, {
    platformId,
    id,
    externalId: null,
    name,
    status: 'VERIFIED',
    webhookKeySealed: deps.keyRing.seal(newKey(deps), 'webhook key'),
    createdAt: deps.clock.now(),
    isGuest: true,
  })
  return { platformId, userId: id }
}

/** Creates a user of the caller's platform. @throws ApiError user_id_taken */
export async function addUser(
  deps: TxDeps,
  caller: Caller,
  { externalId, name }: { externalId: string; name: string },
): Promise<NewUser> {
  const user = await createUser(deps, { platformId: caller.platformId, externalId, name, maker: caller })
  await recordAudit(deps, caller, 'user_created', user.id)
  return user
}

/**
 * Requires a signed-in owner on a platform with several members. With an API key alone, one person could switch dual control off, send,
 * and switch it on again.
 *
 * @throws ApiError permission_denied
 */
export async function requirePersonOfTeam(deps: TxDeps, { platformId, isOwner, credential }: Caller): Promise<void> {
  if (!isOwner || credential.kind === 'session' || !(await hasSeveralMembers(deps.sql, platformId))) return
  throw new ApiError('permission_denied', {
    message: 'An API key cannot relax the approval of payments. An owner has to sign in and do it.',
  })
}

/**
 * Checks that a caller may see a user. An owner sees all users of its platform, and a user sees only itself. @throws ApiError
 * user_not_found
 */
export function visibleUser({ platformId, userId, isOwner }: Caller, id: string): UserKey {
  if (!isOwner && id !== userId) throw new ApiError('user_not_found')
  return { platformId, userId: id }
}

/**
 * Returns the user that a request names. Returns null if an owner names none, which means the whole platform.
 *
 * @throws ApiError user_not_found
 */
export async function findAskedUserId(
  deps: Pick<TxDeps, 'sql'> | Pick<Deps, 'sql'>,
  caller: Caller,
  wanted: string | undefined,
): Promise<string | null> {
  if (wanted === undefined && caller.isOwner) return null
  return (await requireAskedUser(deps, caller, wanted)).userId
}

/** Returns the user that a request names, or the caller if it names none. @throws ApiError user_not_found */
export async function requireAskedUser(
  deps: Pick<TxDeps, 'sql'> | Pick<Deps, 'sql'>,
  caller: Caller,
  wanted: string | undefined,
): Promise<UserKey> {
  const { platformId, userId } = caller
  if (wanted === undefined || wanted === userId) return { platformId, userId }
  const user = visibleUser(caller, wanted)
  if (!(await findUser(deps.sql as TxDeps['sql'], user))) throw new ApiError('user_not_found')
  return user
}

export type User = Omit<UserRow, 'ssnSealed' | 'taxIdSealed'> & { ssn: string | null; taxId: string | null }

/** Returns a user with SSN and tax id in clear text. @throws ApiError user_not_found */
export async function getUser(deps: Pick<TxDeps, 'sql' | 'keyRing'>, user: UserKey): Promise<User> {
  const row = await findUser(deps.sql, user)
  if (!row) throw new ApiError('user_not_found')
  const { ssnSealed, taxIdSealed, ...rest } = row
  return {
    ...rest,
    ssn: ssnSealed && deps.keyRing.openText(ssnSealed, 'user ssn'),
    taxId: taxIdSealed && deps.keyRing.openText(taxIdSealed, 'user tax id'),
  }
}

type MerchantChanges = Omit<Merchant, 'address' | 'principal_address'> & {
  address?: AddressChanges | undefined
  principal_address?: AddressChanges | undefined
}

/** The fields of a user that `PUT /v3/user` can change. Omitted fields are unchanged. */
export type ProfileChanges = {
  firstName?: string | undefined
  lastName?: string | undefined
  businessName?: string | undefined
  dob?: string | undefined
  phone?: string | undefined
  ssn?: string | undefined
  taxId?: string | undefined
  merchant?: MerchantChanges | undefined
  brand?: Brand | undefined
  expirationDays?: number | undefined
  /** Whether payments need to be released by a second person. */
  dualControl?: boolean | undefined
  nextCheckNumber?: number | undefined
  nextInvoiceNumber?: number | undefined
}

/** Changes the profile. If it then contains enough data, submits the user for verification (specification.md 3.2). */
export async function updateProfile(deps: TxDeps, user: Caller, changes: ProfileChanges): Promise<void> {
  await lockUser(deps, user)
  const before = await findUser(deps.sql, user)
  if (!before) throw new ApiError('user_not_found')
  const { ssn, taxId, dob, phone, merchant, brand, nextCheckNumber, nextInvoiceNumber, ...columns } = changes
  const known = Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))
  await updateUser(deps.sql, user, {
    ...known,
    ...(dob !== undefined && { dob: requireBirthday(deps, dob, 'user.dob') }),
    ...(phone !== undefined && { phone: requirePhone(phone, 'user.phone') }),
    ...(ssn !== undefined && { ssnSealed: deps.keyRing.seal(ssn, 'user ssn') }),
    ...(taxId !== undefined && { taxIdSealed: deps.keyRing.seal(taxId, 'user tax id') }),
    ...(merchant !== undefined && { merchant: changedMerchant(before.merchant, merchant) }),
    ...(brand !== undefined && { brand: { ...before.brand, ...brand } }),
  })
  if (nextCheckNumber !== undefined || nextInvoiceNumber !== undefined) {
    await updateCounters(deps.sql, user, {
      nextCheckNumber: nextCheckNumber ?? null,
      nextInvoiceNumber: nextInvoiceNumber ?? null,
    })
  }
  await submitIfComplete(deps, user)
  const { dualControl, ...others } = changes
  if (dualControl !== undefined && dualControl !== before.dualControl) {
    await recordAudit(deps, user, dualControl ? 'dual_control_on' : 'dual_control_off')
  }
  const changed = Object.entries(others).flatMap(([name, value]) => (value === undefined ? [] : name))
  if (changed.length > 0) await recordAudit(deps, user, 'profile_changed', changed.join(', '))
}

/** Applies changes to a merchant. @throws ApiError invalid_request */
function changedMerchant(before: Merchant, { address, principal_address, ...changes }: MerchantChanges): Merchant {
  const changed = {
    ...(address && { address: changedAddress(before.address, address) }),
    ...(principal_address && { principal_address: changedAddress(before.principal_address, principal_address) }),
  }
  for (const [part, whole] of Object.entries(changed))
    if (isWholeAddress(whole)) requireStateAndZip(whole, `merchant.${part}`)
  return { ...before, ...changes, ...changed }
}

async function submitIfComplete(deps: TxDeps, user: UserKey): Promise<void> {
  const row = await findUser(deps.sql, user)
  if (row?.status !== 'UNVERIFIED') return
  const isKnown = hasEnoughData({
    ...row,
    hasSsn: row.ssnSealed !== null,
    hasTaxId: row.taxIdSealed !== null,
    hasAddress: isWholeAddress(row.merchant.address),
  })
  if (isKnown) await changeUserStatus(deps, user, 'submit')
}

/**
 * Changes the status of an existing user, and notifies the endpoints that subscribed to it. All status changes use this function, except
 * `forceUserStatus`.
 *
 * @returns false if the current status does not allow the event
 */
export async function changeUserStatus(deps: TxDeps, user: UserKey, event: UserEvent): Promise<boolean> {
  const transition = userTransitions[event]
  const isChanged = await updateUserStatus(deps.sql, user, transition)
  if (isChanged) await statusChanged(deps, user, transition.to)
  return isChanged
}

/** Sets any status, regardless of the current one, for the sandbox. */
export async function forceUserStatus(deps: TxDeps, user: UserKey, status: UserStatus): Promise<void> {
  const from = USER_STATUSES.filter((other) => other !== status)
  if (await updateUserStatus(deps.sql, user, { from, to: status })) await statusChanged(deps, user, status)
}

/** Notifies subscribed endpoints and applies the status to the user's legs and payments in the background. */
async function statusChanged(deps: TxDeps, user: UserKey, status: UserStatus): Promise<void> {
  await recordUserStatus(deps, user, status)
  await followStatus(deps, user)
}

/** Applies a user's status or deletion to its legs and payments in the background. */
export const followStatus = (deps: TxDeps, user: UserKey): Promise<void> =>
  upsertStatusChange(deps.sql, user, deps.realClock.now())

const recordUserStatus = (deps: TxDeps, { platformId, userId }: UserKey, status: UserStatus): Promise<void> =>
  recordStatusEvent(deps, { platformId, type: 'USER', id: userId, status })

/** Lists the users of a platform. `total` is counted only for numbered pages. */
export async function getUsers(
  deps: Deps,
  { platformId, q, paging }: { platformId: string; q: string | undefined; paging: Paging },
): Promise<{ rows: ListedUser[]; next: Position | null; total: number | null }> {
  const rows = await listUsers(deps.sql, { platformId, q, paging })
  const total = paging.after ? null : await countUsers(deps.sql, { platformId, q })
  return { ...cutPage(rows, paging), total }
}

/** Lists one page of users without a total. Counting would take longer than reading the page. */
export const getUserPage = async (deps: Deps, given: UserFilter & { paging: Paging }) =>
  cutPage(await listUsers(deps.sql, given), given.paging)

/**
 * Deletes a user of a platform. Its keys stop working, its personal data is erased, and its payments stay.
 *
 * @returns the API keys that stopped working
 * @throws ApiError user_not_found, user_is_owner, user_busy
 */
export async function deleteUser(deps: TxDeps, caller: Caller, user: UserKey, hooks: UserHooks): Promise<string[]> {
  const before = (await lockUser(deps, user)) && (await findUser(deps.sql, user))
  if (!before) throw new ApiError('user_not_found')
  if (user.userId === user.platformId) throw new ApiError('user_is_owner')
  await refuseBusy(deps, user, hooks)
  await eraseUser(deps.sql, user, deps.clock.now())
  if (before.status !== 'CLOSED') await recordUserStatus(deps, user, 'CLOSED')
  await hooks.removeBelongings(deps, user)
  // The check is repeated after the writes. They waited for transactions that had locked the user or its bank, and payments of those
  // transactions are visible now.
  await refuseBusy(deps, user, hooks)
  await recordAudit(deps, caller, 'user_deleted', user.userId)
  return deleteApiKeys(deps.sql, user, null)
}

/** Checks that a user can be deleted. @throws ApiError user_busy */
async function refuseBusy(deps: TxDeps, user: UserKey, { findBusyReason }: UserHooks): Promise<void> {
  const reason = await findBusyReason(deps, user)
  if (reason) throw new ApiError('user_busy', { message: `The user cannot be deleted. ${reason}` })
}

/** Stores a user's signature for checks, a PNG or JPEG in base64. @throws ApiError invalid_signature_image, overloaded, rate_limited */
export async function storeSignature(deps: Deps, user: Caller, base64: string): Promise<void> {
  const image = await readSignatureImage(deps, user, base64)
  await inTransaction(deps, async (tx) => {
    await lockCaller(tx, user)
    await upsertSignature(tx.sql, user, deps.keyRing.seal(image, 'user signature'))
    await recordAudit(tx, user, 'signature_stored', user.userId)
  })
}

/** Reads a signature image and checks that it can be drawn. @throws ApiError invalid_signature_image, overloaded, rate_limited */
export async function readSignatureImage(deps: Deps, user: UserKey, base64: string): Promise<Buffer> {
  const image = requireSignatureImage(base64)
  if (isPng(image) && !(await isDrawable(deps, user, image))) throw invalidSignatureImage()
  return image
}

const isDrawable = ({ drawings }: Deps, { platformId }: UserKey, image: Buffer): Promise<boolean> =>
  drawings.images.schedule({ platformId, bytes: image.length }, (run) =>
    run<boolean>('isDrawable', image).catch(falseOnJobProblem),
  )

/** Returns false for an image that exceeds the decoder's time limit or crashes it. Rethrows other errors. */
function falseOnJobProblem(error: unknown): false {
  if (error instanceof JobProblem) return false
  throw error
}

/** Returns the stored signature in drawable form. Returns null if there is none, or if an older version stored one that cannot be drawn. */
export async function signatureOf(deps: Pick<TxDeps, 'sql' | 'keyRing'>, user: UserKey): Promise<Buffer | null> {
  const sealed = await findSignature(deps.sql, user)
  return sealed && openSignature(deps, sealed)
}

/** Opens a sealed signature and converts it to drawable form. Returns null if it cannot be drawn. */
export async function openSignature({ keyRing }: Pick<TxDeps, 'keyRing'>, sealed: Buffer): Promise<Buffer | null> {
  const image = keyRing.open(sealed, 'user signature')
  return isOfDrawableSize(image) ? drawable(image) : null
}

/** Converts an image to drawable form. A PNG is checked first, because pdfkit trusts its header. */
const drawable = async (image: Buffer): Promise<Buffer | null> => (isPng(image) ? drawablePng(image) : image)
