import type { OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { createOutgoingFile } from '../../../connections/exchange/outgoing-file-actions.ts'
import type { CreditTransferName, IsoContract } from '../../../foundation/core/connections.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { endTransferCase, recordTransferCase } from '../../../foundation/exception/bank-case-actions.ts'
import { newId } from '../../../foundation/lib/ids.ts'
import type { LegKey } from '../../rail/leg-store.ts'
import { openMessageSchemas } from '../message/message-schema-actions.ts'
import { buildRecall } from '../message/recall-rules.ts'
import { isRefusal } from './order-file-actions.ts'
import { debtorAccountOf, fileNameOf } from './order-rules.ts'
import { isRecallAsked, listOrdersToRecall, type OrderToRecall, updateRecall } from './order-store.ts'

/** Returns whether the bank can be asked to cancel the order of a leg. It is asked only once, and its refusal is final. */
export const canRecallOrder = async ({ sql }: Pick<TxDeps, 'sql'>, leg: LegKey): Promise<boolean> =>
  !(await isRecallAsked(sql, leg))

const RECALLS_PER_PASS = 100

/** The code of the clearing system of our own bank, in which routing numbers identify banks. */
const CLEARING_SYSTEM = 'USABA'

/**
 * One pass for a connection: commits a request to cancel for each order whose payment is being voided. The order is unchanged until the
 * bank answers.
 *
 * @returns the number of requests
 */
export async function writeRecallsOf(open: OpenConnection): Promise<number> {
  const { deps, connection } = open
  const contract = connection.iso20022
  if (!contract) return 0
  const isolation = isolate(deps, 'write orders')
  let count = 0
  for (const order of await listOrdersToRecall(deps.sql, { connectionId: connection.id, limit: RECALLS_PER_PASS })) {
    const unit = { platformId: order.platformId, kind: 'leg', id: order.legId }
    if (await isolation.run(unit, () => writeOrRefuse(open, contract, order))) count++
  }
  return count
}

async function writeOrRefuse(open: OpenConnection, contract: IsoContract, order: OrderToRecall): Promise<boolean> {
  const { deps, connection } = open
  const invalid = {
    connectionId: connection.id,
    kind: 'orders_invalid',
    fileName: fileNameOf('recall', order.legId),
  } as const
  try {
    const isWritten = await write(open, contract, order)
    await inTransaction(deps, (tx) => endTransferCase(tx, invalid, 'The request was sent.'))
    return isWritten
  } catch (error) {
    if (!isRefusal(error)) throw error
    const note = `The bank was not asked to call back an order: ${error.message}.`
    await inTransaction(deps, (tx) => recordTransferCase(tx, { ...invalid, note, isBankWide: false }))
    return false
  }
}

/** Writes the request to cancel one order. @throws InvalidMessage, UnwritableMessage, UnusableSchema */
async function write(
  { deps, connection }: OpenConnection,
  contract: IsoContract,
  order: OrderToRecall,
): Promise<boolean> {
  const { fileId, legId, platformId, cents, currency, uetr, executeOn, payment, message, createdAt } = order
  const now = deps.clock.now()
  const id = newId(deps)
  const { xml } = buildRecall({
    ...{ terms: contract.terms, bank: debtorAccountOf(connection, contract).bank, clearingSystem: CLEARING_SYSTEM },
    ...{ recallId: id, createdAt: now, reason: 'CUST', text: null, executeOn, paymentId: payment, messageId: fileId },
    order: { legId, cents, currency, uetr },
    messageName: message as CreditTransferName,
    messageCreatedAt: createdAt,
  })
  const schemas = contract.schemaFolder === null ? null : await openMessageSchemas(contract.schemaFolder)
  try {
    // Banks only provide schemas of the messages that they check. Without a schema, the table of elements is the only check.
    if (schemas?.namespaces.some((namespace) => namespace.endsWith(contract.terms.recall))) schemas.validate(xml)
  } finally {
    schemas?.dispose()
  }
  const name = fileNameOf('recall', id)
  return inTransaction(deps, async (tx) => {
    await createOutgoingFile(tx, {
      ...{ id, connectionId: connection.id, kind: 'recall', name, effectiveAt: null, platformIds: [platformId] },
      parts: [{ name: `${name}.xml`, content: xml }],
    })
    if (await updateRecall(tx.sql, order, { from: null, to: id })) return true
    throw new Error('another worker asked the bank to call this order back')
  })
}
