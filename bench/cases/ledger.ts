import type { Pool } from '../../src/foundation/db/connect.ts'
import { startHelper } from '../support/helper.ts'
import { postgresProcesses, withCpu } from '../support/measure.ts'
import { asOwner, install, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { makeWorld } from '../support/world.ts'
import type { SqlLoops } from '../yardsticks/sql-loops.ts'
import type { TransferPlan } from '../yardsticks/wallet-pairs.ts'
import type { LedgerProcess } from './ledger-process.ts'

// Ledger transfers in groups that share a commit, compared with one transaction each.

const WALLETS = 1_000
const CALLERS = 256
const CLIENTS = 32

const comparisons: Comparison[] = [
  { caseName: 'ledger', subject: 'hot-together', yardstick: 'hot-alone', of: 'rate', floor: 3, aim: 10 },
  { caseName: 'ledger', subject: 'any-together', yardstick: 'any-alone', of: 'rate', floor: 1.2, aim: 3 },
]

export const ledgerCases = { cases: ['ledger'], prepare }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`making ${WALLETS} wallets`)
  const production = await install(server, { environment: 'production', database: 'ledger' })
  const { databaseUrl } = production
  await asOwner(production, createTransferFunction)
  const { platformId, users } = await withDatabase(production, (deps) =>
    makeWorld(deps, { name: 'holders', userCount: WALLETS }),
  )
  const wallets = users.map(({ walletId }) => walletId)
  const ledger = startHelper<LedgerProcess>('cases/ledger-process.ts')
  const loops = startHelper<SqlLoops>('yardsticks/sql-loops.ts')
  const subject = (name: string, title: string, measure: Subject['measure'], pid: number): Subject => {
    const watched = { client: () => [pid], postgres: () => postgresProcesses(context) }
    return { name, title, measure: (seconds) => withCpu(watched, () => measure(seconds)) }
  }
  const together = (name: string, title: string, pairs: TransferPlan['pairs']) => {
    const given = { databaseUrl, platformId, wallets, pairs, callers: CALLERS }
    return subject(name, title, (seconds) => ledger.call('run', { ...given, seconds }), ledger.pid)
  }
  const alone = (name: string, pairs: TransferPlan['pairs']) => {
    const given = { databaseUrl, platformId, wallets, pairs, clients: CLIENTS }
    const title = `one transaction for each transfer, ${CLIENTS} clients`
    return subject(name, title, (seconds) => loops.call('transfers', { ...given, seconds }), loops.pid)
  }
  const subjects = [
    together('hot-together', `transfers from one hot wallet, ${CALLERS} callers`, 'one hot wallet'),
    alone('hot-alone', 'one hot wallet'),
    together('any-together', `transfers between ${WALLETS} wallets, ${CALLERS} callers`, 'any two'),
    alone('any-alone', 'any two'),
  ]
  const end = async () => {
    await Promise.all([ledger.end(), loops.end()])
  }
  return { subjects, comparisons, notes: [], end }
}

/** Transfers one cent if available: locks both wallets in a fixed order, then calls the service's posting function. */
async function createTransferFunction(sql: Pool): Promise<void> {
  await sql`
    create function bench_transfer(_platform_id uuid, _id uuid, _from uuid, _to uuid) returns text
    language plpgsql
    as $$
    declare
      available bigint;
    begin
      perform 1
      from wallets
      where platform_id = _platform_id and id in (_from, _to)
      order by id
      for update;
      select balance_cents - held_cents into available
      from wallets
      where platform_id = _platform_id and id = _from;
      if available < 1 then
        return 'insufficient_funds';
      end if;
      perform post_transfers_v1(
        _platform_id,
        json_build_array(
          json_build_object(
            'id', _id, 'mode', 'post', 'debit', 'wallet:' || replace(_from::text, '-', ''),
            'credit', 'wallet:' || replace(_to::text, '-', ''), 'cents', 1, 'reason', 'bench'
          )
        ),
        null, null, now()
      );
      return 'posted';
    end $$
  `
}
