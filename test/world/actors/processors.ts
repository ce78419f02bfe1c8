import type { Deps } from '../../../src/foundation/db/deps.ts'
import { payByProcessors } from '../../../src/money/payout/payout-worker.ts'
import { payoutHooks } from '../../../src/operation/scheduler/leg-handlers.ts'
import { type ProcessorsOrder, startProcessors } from '../../support/quarter-processors.ts'
import { createDiceOf } from '../dice.ts'
import { seeEntry } from '../exchange.ts'
import { remit } from '../operators.ts'
import { count, keep, type Lifetime, type World } from '../world.ts'
import { type BankCase, stepDice } from './order-rails.ts'

// Debit cards, Interac, PayPal and Venmo: orders at two processors, which pay, reject, cancel and return them.

export type Processors = Awaited<ReturnType<typeof startProcessors>>

/** The connection of each rail. */
export const processorOfRail = { INSTANT: 'cards', INTERAC: 'cards', PAYPAL: 'paypal', VENMO: 'paypal' } as const

/** Starts the processors. The service calls them over HTTP, and each answer depends only on the seed and on the call. */
export const openProcessors = (t: Lifetime, seed: number, world: () => World): Promise<Processors> =>
  startProcessors(t, {
    dice: { own: stepDice(world), ofCall: (name) => createDiceOf(seed, name) },
    now: () => world().clock.now(),
    service: () => ({ baseUrl: world().service.baseUrl, realClock: world().deps.realClock }),
  })

/** The largest number of passes over a connection, so that orders which wait for a later pass are few. */
const PASSES = 3

/** Lets the service call one processor after another. If it called both at the same time, the order of the ids would depend on time. */
export async function payInTurn(deps: Deps): Promise<void> {
  const { all, ...others } = deps.connections.current()
  for (const { id } of all.filter(({ processor }) => processor !== null)) {
    const connections = { ...others, all: all.filter((one) => one.processor === null || one.id === id) }
    const own = { ...deps, connections: { current: () => connections } }
    for (let pass = 0; pass < PASSES && (await payByProcessors(own, payoutHooks)) > 0; pass++);
  }
}

/** The state of an entry for each state of its order. */
const entryStates = {
  submitted: 'written',
  accepted: 'written',
  paid: 'accepted',
  rejected: 'gone',
  canceled: 'gone',
  returned: 'returned',
} as const satisfies Record<ProcessorsOrder['state'], string>

const FILE = 'processor'

/** Enters the orders that the processors took since the last call, and their decisions, into the books. */
export function notePayouts(world: World): void {
  const { processors, books, clock, notedPayouts } = world
  keep('a processor gets each order once', processors.problems)
  for (const order of processors.orders.values()) {
    const { reference, cents, account, state } = order
    if (notedPayouts.get(order) === state) continue
    notedPayouts.set(order, state)
    if (!books.entryOf(FILE, reference)) {
      const entry = { side: 'payout', file: FILE, trace: reference, effective: '', cents } as const
      keep('every entry is owed', seeEntry(world, { ...entry, account, at: clock.now() }))
    }
    const entry = books.entryOf(FILE, reference)
    if (entry) entry.state = entryStates[state]
  }
}

/** The processors pay and reject some orders, return others, and report most of it at once. */
export async function progressPayouts(world: World): Promise<string> {
  await world.processors.progress()
  notePayouts(world)
  return Object.values(world.processors.counts).join(' ')
}

/**
 * Decides a case about an order by the answer of its processor.
 *
 * @returns whether it is decided. Null: it is about something else
 */
export async function decidePayoutCase(world: World, { kind, id, legId }: BankCase): Promise<boolean | null> {
  if ((kind !== 'payout_unknown' && kind !== 'payout_contradicts') || legId === null) return null
  const code = world.processors.decide(legId)
  notePayouts(world)
  count(world, `payout by phone: ${code}`)
  if (await remit(world, 'exceptions', ['apply', id], { note: 'by phone', code })) return true
  return remit(world, 'exceptions', ['close', id], { note: `the processor says ${code}` })
}

/** All orders are paid, and every call works, until `isCalm` is false again. */
export function settlePayouts(world: World): void {
  world.processors.setCalm(true)
  world.processors.settle()
  notePayouts(world)
}

/** At rest: the fees in the ledger are those of the processors. */
export async function checkFees({ deps, processors }: World): Promise<void> {
  const rows = await deps.sql<{ legId: string; feeCents: number }[]>`
    select leg_id, fee_cents from payouts where fee_cents is not null order by leg_id
  `
  const wrong = rows.filter(({ legId, feeCents }) => feeCents !== processors.orders.get(legId)?.feeCents)
  const [ledger] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case reason when 'payout_fee' then cents else -cents end), 0)::bigint as cents
    from transfers
    where reason in ('payout_fee', 'payout_fee_returned')
  `
  const sum = rows.reduce((total, { feeCents }) => total + feeCents, 0)
  keep('the operator pays the fees of the processors', [
    ...wrong.map(({ legId, feeCents }) => `the order ${legId} has a fee of ${feeCents}`),
    ...(ledger?.cents === sum ? [] : [`the ledger has ${ledger?.cents}, not ${sum}`]),
  ])
}
