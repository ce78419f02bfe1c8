import { amountOf, centsOfAmount } from '../processor/amount-rules.ts'
import type { OrderReport, OrderState, ProcessorOrder } from '../processor/processor-types.ts'

// The format of PayPal Payouts. docs/paypal.md names its sources and lists what is not known.

/** The state for each `transaction_status` of an item. UNCLAIMED: the money waits 30 days for its receiver. */
const STATES: Readonly<Record<string, OrderState>> = {
  PENDING: 'accepted',
  UNCLAIMED: 'accepted',
  ONHOLD: 'accepted', //   PayPal reviews it
  SUCCESS: 'paid',
  FAILED: 'rejected',
  BLOCKED: 'rejected',
  DENIED: 'rejected',
  RETURNED: 'returned', // nobody accepted it
  REFUNDED: 'returned', // the receiver gave it back
  REVERSED: 'returned',
}

/** The reason code for each name of an item's error. A name that is missing here counts as a refusal without a reason. */
const REASONS: Readonly<Record<string, string>> = {
  INSUFFICIENT_FUNDS: 'AM04',
  RECEIVER_UNREGISTERED: 'BE06',
  RECEIVER_ACCOUNT_LOCKED: 'AC06',
  RECEIVER_ACCOUNT_LIMITATION: 'AC06',
  RECEIVER_STATE_RESTRICTED: 'AG01',
  ACCOUNT_RESTRICTED: 'AC06',
  ACCOUNT_UNCONFIRMED_EMAIL: 'BE06',
  RECEIVING_LIMIT_EXCEEDED: 'AM02',
  REGULATORY_BLOCKED: 'RR04',
  REGULATORY_PENDING: 'RR04',
  RISK_DECLINE: 'MS03',
}

const MAX_RECEIVER = 127
const MAX_NOTE = 1_000

/** Returns the request of an order: a batch of one item with our reference. Returns null if PayPal cannot pay to the account. */
export function payoutRequest({ reference, rail, cents, payee, description }: ProcessorOrder): object | null {
  const receiver = payee.account.kind === 'contact' ? receiverOf(payee.account.username.trim(), rail) : null
  if (receiver === null) return null
  const note = (description ?? 'Payment').slice(0, MAX_NOTE)
  const wallet = rail === 'VENMO' ? 'VENMO' : 'PAYPAL'
  return {
    sender_batch_header: { sender_batch_id: reference },
    items: [{ ...receiver, amount: amountOf(cents), note, sender_item_id: reference, recipient_wallet: wallet }],
  }
}

/** Detects the kind of an account name: an email address, a phone number, the id of a PayPal account, or a Venmo handle. */
function receiverOf(name: string, rail: string): { recipient_type: string; receiver: string } | null {
  if (name.length > MAX_RECEIVER) return null
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(name)) return { recipient_type: 'EMAIL', receiver: name }
  const digits = name.replaceAll(/[\s().-]/g, '')
  if (/^\+?\d{10,15}$/.test(digits)) return { recipient_type: 'PHONE', receiver: digits }
  if (rail === 'VENMO' && /^@?[A-Za-z0-9_-]{5,30}$/.test(name))
    return { recipient_type: 'USER_HANDLE', receiver: name.replace('@', '') }
  return rail === 'PAYPAL' && /^[A-Z0-9]{13}$/.test(name) ? { recipient_type: 'PAYPAL_ID', receiver: name } : null
}

/** Reads the id of a batch that was created. Returns null if the answer contains none. */
export const batchIdOf = (json: unknown): string | null =>
  textAt((json as { batch_header?: { payout_batch_id?: unknown } } | null)?.batch_header?.payout_batch_id)

/** Reads a batch with its item. Returns null if it is not the order with this reference, or cannot be read. */
export function readBatch(json: unknown, { reference }: { reference: string }): OrderReport | null {
  const batch = (json ?? {}) as Batch
  const { batch_header: header } = batch
  const batchId = batchIdOf(json)
  const item = itemOf(batch, reference)
  if (batchId === null || header?.sender_batch_header?.sender_batch_id !== reference) return null
  const state = item ? STATES[item.transaction_status ?? 'PENDING'] : stateOfBatch(header.batch_status)
  const cents = centsOfAmount(item?.payout_item?.amount ?? header.amount)
  if (state === undefined || cents === null) return null
  return {
    state,
    processorId: batchId,
    cents,
    reasonCode: REASONS[item?.errors?.name ?? ''] ?? null,
    feeCents: item?.payout_item_fee ? centsOfAmount(item.payout_item_fee) : null,
    cardToken: null,
  }
}

/** Returns the id of an order's item whose money nobody has claimed, or null. */
export function unclaimedItemOf(json: unknown, { reference }: { reference: string }): string | null {
  const item = itemOf((json ?? {}) as Batch, reference)
  return item?.transaction_status === 'UNCLAIMED' ? textAt(item.payout_item_id) : null
}

const itemOf = ({ items }: Batch, reference: string): Item | undefined =>
  Array.isArray(items) ? items.find((one) => one?.payout_item?.sender_item_id === reference) : undefined

/** Returns the state of a batch without items. Such a batch was not processed yet, or was denied as a whole. */
const stateOfBatch = (status: string | undefined): OrderState | undefined =>
  status === 'DENIED' || status === 'CANCELED' ? 'rejected' : status === undefined ? undefined : 'submitted'

type Batch = {
  batch_header?: {
    batch_status?: string
    sender_batch_header?: { sender_batch_id?: string }
    amount?: unknown
  }
  items?: Item[]
}

type Item = {
  payout_item_id?: unknown
  transaction_status?: string
  payout_item_fee?: unknown
  payout_item?: { sender_item_id?: string; amount?: unknown }
  errors?: { name?: string }
}

/** The meaning of an error for a batch that was sent. `batchId`: the batch that already has this reference, if PayPal names it. */
export type BatchError = { isDuplicate: boolean; isOfBalance: boolean; batchId: string | null }

/** Reads an error of PayPal. The text of the error is not used, because it may repeat data that was sent. */
export function readBatchError(json: unknown): BatchError {
  const { name, details, links } = (json ?? {}) as { name?: unknown; details?: unknown; links?: unknown }
  const issues = listOf(details).map(({ field, issue }) => `${field} ${issue}`)
  const isDuplicate = issues.some((one) => /sender_batch_id/i.test(one) && /duplicate|already/i.test(one))
  const [link] = [...listOf(links), ...listOf(details).flatMap((one) => listOf(one.link))].flatMap(
    ({ href }) => /\/v1\/payments\/payouts\/([A-Za-z0-9]{1,30})(?:$|[?#])/.exec(String(href))?.[1] ?? [],
  )
  return { isDuplicate, isOfBalance: name === 'INSUFFICIENT_FUNDS', batchId: link ?? null }
}

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.filter(Boolean) : [])

const textAt = (value: unknown): string | null =>
  typeof value === 'string' && /^[A-Za-z0-9]{1,30}$/.test(value) ? value : null
