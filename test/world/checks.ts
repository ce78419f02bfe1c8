import { verifyChains } from '../../src/foundation/audit/audit-chain-actions.ts'
import { businessDate } from '../../src/foundation/lib/clock.ts'
import { isClean, verifyLedger } from '../../src/money/ledger/verify-actions.ts'
import { checkOrders } from './actors/order-checks.ts'
import { keep, type World } from './world.ts'

/** Invariants after every step. Each change of a payment notes its time, so only the last ones are read. */
export async function checkStep(world: World): Promise<void> {
  const { books, deps, clock, checkedAt } = world
  world.checkedAt = clock.now()
  const rows = await deps.sql<{ id: string; status: string; cents: number; at: Date }[]>`
    select id, status, amount_cents as cents, created_at as at from payments where updated_at >= ${checkedAt} order by id
  `
  const added = rows.filter(({ id }) => !books.dealOf(id))
  keep('every payment was agreed on', added.flatMap(books.adopt))
  const changed = rows.filter(({ id, status }) => (books.statuses.get(id) ?? 'UNPAID') !== status)
  for (const { id, status } of changed) world.trace.push(`payment ${books.dealOf(id)?.cents} ${status}`)
  keep(
    'statuses say what happened',
    changed.flatMap(({ id, status }) => books.seeStatus(id, status)),
  )
  keep('nobody gives or gets too much', books.problemsNow())
  await checkSent(world)
  keep('background work succeeds when nothing disturbs it', world.failedSteps)
}

/** A payment counts against the limits of its sender once, also if its request is repeated. */
async function checkSent({ books, clock, deps, userOf }: World): Promise<void> {
  const sent = books.takeSent(clock.now())
  if (sent.size === 0) return
  const today = businessDate(clock.now(), 'America/Los_Angeles')
  const rows = await deps.sql<{ userId: string; cents: number }[]>`
    select user_id, sent_day_cents as cents from user_counters where sent_on = ${today}::date
  `
  const counted = new Map(rows.map(({ userId, cents }) => [userId, cents]))
  const problems = [...sent].flatMap(([name, cents]) => {
    const user = userOf(name)
    const count = (user && counted.get(user.api.id)) ?? 0
    return user && count !== cents ? [`${name} sent ${cents} cents today, and ${count} are counted`] : []
  })
  keep('each payment counts once against the limit', problems)
}

/** Invariants that take longer to check: the ledger and the audit trail. */
export async function checkFully(world: World): Promise<void> {
  const { deps } = world
  await checkOrders(world)
  const verification = await verifyLedger(deps)
  const wrong = verification.filter(({ finding }) => finding.offending.length > 0)
  keep('verify-ledger is clean', isClean(verification) ? [] : wrong.map((one) => JSON.stringify(one)))
  const breaks: string[] = []
  await verifyChains(deps, { platformId: null, heads: [] }, (report) => {
    if (report.break) breaks.push(JSON.stringify(report.break))
  })
  keep('verify-audit is clean', breaks)
}
