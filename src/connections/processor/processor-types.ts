import type { ProcessorRail } from '../../foundation/core/connections.ts'

/** The account that an order pays. `expires`: YYYY-MM. A card has a number until the processor returns a token for it. */
export type ProcessorAccount =
  | { kind: 'contact'; username: string }
  | { kind: 'card'; number: string; expires: string }
  | { kind: 'card_token'; token: string; expires: string }

/** An order to pay one leg. */
export type ProcessorOrder = {
  /** The leg's id, 32 hex digits. The processor pays only one order for a reference, even if it is sent several times. */
  reference: string
  rail: ProcessorRail
  cents: number
  paymentId: string
  payee: { name: string; account: ProcessorAccount }
  /** The purpose of the payment, or null. */
  description: string | null
}

/** The states of an order at a processor. `returned`: it was paid, and its money was returned. */
export const ORDER_STATES = ['submitted', 'accepted', 'paid', 'rejected', 'returned', 'canceled'] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** The information of a processor about an order. */
export type OrderReport = {
  state: OrderState
  /** The processor's id of the order. */
  processorId: string
  /** The amount according to the processor, in cents. */
  cents: number
  /** The reason why the order was rejected or returned: a code of `returnCodes`, if the processor names one. */
  reasonCode: string | null
  /** The processor's fee in cents. Null: not known. */
  feeCents: number | null
  /** The token that replaces the number of the card in later orders. Null: the processor returns none. */
  cardToken: string | null
}

/** The result of a call. `problem`: a text for the operator. It never contains text from the processor, which may repeat secrets. */
export type CallOutcome =
  /** `isCancelOpen`: the request to cancel the order is not decided, so it is repeated. */
  | { kind: 'reported'; report: OrderReport; isCancelOpen?: boolean }
  /**
   * The processor did not take the order, and the same order may be sent later. `isOfConnection`: whether other orders would fail as well.
   */
  | { kind: 'not_taken'; problem: string; retryAfterSeconds: number | null; isOfConnection: boolean }
  /** Nothing was taken, because the operator's balance at the processor is too low for this order. */
  | { kind: 'no_funds' }
  /** The processor refuses this order for good. `reasonCode`: a code of `returnCodes`, if it is known. */
  | { kind: 'refused'; problem: string; reasonCode: string | null }
  /** The processor may have taken the order, or did not answer a question. */
  | { kind: 'unknown'; problem: string }
  /** The processor has no order with this reference. */
  | { kind: 'not_found' }

/** The ids of an order: our reference, and the processor's id once it is known. */
export type OrderKey = { reference: string; processorId: string | null }

/** A processor that is ready to be called. */
export type Processor = {
  submit(order: ProcessorOrder): Promise<CallOutcome>
  find(key: OrderKey): Promise<CallOutcome>
  /** Asks the processor to cancel an order, and reports the state of the order afterward, which may be paid. */
  cancel(key: OrderKey): Promise<CallOutcome>
  /** Identifies the account at the processor, without a secret. Null: the processor has one account for each connection. */
  accountMark: string | null
  /**
   * Whether an order may be sent again if its answer was lost. True: the same request is sent again, because the processor pays only one
   * order for a reference and offers no search by it. False: no order is sent again.
   */
  asksBySubmitting: boolean
}

/** The order that an event of a processor concerns. Null: none of our orders. */
export type EventSubject = { reference: string } | { processorId: string } | null

/** A request that a processor posted. The names of its headers are in lower case. */
export type PostedEvent = { headers: Readonly<Record<string, string | undefined>>; body: string }
