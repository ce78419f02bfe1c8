import { findOwnFile } from '../../../connections/overview/exchange-list-actions.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import type { BankCaseKind } from '../../../foundation/exception/bank-case-rules.ts'
import type { BankCaseRow } from '../../../foundation/exception/bank-case-store.ts'
import { hasWaitingOrders } from '../../../money/iso20022/order/order-decision-actions.ts'
import { isOrderOpen } from '../../../money/payout/payout-decision-actions.ts'

type Waiting = (tx: TxDeps, row: BankCaseRow) => Promise<string | null>

const waitsForProcessor: Waiting = async (tx, row) =>
  (await isOrderOpen(tx, row))
    ? `The order has no final status, and would wait without an exception. Ask the processor, then run: remit exceptions apply ${row.id} --code PAID, or --code MS03 if it did not pay.`
    : null

/**
 * The kinds of cases that are the only sign that money waits: the same event opens no second case. While the money waits, a note does not
 * close them. Other kinds hold the money themselves, open again with the next attempt, or leave it to another case.
 */
const waiting: Partial<Record<BankCaseKind, Waiting>> = {
  order_unanswered: async (tx, row) =>
    (await hasWaitingOrders(tx, row))
      ? `Orders of this message have no final answer, and would wait without an exception. Ask the bank, then run for each: remit exceptions apply ${row.id} --trace ORDER --code ACSC, or another code. If the bank does not have the message, run: remit files resend ${row.fileName} --yes, or remit files reject ${row.fileName}.`
      : null,
  file_not_sent: async (tx, { connectionId, fileName: name }) => {
    const file = await findOwnFile(tx, { connectionId, name })
    return file?.status === 'WRITTEN' && file.attention !== null
      ? `${name} waits for your decision, and would wait without an exception. Send it with remit files send ${name} --yes. If the bank has it: remit files mark-sent ${name} --by NAME --why TEXT. If it must not be sent: remit files cancel ${name}, or remit files reject ${name} if its upload has begun.`
      : null
  },
  payout_unknown: waitsForProcessor,
  payout_contradicts: waitsForProcessor,
}

/** Returns why a case cannot be closed with a note, and what to do instead. Null: it can be closed. */
export const refusalOfClose = async (tx: TxDeps, row: BankCaseRow): Promise<string | null> =>
  (await waiting[row.kind]?.(tx, row)) ?? null
