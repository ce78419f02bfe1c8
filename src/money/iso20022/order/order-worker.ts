import { eachConnection, type OpenConnection } from '../../../connections/exchange/connection-pass-actions.ts'
import { openInbox } from '../../../connections/exchange/inbox-actions.ts'
import type { BackgroundStep } from '../../../foundation/db/background/background-step.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import type { LegHandlers } from '../../rail/leg-actions.ts'
import { type OrderHooks, writeOrdersOf } from './order-file-actions.ts'
import { reportUnanswered, settleBookedOrders } from './order-follow-actions.ts'
import { writeRecallsOf } from './order-recall-actions.ts'
import { processReportFile } from './order-report-actions.ts'
import { reportMissingOrders } from './order-restore-actions.ts'

const FILES_READ_PER_PASS = 20

type Tools = { orderHooks: OrderHooks }

export const writeOrdersStep: BackgroundStep<Tools> = {
  name: 'write orders',
  run: (deps, { orderHooks }) => writeOrders(deps, orderHooks),
  isWoken: false,
}

export const readAnswersStep: BackgroundStep<Tools> = {
  name: 'read answers to orders',
  run: (deps, { orderHooks }) => readAnswers(deps, orderHooks.handlers),
  isWoken: false,
}

/** One pass over all connections: writes messages with the waiting orders, and requests to cancel. @returns the number of orders */
export const writeOrders = (deps: Deps, hooks: OrderHooks): Promise<number> =>
  eachConnection(deps, {
    step: writeOrdersStep.name,
    isFor: ({ iso20022 }) => iso20022 !== null,
    work: async (open) => (await writeOrdersOf(open, hooks)) + (await writeRecallsOf(open)),
  })

/**
 * One pass: reads the bank's answers, and opens cases about orders that were not answered in time. @returns the number of files and orders
 */
export const readAnswers = (deps: Deps, handlers: LegHandlers): Promise<number> =>
  eachConnection(deps, {
    step: readAnswersStep.name,
    isFor: ({ iso20022 }) => iso20022 !== null,
    work: async (open) => {
      const count = (await readReportsOf(open, handlers)) + (await settleBookedOrders(open, handlers))
      await reportUnanswered(open)
      await reportMissingOrders(open.deps, open.connection.id)
      return count
    },
  })

async function readReportsOf(open: OpenConnection, handlers: LegHandlers): Promise<number> {
  const { deps, connection } = open
  const isolation = isolate(deps, readAnswersStep.name)
  const inbox = openInbox(open)
  const except = isolation.skipped().ids
  let count = 0
  for (const file of await inbox.list('order answers', { limit: FILES_READ_PER_PASS, except })) {
    const unit = { platformId: null, kind: 'inbound file', id: inbox.unitOf(file) }
    if (await isolation.run(unit, () => processReportFile(deps, handlers, { connection, inbox, file }))) count++
  }
  return count
}
