import type { TxDeps } from '../../foundation/db/deps.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { applyLegEvent, type LegHandlers, lockLeg, sendLegInFile } from '../rail/leg-actions.ts'
import type { LegKey } from '../rail/leg-store.ts'

/** The codes that say that the money has moved: of cases about processors, and of orders at banks. */
const PAID_CODES = ['PAID', 'ACSC']

/**
 * Records that a processor has paid a payment, which was held after a restore, by an order that the database lost. The operator has asked the
 * processor.
 *
 * @returns a text that says what was done
 * @throws StartProblem
 */
export async function payByLostPayout(
  tx: TxDeps,
  handlers: LegHandlers,
  { leg: key, trace, code }: { leg: LegKey; trace: string | undefined; code: string | undefined },
): Promise<string> {
  if (!trace || !PAID_CODES.includes(code?.toUpperCase() ?? '')) {
    throw new StartProblem(
      'Ask the processor about the order. If it has paid, give its reference: --trace REFERENCE --code PAID. If the order is still pending, wait. If the processor does not have the payment, close this. The payment is then sent.',
    )
  }
  const leg = await lockLeg(tx, handlers, key)
  const isSent = leg !== null && (await sendLegInFile(tx, handlers, leg, { isAtBank: true }))
  const sent = isSent ? await lockLeg(tx, handlers, key) : null
  if (!sent || !(await applyLegEvent(tx, handlers[sent.purpose], sent, 'settle')))
    throw new StartProblem('The payment does not wait for the processor, or another exception holds it.')
  tx.log.warn({ leg: sent.id, reference: trace }, 'the processor has paid this leg by an order that a restore lost')
  return `The processor has paid the payment by order ${trace}. It is not sent again.`
}
