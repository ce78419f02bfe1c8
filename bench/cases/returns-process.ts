import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { addBankingDays, nextSettlementDate } from '../../src/foundation/lib/banking-day.ts'
import { readAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { isClean, verifyLedger } from '../../src/money/ledger/verify-actions.ts'
import { achHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { bankFile, putInbound, readAch } from '../../test/support/ach.ts'
import { bankFolder, doAllDue, sendAchFiles } from '../support/bank-day.ts'
import { answerParent } from '../support/helper.ts'
import { type Installation, withDatabase } from '../support/service.ts'

// The production worker sends debits in files and reads the bank's returns. A folder takes the place of the bank.

const methods = { sendAll, readReturns, verify }
export type ReturnsProcess = typeof methods
answerParent(methods)

/** Sends all waiting legs at the next cut-off, settles them, and writes a file with the returns of all debits to `inbound/`. */
async function sendAll(installation: Installation): Promise<number> {
  return withDatabase(installation, async (deps) => {
    const folder = bankFolder(deps)
    const { window, names } = await sendAchFiles(deps, deps.clock.now())
    const settlement = nextSettlementDate(window)
    for (const now of [settlement, addBankingDays(settlement, 1)]) await doAllDue(deps, now)
    const files = names.map(async (name) =>
      readAch(name, await readFile(join(folder, 'outbound/sent', name), 'latin1')),
    )
    const entries = (await Promise.all(files)).flatMap((file) => file.entries)
    const returns = entries.map(({ trace, cents, account }) => {
      return { code: 'R01', trace, direction: 'debit' as const, cents, account }
    })
    await putInbound(folder, `returns-${window.getTime()}-${names[0]}`, bankFile(returns))
    return returns.length
  })
}

/** Reads the returns. @returns the seconds it took @throws Error unless all were processed */
async function readReturns({ installation, count }: { installation: Installation; count: number }): Promise<number> {
  return withDatabase(installation, async (deps) => {
    const before = await countReturned(deps)
    const begin = performance.now()
    while ((await readAchFiles(deps, achHooks)) > 0);
    const seconds = (performance.now() - begin) / 1000
    const returned = (await countReturned(deps)) - before
    if (returned !== count) throw new Error(`${returned} of ${count} returns were used`)
    return seconds
  })
}

/** Verifies the ledger. @throws Error if a row is wrong */
async function verify(installation: Installation): Promise<void> {
  await withDatabase(installation, async (deps) => {
    if (!isClean(await verifyLedger(deps))) throw new Error('the ledger has errors')
  })
}

async function countReturned({ sql }: Deps): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from payments where status = 'FAILED'`
  return row?.count ?? 0
}
