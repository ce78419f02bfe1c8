import type { ProcessorRail } from '../../foundation/core/connections.ts'

/** The account that an order pays. `expires`: YYYY-MM. A card has a number until the processor gives a token for it. */
export type ProcessorAccount =
  | { kind: 'contact'; username: string }
  | { kind: 'card'; number: string; expires: string }
  | { kind: 'card_token'; token: string; expires: string }

/** An order to pay one leg. */
export type ProcessorOrder = {
  /** The leg's id, 32 hex digits. The processor pays one order for it, however often it is sent. */
  reference: string
  rail: ProcessorRail
  cents: number
  paymentId: string
  payee: { name: string; account: ProcessorAccount }
  /** What the payment is for, or null. */
  description: string | null
}

/** The states of an order at a processor. `returned`: it was paid, and its money is back. */
export const ORDER_STATES = ['submitted', 'accepted', 'paid', 'rejected', 'returned', 'canceled'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** What a processor says about an order. */
export type OrderReport = {
  state: OrderState
  /** The processor's own id of the order. */
  processorId: string
  /** The amount that the processor names. */
  cents: number
  /** Why the order was rejected or came back: a code of `returnCodes` if the processor names one. */
  reasonCode: string | null
  /** What the processor charged, in cents. Null: not known. */
  feeCents: number | null
  /** Replaces the number of the card in later orders. Null: the processor gives none. */
  cardToken: string | null
}

/** The result of a call. `problem`: for the operator; it never contains text of the processor, which may repeat secrets. */
export type CallOutcome =
  | { kind: 'reported'; report: OrderReport }
  /** Nothing was taken, and the same order may be sent later. `isOfConnection`: other orders would fail as well. */
  | { kind: 'not_taken'; problem: string; retryAfterSeconds: number | null; isOfConnection: boolean }
  /** Nothing was taken, because the operator's balance at the processor is too low for this order. */
  | { kind: 'no_funds' }
  /** The processor does not take this order, now or later. `reasonCode`: of `returnCodes`, if it is known. */
  | { kind: 'refused'; problem: string; reasonCode: string | null }
  /** The processor may have taken the order, or did not answer a question. */
  | { kind: 'unknown'; problem: string }
  /** The processor knows no order with this reference. */
  | { kind: 'not_found' }

/** How an order is named: by our reference, and by the processor's id once it is known. */
export type OrderKey = { reference: string; processorId: string | null }

/** A processor that is ready to be called. */
export type Processor = {
  submit(order: ProcessorOrder): Promise<CallOutcome>
  find(key: OrderKey): Promise<CallOutcome>
  /**
   * Asks for an order not to be paid, and reports its state then. It may be paid. Null: the processor cannot cancel orders.
   */
  cancel: ((key: OrderKey) => Promise<CallOutcome>) | null
  /** Tells accounts at the processor apart, without a secret. Null: the processor has one account for each connection. */
  accountMark: string | null
  /**
   * Whether an order whose answer was lost is asked about with the same request, because the processor promises to pay one order for a
   * reference and cannot be asked by it. Otherwise, no order is sent again.
   */
  asksBySubmitting: boolean
}

/** An event that a processor posted: the order to ask about. Null: it concerns none of our orders. */
export type EventSubject = { reference: string } | { processorId: string } | null

/** A request that a processor posted, with names of headers in lower case. */
export type PostedEvent = { headers: Readonly<Record<string, string | undefined>>; body: string }
