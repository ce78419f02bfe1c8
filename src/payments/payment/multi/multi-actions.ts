import { ApiError, fieldError } from '../../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import type { IdempotencyClaim } from '../../../foundation/http/idempotency/idempotency-store.ts'
import { isEmail, normalizeEmail } from '../../../foundation/lib/text/email.ts'
import { findStoppedUser, holdActiveUser } from '../../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../../people/user/user-store.ts'
import { type Accepted, acceptPayment } from '../accept/accept-actions.ts'
import { acceptRefusal } from '../accept/accept-refusal-rules.ts'
import type { Acceptance } from '../accept/accept-store.ts'
import { type Order, senderOf } from '../accept/prepare-actions.ts'
import {
  findOwnersByAddress,
  findUsersByExternalId,
  insertRecipient,
  isOwnContact,
} from '../payment-recipient-store.ts'
import { recipientProblem } from '../payment-rules.ts'
import { countNeededForRecipients, findPolicyRefusal, type JudgedRecipient } from './multi-policy-store.ts'

/** One of several recipients, as the sender names it. */
export type RecipientOrder = {
  name: string
  /** The user_id of a user of the platform, or an email address. */
  recipient: string
  pin?: { description?: string | null; value: string } | null
  endorse_only?: boolean | null
}

export type MultiOrder = Omit<Order, 'name' | 'recipient' | 'pin' | 'mail_type'> & { recipients: RecipientOrder[] }

const MAX_NAME_LENGTH = 180

/**
 * Accepts a payment to several recipients. The recipients are inserted in the same transaction.
 *
 * @throws ApiError as `acceptPayment`, and invalid_recipient, own_recipient, recipient_not_active, invalid_request
 */
export async function acceptMultiPayment(
  deps: Deps,
  { caller, order, claim }: { caller: Caller; order: MultiOrder; claim: IdempotencyClaim | null },
): Promise<Accepted> {
  const { recipients } = order
  const also = (tx: TxDeps, payment: Acceptance) => addRecipients(tx, { payment, recipients })
  return acceptPayment({ how: 'alone', deps, also }, { sender: senderOf(caller), order: orderForMulti(order), claim })
}

/** Returns the order for the payment without its recipients. @throws ApiError invalid_request */
export function orderForMulti({ recipients, ...others }: MultiOrder): Order {
  const name = joinedNames(recipients.map((recipient) => recipient.name))
  if ([...name].length > MAX_NAME_LENGTH) {
    throw fieldError(
      'invalid_request',
      'recipients',
      `must have names of at most ${MAX_NAME_LENGTH} characters together`,
    )
  }
  if (recipients.every(({ endorse_only: isEndorseOnly }) => isEndorseOnly)) {
    throw fieldError('invalid_request', 'recipients', 'must include one that is not endorse_only and can deposit')
  }
  const shown = recipients.map(({ recipient }) => recipient).join(', ')
  return { ...others, name, recipient: shown, isForSeveral: true }
}

/** Joins names: `A and B`, `A, B and C`. */
const joinedNames = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/**
 * Inserts the recipients of a payment that was accepted in this transaction, if the approval policy allows each of them.
 *
 * @param payees the users of the recipients, if the caller knows them
 * @throws ApiError invalid_recipient, own_recipient, recipient_not_active, invalid_request, approval_required, second_person_needed
 */
export async function addRecipients(
  deps: TxDeps,
  { payment, recipients, payees }: { payment: Acceptance; recipients: readonly RecipientOrder[]; payees?: Payees },
): Promise<void> {
  const { id: paymentId, platformId, senderId } = payment
  const users = payees ?? (await findRecipientUsers(deps, platformId, recipients))
  const known = recipients.map((recipient, index) => {
    const email = isEmail(recipient.recipient) ? normalizeEmail(recipient.recipient) : null
    const user = users[index] ?? null
    const userId = user?.userId ?? null
    const userPlatformId = user && user.platformId !== platformId ? user.platformId : null
    if (!userId && !email)
      throw recipientError(
        'invalid_recipient',
        index,
        recipient.recipient.includes('@')
          ? recipientProblem(recipient.recipient)
          : 'must be an email address, or the user_id of a user of the platform',
      )
    return { ...recipient, userId, userPlatformId, email: userId === null ? email : null, index }
  })
  for (const { userId, email, index } of known) {
    const isOwn =
      userId === senderId ||
      (email && (await isOwnContact(deps.sql, { platformId, userId: senderId }, { email, phone: null })))
    if (isOwn) throw recipientError('own_recipient', index, 'is also the sender. Choose another recipient')
  }
  const isTwice = known.find(({ userId, email }, index) =>
    known.slice(0, index).some((other) => (userId ? other.userId === userId : other.email === email)),
  )
  if (isTwice) throw recipientError('invalid_request', isTwice.index, 'is named twice')
  await holdRecipients(deps, platformId, known)
  const refusal = await findPolicyRefusal(deps.sql, payment, judgedRecipients(recipients, users))
  if (refusal) throw acceptRefusal(refusal, payment.recipient)
  for (const { index, name, recipient, userId, userPlatformId, pin, endorse_only: endorseOnly } of known) {
    await insertRecipient(deps.sql, {
      platformId,
      paymentId,
      position: index + 1,
      name,
      recipient,
      userId,
      userPlatformId,
      endorseOnly: endorseOnly ?? false,
      pin: pin
        ? { description: pin.description ?? null, valueSealed: deps.keyRing.seal(pin.value, 'payment pin') }
        : null,
    })
  }
}

const judgedRecipients = (recipients: readonly RecipientOrder[], users: Payees): JudgedRecipient[] =>
  recipients.map(({ recipient }, index) => ({ recipient, user: users[index] ?? null }))

/** Counts the people who must approve a payment because of its recipients. */
export async function countNeededForMulti(
  deps: Pick<TxDeps, 'sql'>,
  payment: Acceptance,
  recipients: readonly RecipientOrder[],
): Promise<number> {
  const users = await findRecipientUsers(deps, payment.platformId, recipients)
  return countNeededForRecipients(deps.sql, payment, judgedRecipients(recipients, users))
}

/** The users of recipients, in their order. Null: the recipient has no user, or is invalid. */
export type Payees = readonly (UserKey | null)[]

/** Finds the users of recipients. */
export async function findRecipientUsers(
  deps: Pick<TxDeps, 'sql'>,
  platformId: string,
  recipients: readonly Pick<RecipientOrder, 'recipient'>[],
): Promise<(UserKey | null)[]> {
  const names = recipients.map(({ recipient }) => recipient)
  const users = await findUsersByExternalId(deps.sql, platformId, names)
  const ids = new Map(users.map(({ id, externalId }) => [externalId, id]))
  const emails = names.flatMap((name) => (isEmail(name) ? normalizeEmail(name) : []))
  const owners = new Map((await findOwnersByAddress(deps.sql, emails)).map((owner) => [owner.email, owner.platformId]))
  return names.map((name) => {
    const userId = ids.get(name)
    if (userId) return { platformId, userId }
    // The id of an owner is the id of its platform.
    const ownerId = isEmail(name) ? owners.get(normalizeEmail(name)) : undefined
    return ownerId ? { platformId: ownerId, userId: ownerId } : null
  })
}

/**
 * Locks users against suspension and deletion. All transactions use the same order, so that they do not deadlock. Owners of other platforms
 * are read without a lock.
 *
 * @throws ApiError recipient_not_active
 */
async function holdRecipients(
  deps: TxDeps,
  platformId: string,
  recipients: readonly { userId: string | null; userPlatformId: string | null; index: number }[],
): Promise<void> {
  const users = recipients.flatMap(({ userId, ...others }) => (userId ? [{ userId, ...others }] : []))
  for (const { userId, userPlatformId, index } of users.toSorted((one, other) =>
    one.userId < other.userId ? -1 : 1,
  )) {
    const isActive = userPlatformId
      ? (await findStoppedUser(deps, [{ platformId: userPlatformId, userId }])) === null
      : await holdActiveUser(deps, { platformId, userId })
    if (!isActive) throw recipientError('recipient_not_active', index, 'cannot receive payments')
  }
}

const recipientError = (
  code: 'invalid_recipient' | 'own_recipient' | 'recipient_not_active' | 'invalid_request',
  index: number,
  problem: string,
) => new ApiError(code, { fields: { [`recipients.${index}.recipient`]: [problem] } })
