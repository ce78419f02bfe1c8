import { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../../src/foundation/exception/exception-actions.ts'
import { addDays } from '../../src/foundation/lib/clock.ts'
import { filesCommand } from '../../src/operation/cli/files-commands.ts'
import { mayHaveInMail } from './actors/lockbox.ts'
import { checkCopies, checkOrders } from './actors/order-checks.ts'
import { ORDER_RAILS, settleOrders } from './actors/order-rails.ts'
import { checkFees, settlePayouts } from './actors/processors.ts'
import { reconcile } from './actors/statements.ts'
import { accept, answerLate, payChecks, sendAnswer } from './bank.ts'
import { checkFully, checkStep } from './checks.ts'
import { arriveLate, transfer } from './exchange.ts'
import {
  closeThemselves,
  debtsOfPayments,
  decideBankCase,
  decideException,
  endSuspensions,
  rejectList,
  settleFlaggedFiles,
} from './operators.ts'
import { depositPayment, paymentsOf } from './people.ts'
import { deliverWebhooks, inwards, others, outwards, passToWindow, workAtOnce } from './work.ts'
import { keep, type World } from './world.ts'

// Lets the world come to rest: the transfer job and the bank catch up, the operator decides every case, and weeks pass. Then nothing may be
// in transit, no case may be open, and each party must have what its payments require.

const MAX_ROUNDS = 20
/** Every third round does the work that is seldom due. */
const ROUNDS_PER_OTHER_WORK = 3
/** The number of rounds in which checks are still printed and cashed. Many of them wait for their money until then. */
const ROUNDS_WITH_CHECKS = 8
const MAX_DECISIONS = 50
const HOURS_PER_ROUND = 60

export async function rest(world: World): Promise<string> {
  const start = world.clock.now()
  await endSuspensions(world)
  world.broken = null
  world.terms.are = 'right'
  world.receiver.become('reliable')
  let rounds = 0
  do {
    while (world.late.size > 0) await arriveLate(world)
    for (const name of world.lost) await filesCommand({ yes: true }, ['resend', name])(world.deps).catch(() => {})
    await workAtOnce(world, rounds % ROUNDS_PER_OTHER_WORK === 0 ? [...others, ...outwards] : outwards)
    await transfer(world, { isReliable: true })
    await settleFlaggedFiles(world)
    for (const file of world.bank.values()) {
      if (file.status !== 'received') continue
      accept(world, file)
      await sendAnswer(world, { file, change: {} })
    }
    await answerLate(world, { all: true })
    await settleOrders(world)
    settlePayouts(world)
    await workAtOnce(world, inwards)
    if (rounds < ROUNDS_WITH_CHECKS) await handleChecks(world)
    await decideAll(world)
    world.clock.advance(HOURS_PER_ROUND * 3_600)
    passToWindow(world)
    await deliverWebhooks(world)
  } while (++rounds < MAX_ROUNDS && (await isBusy(world)))
  world.processors.setCalm(false)
  const end = world.clock.now()
  await reconcile(world)
  // The bank's last list may be unread, so its statement can be the first to report that a stopped check was paid.
  await decideAll(world)
  await deliverWebhooks(world)
  world.receiver.become('careless')
  await checkStep(world)
  await checkEnded(world, { start, end })
  await checkFully(world)
  return `${rounds} rounds`
}

async function decideAll(world: World): Promise<void> {
  for (let left = MAX_DECISIONS; left > 0; left--)
    if (!(await decideBankCase(world)) && !(await decideException(world))) return
}

async function handleChecks(world: World): Promise<void> {
  const { dice } = world
  if (dice.chance(0.3)) await rejectList(world)
  for (const payment of paymentsOf(world, ['PRINTED']))
    if (dice.chance(0.4)) await depositPayment(world, payment, 'print')
  if (dice.chance(0.3)) await payChecks(world) // the payees of the other checks wait
}

/** Returns whether work will happen automatically, or after an answer of the bank or a decision. */
async function isBusy({ deps, bank }: World): Promise<boolean> {
  if ([...bank.values()].some(({ status }) => status === 'received')) return true
  const [row] = await deps.sql<{ isBusy: boolean }[]>`
    select
      exists (select from legs where next_at is not null or file_at is not null or status in ('STOPPING', 'SENT') and rail <> 'PRINT' or status = 'ACCEPTED' and rail = any (${ORDER_RAILS}::text[]))
      or exists (select from payments where refund_at is not null)
      or exists (select from exchanges where kind = 'ach' and status in ('WRITTEN', 'TRANSMITTED') or attention is not null)
      or exists (select from exceptions where closed_at is null)
      or exists (select from bank_cases where closed_at is null and kind <> all (${closeThemselves}))
      or exists (select from outbox)
      or exists (select from deliveries where status = 'PENDING') as is_busy
  `
  return row?.isBusy ?? true
}

const DAYS_UNTIL_ENDED = 4

/** @param time when the rounds began and ended. What waited at the start has had all rounds to be sent. After the end, only days pass. */
async function checkEnded(world: World, { start, end }: { start: Date; end: Date }): Promise<void> {
  const { deps, books } = world
  const longAgo = addDays(end, -DAYS_UNTIL_ENDED)
  const legs = await deps.sql<{ text: string }[]>`
    select concat_ws(' ', subject_id, purpose, rail, status, next_event, held_reason) as text
    from legs
    where file_at < ${longAgo} or next_at < ${longAgo} or (file_at is not null and created_at < ${start}) or (rail = 'ACH' and status = 'SENT' and sent_at < ${longAgo})
      or (rail = any (${ORDER_RAILS}::text[]) and status in ('SENT', 'ACCEPTED', 'STOPPING') and sent_at < ${longAgo})
    order by id
  `
  const files = await deps.sql<{ text: string }[]>`
    select concat_ws(' ', name, status, attention) as text
    from exchanges
    where attention is not null or kind = 'ach' and status in ('WRITTEN', 'TRANSMITTED') and created_at < ${longAgo}
    order by number
  `
  keep(
    'everything comes to an end',
    [...legs, ...files].map(({ text }) => text),
  )
  const cases = (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note}`)
  const exceptions = (await getExceptions(deps, { platformId: null, includesClosed: false })).map(
    ({ kind, note }) => `${kind}: ${note}`,
  )
  keep('no case stays open', [...cases, ...exceptions])
  // A check that has just expired is still being stopped, or its money is being returned. Nothing older is in transit.
  const waiting = await deps.sql<{ subjectId: string }[]>`
    select subject_id
    from legs
    where status = 'STOPPING' or purpose = 'payment_refund' and status in ('WAITING', 'SENT')
  `
  const inTransit = new Set(waiting.map(({ subjectId }) => subjectId))
  keep('everybody has what the statuses say', books.problemsAtRest(inTransit, await debtsOfPayments(world)))
  await checkWallets(world, inTransit)
  await checkOrders(world)
  await checkCopies(world)
  await checkFees(world)
  keep('every change was told', untold(world))
}

/**
 * Returns the payments whose last reported status differs from their status, for the sender, or for the payee if the sender has no account.
 */
const untold = (world: World): string[] => {
  const { books, receiver, userOf } = world
  return [...books.statuses].flatMap(([id, status]) => {
    const deal = books.dealOf(id)
    const inMail = mayHaveInMail(world, deal)
    const party = [deal?.payer, deal?.payee].find((name) => name && userOf(name))
    const users = inMail.length > 0 ? inMail : [party]
    const told = users.map((user) => receiver.told.get(`${user} ${id}`)).find(Boolean)
    const last = told?.at(-1) ?? 'UNPAID'
    return last === status ? [] : [`${users.join(' or ')} was told ${last} of ${id}, which is ${status}`]
  })
}

async function checkWallets(world: World, inTransit: ReadonlySet<string>): Promise<void> {
  const problems: string[] = []
  const centsOf = world.books.walletCents(inTransit)
  for (const { name, api, walletId } of world.parties()) {
    const { balance } = (await api.get(`/v3/account/wallet/${walletId}`)).body
    const expected = centsOf.get(walletId) ?? 0
    if (Math.round(balance * 100) !== expected)
      problems.push(`the wallet of ${name} shows ${balance}, not ${expected} cents`)
  }
  keep('wallets hold what was paid into them', problems)
}
