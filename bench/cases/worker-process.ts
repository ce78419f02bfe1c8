import { decimalAmount } from '../../src/foundation/core/money.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { analyzeGrownTables } from '../../src/foundation/db/schema/table-statistics.ts'
import { addBankingDays, nextSettlementDate } from '../../src/foundation/lib/banking-day.ts'
import { addDays } from '../../src/foundation/lib/clock.ts'
import { isClean, verifyLedger } from '../../src/money/ledger/verify-actions.ts'
import { yieldToRequests } from '../../src/operation/cli/service-commands.ts'
import { legHandlers } from '../../src/operation/scheduler/leg-handlers.ts'
import { readPaidChecks, writeCheckFiles } from '../../src/payments/check/printing/print-worker.ts'
import type { PaymentStatus } from '../../src/payments/payment/payment-status.ts'
import { putInbound } from '../../test/support/ach.ts'
import { at, bankFolder, doAllDue, handOver, sendAchFiles } from '../support/bank-day.ts'
import { answerParent } from '../support/helper.ts'
import { CHECK_ACCOUNT, type Installation, withDatabase } from '../support/service.ts'

// Runs the production worker, one part of its work at a time.

const methods = {
  keepStatistics,
  endStatistics,
  sendDebits,
  settle,
  trust,
  payOut,
  printChecks,
  mailChecks,
  readPaidList,
  expire,
  count,
  verify,
}
export type WorkerProcess = typeof methods
yieldToRequests()
answerParent(methods)

const ANALYZE_MS = 1_000

/** Connects to the database, and analyzes tables that have grown once a second, as the worker does. */
const withWorker = <T>(installation: Installation, work: (deps: Deps) => Promise<T>): Promise<T> =>
  withDatabase(installation, async (deps) => {
    let last: Promise<unknown> = analyzeGrownTables(deps)
    await last
    const timer = setInterval(() => {
      last = last.then(() => analyzeGrownTables(deps))
    }, ANALYZE_MS)
    try {
      return await work(deps)
    } finally {
      clearInterval(timer)
      await last
    }
  })

let ending = Promise.withResolvers<void>()

/** Analyzes tables that have grown, until `endStatistics`. For parts of the work that the service does. */
async function keepStatistics(installation: Installation): Promise<void> {
  ending = Promise.withResolvers()
  await withWorker(installation, () => ending.promise)
}

function endStatistics(): void {
  ending.resolve()
}

type OfWindow = { installation: Installation; window: Date }

/** Sends all waiting debits at the next cut-off. @returns the cut-off */
function sendDebits(installation: Installation): Promise<Date> {
  return withWorker(installation, async (deps) => (await sendAchFiles(deps, deps.clock.now())).window)
}

/** Settles the debits of a cut-off, whose files the bank has accepted. */
function settle({ installation, window }: OfWindow): Promise<void> {
  return withWorker(installation, (deps) => doAllDue(deps, nextSettlementDate(window)))
}

/** Trusts the debits of a cut-off, which creates the credits. */
function trust({ installation, window }: OfWindow): Promise<void> {
  return withWorker(installation, (deps) => doAllDue(deps, trustedAt(window)))
}

/** Sends the credits at the next cut-off. The payments are PAID when the bank has accepted the files, and then the credits settle. */
function payOut({ installation, window }: OfWindow): Promise<void> {
  return withWorker(installation, async (deps) => {
    const sent = await sendAchFiles(deps, trustedAt(window))
    await doAllDue(deps, nextSettlementDate(sent.window))
  })
}

const TRUST_DAYS = 2

const trustedAt = (window: Date): Date => addBankingDays(nextSettlementDate(window), TRUST_DAYS)

/** Writes the print files of all waiting checks, and the lists of them for the bank. */
function printChecks(installation: Installation): Promise<void> {
  return withWorker(installation, async (deps) => {
    const then = tomorrow(deps)
    while ((await writeCheckFiles(then, legHandlers)) > 0);
  })
}

/** Hands the files to the printer and the bank: the payments are MAILED. */
function mailChecks(installation: Installation): Promise<void> {
  return withWorker(installation, async (deps) => void (await handOver(tomorrow(deps))))
}

/** Reads a list of the bank that names all checks: the payments are PAID. */
function readPaidList(installation: Installation): Promise<void> {
  return withWorker(installation, async (deps) => {
    const checks = await deps.sql<{ serial: number; cents: number; issuedOn: string }[]>`
      select serial, cents, issued_on::text as issued_on from paper_checks where paid_on is null order by serial
    `
    const lines = checks.map(({ serial, cents, issuedOn }) =>
      [CHECK_ACCOUNT, serial, decimalAmount(cents), issuedOn].join(','),
    )
    const list = ['account,number,amount,date', ...lines, ''].join('\n')
    await putInbound(bankFolder(deps), `paid-${checks[0]?.serial}.csv`, list)
    const then = tomorrow(deps)
    while ((await readPaidChecks(then, legHandlers)) > 0);
  })
}

const tomorrow = (deps: Deps): Deps => at(deps, addDays(deps.clock.now(), 1))

const EXPIRATION_DAYS = 90

/** Expires all payments that were not deposited. */
function expire(installation: Installation): Promise<void> {
  return withWorker(installation, (deps) => doAllDue(deps, addDays(deps.clock.now(), EXPIRATION_DAYS + 1)))
}

function count({ installation, status }: { installation: Installation; status: PaymentStatus }): Promise<number> {
  return withDatabase(installation, async ({ sql }) => {
    const [row] = await sql<{ count: number }[]>`select count(*) from payments where status = ${status}`
    return row?.count ?? 0
  })
}

/** Verifies the ledger. @throws Error if a row is wrong */
function verify(installation: Installation): Promise<void> {
  return withDatabase(installation, async (deps) => {
    if (!isClean(await verifyLedger(deps))) throw new Error('the ledger has errors')
  })
}
