import { isRecoveryMissing, recordOrders } from '../../connections/exchange/exchange-guard-actions.ts'
import {
  freeSession,
  isBackingOff,
  leaseSession,
  recordFailure,
  recordSuccess,
} from '../../connections/exchange/session/connection-session-actions.ts'
import { type Connection, PROCESSOR_RAILS } from '../../foundation/core/connections.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import {
  endTransferCase,
  isTransferCaseOpen,
  recordTransferCase,
} from '../../foundation/exception/bank-case-actions.ts'
import { sumWhenSettled } from '../../foundation/lib/concurrency/sum-when-settled.ts'
import { legsToFile, platformsToFile } from '../rail/leg-actions.ts'
import { openProcessor, SecretUnreadable } from './open-processor-actions.ts'
import { askAboutPayout, type OpenProcessor, type PayoutHooks, startPayout, submitPayout } from './payout-actions.ts'
import { followEvents } from './payout-event-actions.ts'
import { LOW_BALANCE } from './payout-rules.ts'
import { hasWaiting, listDuePayouts, type PayoutRow } from './payout-store.ts'

/** The maximum number of legs of a platform, and of orders of a connection, in one pass. */
const LEGS_PER_PLATFORM = 50
const ORDERS_PER_PASS = 20

export const payoutStep: BackgroundStep<{ payoutHooks: PayoutHooks }> = {
  name: 'pay by processors',
  run: (deps, { payoutHooks }) => payByProcessors(deps, payoutHooks),
  isWoken: true,
}

type Pass = { deps: Deps; hooks: PayoutHooks; connection: Connection; isolation: Isolation }

/**
 * Runs one pass for each connection to a processor: sends waiting legs, submits their orders, and asks about orders that have not ended.
 * The connections run at the same time, so that a slow processor does not delay the others.
 *
 * @returns the number of legs and orders handled
 */
export async function payByProcessors(given: Deps, hooks: PayoutHooks): Promise<number> {
  const connections = given.connections.current()
  const deps = { ...given, connections: { current: () => connections } }
  const isolation = isolate(deps, payoutStep.name)
  return sumWhenSettled(
    connections.all
      .filter(({ processor }) => processor !== null)
      .map(async (connection) => {
        const unit = { platformId: null, kind: 'connection', id: connection.id }
        if (isolation.skipped().ids.includes(unit.id)) return 0
        return (await isolation.run(unit, () => passOver({ deps, hooks, connection, isolation }))) ?? 0
      }),
  )
}

async function passOver(pass: Pass): Promise<number> {
  const { deps, connection, isolation } = pass
  await followEvents(deps, connection.id)
  await followBalance(deps, connection.id)
  // While the connection waits after a problem, no leg is sent. A leg that was not sent can still be voided.
  if (await isBackingOff(deps, connection.id)) return 0
  const unit = { platformId: null, id: `legs of ${connection.id}` }
  const started = isolation.skipped().ids.includes(unit.id) ? 0 : await isolation.run(unit, () => startLegs(pass))
  const due = await listDuePayouts(deps.sql, {
    connectionId: connection.id,
    now: deps.clock.now(),
    skipped: isolation.skipped(),
    limit: ORDERS_PER_PASS,
  })
  return (started ?? 0) + (due.length === 0 ? 0 : await callProcessor(pass, due))
}

/** The time that an order may wait for the balance before a case is opened. */
const BALANCE_CASE_AFTER_MS = 30 * 60_000

/** Opens a case if orders wait because the balance at a processor is too low, and closes the case when no order waits. */
async function followBalance(deps: Deps, connectionId: string): Promise<void> {
  const lowBalance = { connectionId, kind: 'balance_too_low', fileName: connectionId } as const
  const now = deps.clock.now()
  const waits = (createdBefore: Date) => hasWaiting(deps.sql, { connectionId, lastProblem: LOW_BALANCE, createdBefore })
  if (await isTransferCaseOpen(deps, lowBalance)) {
    if (await waits(now)) return
    return inTransaction(deps, (tx) => endTransferCase(tx, lowBalance, 'The processor has taken all orders.'))
  }
  if (!(await waits(new Date(now.getTime() - BALANCE_CASE_AFTER_MS)))) return
  const note = `${LOW_BALANCE} Orders wait.`
  await inTransaction(deps, (tx) => recordTransferCase(tx, { ...lowBalance, note, isBankWide: false }))
}

/**
 * Sends the legs that wait for the connection, one platform at a time. After a restore, they wait until an operator has recovered the
 * files.
 */
async function startLegs({ deps, hooks, connection, isolation }: Pass): Promise<number> {
  const { rails } = deps.connections.current()
  const until = deps.clock.now()
  let count = 0
  for (const rail of PROCESSOR_RAILS.filter((one) => rails[one] === connection.id)) {
    const skipped = isolation.skipped()
    const platformIds = await platformsToFile(deps, { rail, until, skipped })
    if (platformIds.length > 0 && (await isRecoveryMissing(deps))) return count
    count += await isolation.each(platformIds, async (platformId) => {
      const query = { rail, until, skipped, platformId, limit: LEGS_PER_PLATFORM }
      let sent = 0
      for (const leg of await inTransaction(deps, (tx) => legsToFile(tx, query))) {
        const isSent = await isolation.run({ platformId, id: leg.id }, () =>
          startPayout(deps, hooks, { connection, leg }),
        )
        if (isSent) sent++
      }
      return sent
    })
  }
  return count
}

/** Handles the due orders in one session. A problem of the connection ends the session and delays the next one. */
async function callProcessor({ deps, hooks, connection, isolation }: Pass, due: readonly PayoutRow[]): Promise<number> {
  const lease = await leaseSession(deps, connection.id)
  if (!lease) return 0
  let count = 0
  try {
    const open = await openProcessor(deps, connection)
    if (due.some(({ status }) => status === 'READY')) await recordOrders(deps, connection.id)
    for (const payout of due) {
      if (!lease.isHeld()) break
      const unit = { platformId: payout.platformId, id: payout.legId }
      const outcome = await isolation.run(unit, () => callAbout(deps, hooks, { open, payout }))
      if (outcome?.kind === 'not_taken' && outcome.isOfConnection) {
        await recordFailure(deps, lease, { kind: 'call', message: outcome.problem, needsPerson: false })
        return count
      }
      count++
    }
    await recordSuccess(deps, lease, null)
  } catch (error) {
    if (error instanceof SecretUnreadable)
      await recordFailure(deps, lease, { kind: 'settings', message: error.message, needsPerson: true })
    else {
      await freeSession(deps, lease)
      throw error
    }
  } finally {
    lease.stop()
  }
  return count
}

const callAbout = (deps: Deps, hooks: PayoutHooks, { open, payout }: { open: OpenProcessor; payout: PayoutRow }) =>
  payout.status === 'READY'
    ? submitPayout(deps, hooks, { open, key: payout })
    : askAboutPayout(deps, hooks, { open, payout })
