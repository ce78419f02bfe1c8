import { ApiError, fieldError } from '../../core/errors.ts'
import type { Deps, TxDeps } from '../../db/deps.ts'
import type { Caller } from '../../http/caller.ts'
import type { IdempotencyClaim } from '../../http/idempotency/idempotency-store.ts'
import { holdActiveUser } from '../../user/user-lock-actions.ts'
import type { UserKey } from '../../user/user-store.ts'
import { type Accepted, acceptPaymentWith } from '../accept/accept-actions.ts'
import type { Order } from '../accept/prepare-actions.ts'
import { findUsersByExternalId, insertRecipient } from '../payment-recipient-store.ts'

/** One of several recipients, as the sender names it. */
export type RecipientOrder = {
  name: string
  /** The user_id of a user of the platform. */
  recipient: string
  pin?: { description?: string; value: string } | null
  endorse_only?: boolean | null
}

export type MultiOrder = Omit<Order, 'name' | 'recipient' | 'pin' | 'mail_type'> & { recipients: RecipientOrder[] }

const MAX_NAME_LENGTH = 180

/**
 * Accepts a payment to several recipients. The recipients are written in the same transaction.
 *
 * @throws ApiError as `acceptPayment`, and invalid_recipient, own_recipient, recipient_not_active, invalid_request
 */
export async function acceptMultiPayment(
  deps: Deps,
  { caller, order, claim }: { caller: Caller; order: MultiOrder; claim: IdempotencyClaim | null },
): Promise<Accepted> {
  const { recipients } = order
  return acceptPaymentWith(deps, { caller, order: orderOfSeveral(order), claim }, (tx, paymentId) =>
    addRecipients(tx, caller, { paymentId, recipients }),
  )
}

/** The order of the payment itself. @throws ApiError invalid_request */
export function orderOfSeveral({ recipients, ...others }: MultiOrder): Order {
  const name = joinedNames(recipients.map((recipient) => recipient.name))
  if (name.length > MAX_NAME_LENGTH) {
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

/** `A and B`, `A, B and C`. */
const joinedNames = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`

/** Writes the recipients of an accepted payment. @throws ApiError invalid_recipient, own_recipient, recipient_not_active, invalid_request */
export async function addRecipients(
  deps: TxDeps,
  { platformId, userId: senderId }: UserKey,
  { paymentId, recipients }: { paymentId: string; recipients: readonly RecipientOrder[] },
): Promise<void> {
  const users = await findUsersByExternalId(
    deps.sql,
    platformId,
    recipients.map(({ recipient }) => recipient),
  )
  const ids = new Map(users.map(({ id, externalId }) => [externalId, id]))
  const known = recipients.map((recipient, index) => {
    const userId = ids.get(recipient.recipient)
    if (!userId) throw recipientError('invalid_recipient', index, 'must be the user_id of a user of the platform')
    if (userId === senderId)
      throw recipientError('own_recipient', index, 'is also the sender. Choose another recipient')
    return { ...recipient, userId, index }
  })
  const isTwice = known.find(({ userId }, index) => known.findIndex((other) => other.userId === userId) < index)
  if (isTwice) throw recipientError('invalid_request', isTwice.index, 'is named twice')
  // Locked in the order of all transactions.
  for (const { userId, index } of known.toSorted((one, other) => (one.userId < other.userId ? -1 : 1))) {
    const isActive = await holdActiveUser(deps, { platformId, userId })
    if (!isActive) throw recipientError('recipient_not_active', index, 'cannot receive payments')
  }
  for (const { index, name, recipient, userId, pin, endorse_only: endorseOnly } of known) {
    await insertRecipient(deps.sql, {
      platformId,
      paymentId,
      position: index + 1,
      name,
      recipient,
      userId,
      endorseOnly: endorseOnly ?? false,
      pin: pin
        ? { description: pin.description ?? null, valueSealed: deps.keyRing.seal(pin.value, 'payment pin') }
        : null,
    })
  }
}

const recipientError = (
  code: 'invalid_recipient' | 'own_recipient' | 'recipient_not_active' | 'invalid_request',
  index: number,
  problem: string,
) => new ApiError(code, { fields: { [`recipients.${index}.recipient`]: [problem] } })
