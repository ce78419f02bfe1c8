import { isClean, verifyLedger } from '../../../src/money/ledger/verify-actions.ts'
import { RAILS } from '../../../src/money/rail/rail-rules.ts'
import { PAYMENT_STATUSES } from '../../../src/payments/payment/payment-status.ts'
import { checkCopies } from '../actors/order-checks.ts'
import { type Coverage, zeros } from '../coverage.ts'
import { keep } from '../world.ts'
import { deliver, workAll } from './sandbox-acts.ts'
import type { Sandbox } from './sandbox-world.ts'

// The promises of a sandbox.

/** Checks the promises that hold after each step. */
export async function check({ deps, failedSteps, statuses, trace }: Sandbox): Promise<void> {
  const verification = await verifyLedger(deps)
  const wrong = verification.filter(({ finding }) => finding.offending.length > 0)
  keep('verify-ledger is clean', isClean(verification) ? [] : wrong.map((one) => JSON.stringify(one)))
  keep('background work succeeds when nothing disturbs it', failedSteps)
  const rows = await deps.sql<{ id: string; status: string }[]>`select id, status from payments order by id`
  for (const { id, status } of rows) {
    if (statuses.get(id) === status) continue
    statuses.set(id, status)
    trace.push(`payment ${id} ${status}`)
  }
}

/**
 * Lets time pass until every webhook has arrived. Then every payment must be final and reported, and both platforms must have the same
 * data.
 */
export async function rest(sandbox: Sandbox): Promise<string> {
  const { deps, platforms, receiver } = sandbox
  await advanceAll(sandbox, 'P30D')
  receiver.become('reliable')
  for (let round = 0; round < 12 && (await hasDeliveries(sandbox)); round++) {
    await deliver(sandbox)
    await advanceAll(sandbox, 'PT10H')
  }
  receiver.become('careless')
  const rows = await deps.sql<{ id: string; status: string }[]>`select id, status from payments order by id`
  const open = rows.filter(({ status }) => ['UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED'].includes(status))
  keep(
    'everything comes to an end',
    open.map(({ id, status }) => `${id} ${status}`),
  )
  const statusOf = new Map(rows.map(({ id, status }) => [id, status]))
  keep(
    'every change was told',
    sandbox.payments.flatMap(({ id, payer }) => {
      const last = receiver.told.get(`${payer.name} ${id}`)?.at(-1)
      return last === statusOf.get(id) ? [] : [`${payer.name} was told ${last} of ${id}, which is ${statusOf.get(id)}`]
    }),
  )
  await checkBytes(sandbox)
  await checkCards(sandbox)
  await checkCopies(sandbox)
  return `${platforms.length} platforms at rest`
}

/** Checks that every webhook has the bytes of its event. */
async function checkBytes({ deps: { sql }, receiver }: Sandbox): Promise<void> {
  const events = await sql<{ id: string; body: string }[]>`
    select e.id, e.body
    from deliveries d
    join events e on e.platform_id = d.platform_id and e.id = d.event_id
    where d.status = 'DELIVERED'
    order by e.id
  `
  keep(
    'a webhook has the bytes of its event',
    events.flatMap(({ id, body }) => (receiver.bodies.get(id) === body ? [] : [`${id}: ${receiver.bodies.get(id)}`])),
  )
}

/** Checks that a virtual card has the payments that went to it and are PAID, less the money that was spent. */
async function checkCards({ deps: { sql }, spentCents }: Sandbox): Promise<void> {
  const rows = await sql<{ id: string; balanceCents: number; paidCents: number }[]>`
    with c as materialized (select id, balance_cents from virtual_cards),
    l as materialized (
      select distinct on (subject_id) subject_id, account_id, cents
      from legs
      where purpose = 'payment_push'
      order by subject_id, created_at desc, id desc
    ),
    p as materialized (select id from payments where status = 'PAID')
    select c.id, c.balance_cents, coalesce(sum(l.cents) filter (where p.id is not null), 0)::bigint as paid_cents
    from c
    left join l on l.account_id = c.id
    left join p on p.id = l.subject_id
    group by c.id, c.balance_cents
    order by c.id
  `
  keep(
    'a card has what was paid to it and not spent',
    rows.flatMap(({ id, balanceCents, paidCents }) => {
      const expected = paidCents - (spentCents.get(id) ?? 0)
      return balanceCents === expected ? [] : [`card ${id} has ${balanceCents}, not ${expected} cents`]
    }),
  )
}

async function advanceAll(sandbox: Sandbox, duration: string): Promise<void> {
  for (const { owner } of sandbox.platforms) await owner.put('/v3/sandbox/clock', { advance: duration })
  await workAll(sandbox)
}

const hasDeliveries = async ({ deps: { sql } }: Sandbox): Promise<boolean> =>
  (await sql`select from deliveries where status = 'PENDING' limit 1`).length > 0

/** Counts the statuses and rails that the webhooks of payments have reported, and the movements of virtual cards. */
export async function coverageOf({ deps: { sql }, seen }: Sandbox): Promise<Coverage> {
  const cards = zeros(['card_loaded', 'card_unloaded', 'card_spent', 'card_not_empty', 'card_overdrawn'])
  for (const { reason, count } of await sql<{ reason: string; count: number }[]>`
    select reason, count(*)::integer as count from transfers where reason like 'card%' group by reason
  `)
    cards[reason] = count
  for (const code of ['card_not_empty', 'card_overdrawn']) cards[code] = seen[`not card deleted: ${code}`] ?? 0
  const statuses = zeros(PAYMENT_STATUSES.filter((status) => status !== 'UNPAID'))
  const rails = zeros(RAILS)
  const told = await sql<{ status: string; rail: string | null }[]>`
    select body::json->>'status' as status, body::json->>'deposit_option' as rail from events where type = 'CHECK'
  `
  for (const { status, rail } of told) {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (rail) rails[rail] = (rails[rail] ?? 0) + 1
  }
  return { statuses, rails, cards }
}
