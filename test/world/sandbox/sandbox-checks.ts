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

async function advanceAll(sandbox: Sandbox, duration: string): Promise<void> {
  for (const { owner } of sandbox.platforms) await owner.put('/v3/sandbox/clock', { advance: duration })
  await workAll(sandbox)
}

const hasDeliveries = async ({ deps: { sql } }: Sandbox): Promise<boolean> =>
  (await sql`select from deliveries where status = 'PENDING' limit 1`).length > 0

/** Counts the statuses and rails that the webhooks of payments have reported. */
export async function coverageOf({ deps: { sql } }: Sandbox): Promise<Coverage> {
  const statuses = zeros(PAYMENT_STATUSES.filter((status) => status !== 'UNPAID'))
  const rails = zeros(RAILS)
  const told = await sql<{ status: string; rail: string | null }[]>`
    select body::json->>'status' as status, body::json->>'deposit_option' as rail from events where type = 'CHECK'
  `
  for (const { status, rail } of told) {
    statuses[status] = (statuses[status] ?? 0) + 1
    if (rail) rails[rail] = (rails[rail] ?? 0) + 1
  }
  return { statuses, rails }
}
