import { isClean, verifyLedger } from '../../../src/money/ledger/verify-actions.ts'
import { checkCopies } from '../actors/order-checks.ts'
import { createDice } from '../dice.ts'
import type { Failure, History, Step } from '../history.ts'
import { Broken, count, digestOf, keep } from '../world.ts'
import { acts, deliver, tour, workAll } from './sandbox-acts.ts'
import { type Sandbox, startSandbox } from './sandbox-world.ts'

/** `statuses`, `rails`: those that the webhooks of payments have reported. */
export type SandboxOutcome = {
  digest: string
  failure: Failure | null
  seen: Record<string, number>
  trace: string[]
  statuses: Set<string>
  rails: Set<string>
}

/** The number of steps after which the sandbox must come to rest. */
const STEPS_PER_CHAPTER = 150

/** Draws a history: first a tour of all rails, and a rest after each chapter and at the end. */
export function drawSandboxHistory(seed: number, steps: number): History {
  const dice = createDice(seed)
  const wheel = Object.entries(acts).flatMap(([name, [weight]]) => Array<string>(weight).fill(name))
  const draw = (name: string): Step => [name, dice.between(0, 2 ** 31)]
  const drawn = Array.from({ length: steps }, () => draw(dice.pick(wheel) as string))
  const isEnd = (index: number) => (index + 1) % STEPS_PER_CHAPTER === 0 || index === steps - 1
  const chapters = drawn.flatMap((step, index) => (isEnd(index) ? [step, draw('rest')] : [step]))
  return { seed, steps: [draw('tour'), ...chapters] }
}

/** Runs a history in its own sandbox. */
export async function liveInSandbox({ seed, steps }: History): Promise<SandboxOutcome> {
  const ends: (() => unknown)[] = []
  const sandbox = await startSandbox({ after: (end) => void ends.unshift(end) }, seed).catch(async (error) => {
    for (const end of ends) await end()
    throw error
  })
  let failure: Failure | null = null
  for (const step of steps) {
    failure ??= await take(sandbox, step)
    if (failure) break
  }
  const told = failure ? [] : await eventsOf(sandbox)
  for (const end of ends) {
    try {
      await end()
    } catch (error) {
      failure ??= failureOf(sandbox, 'the end', error as Error)
    }
  }
  return {
    digest: digestOf(sandbox.trace),
    failure,
    seen: sandbox.seen,
    trace: sandbox.trace,
    statuses: new Set(told.map(({ status }) => status)),
    rails: new Set(told.map(({ rail }) => rail)),
  }
}

const eventsOf = ({ deps: { sql } }: Sandbox) => sql<{ status: string; rail: string }[]>`
  select body::json->>'status' as status, body::json->>'deposit_option' as rail from events where type = 'CHECK'
`

async function take(sandbox: Sandbox, [name, seed]: Step): Promise<Failure | null> {
  sandbox.step++
  sandbox.dice = createDice(seed)
  count(sandbox, name)
  try {
    const act = name === 'rest' ? rest : name === 'tour' ? tour : acts[name]?.[1]
    const note = await act?.(sandbox)
    sandbox.trace.push(`${sandbox.step} ${name}: ${note}`)
    await check(sandbox)
    return null
  } catch (error) {
    return failureOf(sandbox, name, error as Error)
  }
}

function failureOf({ step }: Sandbox, act: string, error: Error): Failure {
  const promise = error instanceof Broken ? error.promise : `no error: ${error.name}`
  return { step, act, promise, message: error.stack ?? error.message }
}

/** Checks the promises that hold after each step. */
async function check({ deps, failedSteps, statuses, trace }: Sandbox): Promise<void> {
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
async function rest(sandbox: Sandbox): Promise<string> {
  const { deps, platforms, receiver } = sandbox
  await advanceAll(sandbox, 'P30D')
  receiver.become('reliable')
  for (let round = 0; round < 12 && (await hasDeliveries(sandbox)); round++) {
    await deliver(sandbox)
    await advanceAll(sandbox, 'PT10H')
  }
  receiver.become('careless')
  const open = await deps.sql<{ text: string }[]>`
    select id || ' ' || status as text from payments
    where status in ('UNPAID', 'IN_PROCESS', 'PRINTED', 'MAILED') order by id
  `
  keep(
    'everything comes to an end',
    open.map(({ text }) => text),
  )
  const rows = await deps.sql<{ id: string; status: string }[]>`select id, status from payments order by id`
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
