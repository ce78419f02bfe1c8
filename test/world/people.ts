import type { Deal } from './books.ts'
import { count, keep, type Party, pickPair, type Sent, type World } from './world.ts'

// The users of the platforms: they pay each other in all ways, void, deposit and choose other accounts.

const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

type Order = { payer: Party; payee: Party; path: string; body: object; more?: Partial<Deal> }

/** Sends a payment of an amount of its own, sometimes twice with one Idempotency-Key. @returns whether it was accepted */
async function order(world: World, { payer, payee, path, body, more }: Order): Promise<string> {
  const { books, dice } = world
  const cents = world.nextCents()
  const deal: Deal = {
    cents,
    payer: payer.name,
    payee: payee.name,
    from: 'bank',
    paymentIds: new Set(),
    isVoidAllowed: false,
    fromWallet: null,
    toWallet: null,
    paidOutsideCents: 0,
    ...more,
  }
  const options = { idempotencyKey: `order ${cents}` }
  const request = { amount: cents / 100, name: payee.name, ...body }
  const answer = await payer.api.post(path, request, options)
  if (dice.chance(0.1)) {
    const again = await payer.api.post(path, request, options)
    keep('a repeated request has the first answer', again.text === answer.text ? [] : [again.text])
  }
  count(world, answer.status === 201 ? `sent ${path}` : `refused ${answer.body.code}`)
  if (answer.status !== 201) return `${payer.name} ${answer.body.code}`
  books.addDeal(deal)
  books.addPayment(deal, answer.body.id)
  world.payments.push({ id: answer.body.id, payer })
  return `${payer.name} to ${payee.name} ${cents}`
}

/** To a user, who deposits it later, or never. */
export function sendDigital(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  return order(world, { payer, payee, path: '/v3/check/digital', body: { recipient: payee.name } })
}

/** To a known account of a user. */
export function sendDirect(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const recipient = { id: payee.name, account: payee.bankId }
  return order(world, { payer, payee, path: '/v3/check/digital', body: { recipient } })
}

/** A paper check in the mail. */
export function sendPaper(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  return order(world, { payer, payee, path: '/v3/check/physical', body: { recipient: ADDRESS } })
}

/** From the wallet of a user to a bank, or into the wallet of another user. */
export async function sendFromWallet(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const isToWallet = world.dice.chance(0.5)
  const recipient = { id: payee.name, account: isToWallet ? payee.walletId : payee.bankId }
  const more = { from: 'wallet', fromWallet: payer.walletId, toWallet: isToWallet ? payee.walletId : null } as const
  const body = { recipient, account: payer.walletId }
  return order(world, { payer, payee, path: '/v3/check/digital', body, more })
}

/** The owner of the payee's platform has an account of its own elsewhere: the payee is the owner of the other platform. */
const lastSent = ({ dice, payments }: World): Sent | undefined => dice.pick(payments.slice(-25))

export async function voidOne(world: World): Promise<string> {
  const payment = lastSent(world)
  if (!payment) return 'no payment'
  const { status, body } = await payment.payer.api.del(`/v3/check/${payment.id}`)
  const deal = world.books.dealOf(payment.id)
  if (status === 200 && deal) deal.isVoidAllowed = true
  count(world, status === 200 ? 'voided' : `not voided: ${body.code}`)
  return `${deal?.cents} ${status}`
}

/** The payee takes a payment that is UNPAID, or one that came back, into its bank or its wallet, or prints it. */
export async function deposit(world: World): Promise<string> {
  const { books, dice } = world
  const open = world.payments.filter(({ id }) => ['UNPAID', 'FAILED'].includes(books.statuses.get(id) ?? 'UNPAID'))
  const payment = dice.pick(open)
  const deal = payment && books.dealOf(payment.id)
  if (!deal) return 'no payment'
  const payee = world.partyOf(deal.payee)
  const way = dice.one(['bank', 'bank', 'bank', 'wallet', 'print'] as const)
  const path = way === 'print' ? `/v3/check/print/${payment.id}` : `/v3/check/deposit/${payment.id}`
  const body = way === 'print' ? undefined : { account: way === 'bank' ? payee.bankId : payee.walletId }
  const { status, body: answer } = await payee.api.post(path, body)
  const isDone = status < 300
  count(world, isDone ? `deposited ${way}` : `not deposited: ${answer.code}`)
  if (isDone) deal.toWallet = way === 'wallet' ? payee.walletId : null
  return `${deal.cents} ${way} ${isDone ? status : answer.code}`
}
