import { answeredNumber, commonAnswer, remittanceTable } from '../payment-rules.ts'
import type { FirstAnswerRow } from './accept-store.ts'

// Renders the answer to the request that created a payment. A repeated Idempotency-Key gets the same bytes for 24 hours, also from a later
// version of this program. The answer contains only columns that never change.

/** The version of the renderer for new payments. Raise it when the answer changes, and keep the previous renderer for one release. */
export const ANSWER_VERSION = 1

const renderers: Record<number, (payment: FirstAnswerRow) => object> = {
  1: (payment) => ({
    ...commonAnswer(payment, answeredNumber(payment)),
    remittance_advice: remittanceTable(payment.remittanceAdvice),
  }),
}

/** Renders the answer. @throws Error if the payment was created by a version of this program that is newer, or too old */
export function renderFirstAnswer(payment: FirstAnswerRow): string {
  const render = renderers[payment.answerVersion]
  if (!render) throw new Error(`no renderer has version ${payment.answerVersion}`)
  return JSON.stringify(render(payment))
}
