import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { answerParent } from '../support/helper.ts'
import { createSamples, type Measurement } from '../support/samples.ts'
import { type TransferPlan, walletPairs } from './wallet-pairs.ts'

// PostgreSQL clients that run transactions in a loop over postgres.js, with prepared statements.

const methods = { tpcB, inserts, transfers }
export type SqlLoops = typeof methods
answerParent(methods)

type Loop = { databaseUrl: string; clients: number; seconds: number }

/** The five statements of TPC-B, as pgbench sends them. */
function tpcB({ scale, ...loop }: Loop & { scale: number }): Promise<Measurement> {
  return measure(loop, (client) =>
    client.begin(async (sql) => {
      const aid = randomOf(100_000 * scale)
      const tid = randomOf(10 * scale)
      const bid = randomOf(scale)
      const delta = randomOf(10_001) - 5_001
      await sql`update pgbench_accounts set abalance = abalance + ${delta} where aid = ${aid}`
      await sql`select abalance from pgbench_accounts where aid = ${aid}`
      await sql`update pgbench_tellers set tbalance = tbalance + ${delta} where tid = ${tid}`
      await sql`update pgbench_branches set bbalance = bbalance + ${delta} where bid = ${bid}`
      await sql`
        insert into pgbench_history (tid, bid, aid, delta, mtime)
        values (${tid}, ${bid}, ${aid}, ${delta}, current_timestamp)
      `
    }),
  )
}

/** One row per transaction, into a table like `payments` with its indexes. */
function inserts({ platformId, ...loop }: Loop & { platformId: string }): Promise<Measurement> {
  return measure(
    loop,
    (sql) => sql`
      insert into bench_payments (
        platform_id, id, sender_id, kind, number, number_is_text, amount_cents, name, recipient, funding_id,
        deposit_options, status, created_at, updated_at, expires_at
      )
      values (
        ${platformId}, ${randomBytes(16).toString('hex')}, ${platformId}, 'DIGITAL', '1', false, 1025, 'Customer',
        'somebody', ${platformId}, '{BANK,PRINT,MAIL}', 'UNPAID', now(), now(), now() + interval '90 days'
      )
    `,
  )
}

/** One transfer per transaction, with the service's posting function. Both wallets are locked in a fixed order. */
function transfers({ platformId, wallets, pairs, ...loop }: Loop & TransferPlan): Promise<Measurement> {
  const next = walletPairs(wallets, pairs)
  return measure(loop, (sql) => {
    const [from, to] = next()
    return sql`select bench_transfer(${platformId}, ${randomBytes(16).toString('hex')}, ${from}, ${to})`
  })
}

async function measure(
  { databaseUrl, clients, seconds }: Loop,
  transaction: (sql: postgres.Sql) => Promise<unknown>,
): Promise<Measurement> {
  const sql = postgres(databaseUrl, { max: clients, onnotice: () => {} })
  const samples = createSamples()
  await Promise.all(Array.from({ length: clients }, () => sql`select 1`))
  const end = performance.now() + 1000 * seconds
  const loop = async () => {
    for (let begin = performance.now(); begin < end; begin = performance.now()) {
      await transaction(sql)
      samples.add(performance.now() - begin)
    }
  }
  await Promise.all(Array.from({ length: clients }, loop))
  await sql.end()
  return samples.measurement(seconds)
}

const randomOf = (count: number): number => 1 + Math.floor(Math.random() * count)
