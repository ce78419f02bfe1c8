import type { Answer } from '../support/api.ts'
import { ask } from './actors/requests.ts'
import type { Deal } from './books.ts'
import { count, keep, type Party, type Platform, pickPair, type World } from './world.ts'

// The users of the platforms. They pay each other in all ways, void and deposit payments, and choose other accounts.

export const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

type Named = Pick<Party, 'name'>

/** Returns a new deal from the payer's bank, with a unique amount. It counts only after `agree`. */
export function newDeal(world: World, payer: Named, payee: Named, more: Partial<Deal> = {}): Deal {
  return {
    cents: world.nextCents(),
    payer: payer.name,
    payee: payee.name,
    from: 'bank',
    paymentIds: new Set(),
    isVoidAllowed: false,
    fromWallet: null,
    toWallet: null,
    toBankId: world.userOf(payee.name)?.bankId ?? null,
    paidOutsideCents: 0,
    debtPaidCents: 0,
    isPaidByItself: false,
    ...more,
  }
}

/** Enters the answer to a request that sends money. @returns whether it was accepted */
export function agree(world: World, deal: Deal, { status, body }: Pick<Answer, 'status' | 'body'>): boolean {
  const { books, clock } = world
  const isAccepted = status === 200 || status === 201
  count(world, isAccepted ? 'accepted' : `refused ${body.code}`)
  if (['bank_blocked', 'no_verified_bank'].includes(body.code)) world.blocked.add(deal.payer)
  const isRefused = body.code === 'day_limit_reached'
  if (isAccepted || isRefused) keep('limits of a day are honored', books.spend(deal, { at: clock.now(), isRefused }))
  if (!isAccepted) return false
  books.addDeal(deal)
  books.addPayment(deal, body.id)
  return true
}

type Order = { payer: Party; deal: Deal; path: string; body: object }

/** Sends a payment. */
export async function order(world: World, { payer, deal, path, body }: Order): Promise<string> {
  const request = { amount: deal.cents / 100, name: deal.payee, ...body }
  const answer = await ask(world, payer.api, { path, body: request })
  const isAccepted = agree(world, deal, answer)
  return `${deal.payer} to ${deal.payee} ${isAccepted ? deal.cents : answer.body.code}`
}

/** Pays a user, who deposits the payment later, or never. */
export function sendDigital(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee)
  return order(world, { payer, deal, path: '/v3/check/digital', body: { recipient: payee.name } })
}

/** Pays the owner of another platform, from the bank or the wallet of a user. */
export function sendElsewhere(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const other = world.dice.pick(world.platforms.filter((one) => one !== payer.platform)) as Platform
  const isFromWallet = world.dice.chance(0.5)
  const more = isFromWallet ? ({ from: 'wallet', fromWallet: payer.walletId } as const) : {}
  const deal = newDeal(world, payer, other.ownParty as Party, more)
  const body = { recipient: other.email, ...(isFromWallet && { account: payer.walletId }) }
  return order(world, { payer, deal, path: '/v3/check/digital', body })
}

/** Pays into a known account of a user. */
export function sendDirect(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee)
  const recipient = { id: payee.name, account: payee.bankId }
  return order(world, { payer, deal, path: '/v3/check/digital', body: { recipient } })
}

/** Mails a paper check. */
export function sendPaper(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee)
  return order(world, { payer, deal, path: '/v3/check/physical', body: { recipient: ADDRESS } })
}

/** Pays from the wallet of a user to a bank, or into the wallet of another user. */
export function sendFromWallet(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const isToWallet = world.dice.chance(0.5)
  const recipient = { id: payee.name, account: isToWallet ? payee.walletId : payee.bankId }
  const more = { from: 'wallet', fromWallet: payer.walletId, toWallet: isToWallet ? payee.walletId : null } as const
  const deal = newDeal(world, payer, payee, more)
  return order(world, { payer, deal, path: '/v3/check/digital', body: { recipient, account: payer.walletId } })
}

export type Payment = { id: string; deal: Deal; status: string }

/** Returns the last payments with one of these statuses, of all deals or of some. */
export const paymentsOf = (
  { books }: World,
  statuses: readonly string[],
  isOne: (deal: Deal) => boolean = () => true,
): Payment[] =>
  [...books.deals.values()]
    .filter(isOne)
    .flatMap((deal) => [...deal.paymentIds].map((id) => ({ id, deal, status: books.statuses.get(id) ?? 'UNPAID' })))
    .filter(({ status }) => statuses.includes(status))
    .slice(-12)

/** The sender voids a payment: an outstanding check, a returned payment, an UNPAID one, or one in transit. */
export async function voidOne(world: World): Promise<string> {
  const { dice } = world
  const kinds = [['PRINTED', 'MAILED'], ['PRINTED', 'MAILED'], ['FAILED'], ['UNPAID'], ['IN_PROCESS']] as const
  const payment = dice.pick(paymentsOf(world, dice.one(kinds)))
  return payment ? voidPayment(world, payment) : 'no payment'
}

export async function voidPayment(world: World, { id, deal }: Omit<Payment, 'status'>): Promise<string> {
  const payer = world.userOf(deal.payer)
  if (!payer) return 'a payer outside'
  const hasFailed = world.books.statuses.get(id) === 'FAILED'
  // Whether its money comes back depends on whether the bank stopped it first. The books know this of banks, not of wallets.
  const isCheckOfWallet = deal.from === 'wallet' && world.books.statuses.get(id) === 'MAILED'
  if (isCheckOfWallet) return 'a check from a wallet'
  const { status, body, hasDied } = await ask(world, payer.api, { method: 'del', path: `/v3/check/${id}` })
  const isWrong = status === 200 && hasFailed && world.books.hasCreditOut(deal)
  keep('a failed payment is not voided while its payee can have its credit', isWrong ? [`${deal.cents}`] : [])
  if (status === 200 || hasDied) deal.isVoidAllowed = true
  count(world, status === 200 ? `voided ${world.books.statuses.get(id) ?? 'UNPAID'}` : `not voided: ${body.code}`)
  return `${deal.cents} ${status}`
}

/** The payee deposits an UNPAID or returned payment into its bank or its wallet, or prints it. A check can be printed again. */
export async function deposit(world: World): Promise<string> {
  const { dice } = world
  const payment = dice.pick(paymentsOf(world, dice.one([['UNPAID'], ['UNPAID'], ['FAILED'], ['PRINTED']] as const)))
  if (!payment) return 'no payment'
  if (payment.status === 'PRINTED') return depositPayment(world, payment, 'print')
  const ways =
    payment.deal.from === 'wallet' ? (['bank', 'wallet'] as const) : (['bank', 'bank', 'bank', 'print'] as const)
  return depositPayment(world, payment, dice.one<Way>(ways))
}

/** A payer has paid its debt. It voids a payment for which it owed the money, or the payee deposits that payment again. */
export async function tryAgain(world: World, payer: string): Promise<string> {
  const { dice } = world
  const payment = dice.pick(paymentsOf(world, ['FAILED'], (deal) => deal.payer === payer && deal.debtPaidCents > 0))
  if (!payment) return 'no payment'
  return dice.chance(0.5) ? voidPayment(world, payment) : depositPayment(world, payment, 'bank')
}

/** A payee prints a check. It gets the paper when the money has come, and asks for it until then. */
export async function printOne(world: World): Promise<string> {
  const { dice } = world
  const waiting = dice.chance(0.6) ? dice.pick(paymentsOf(world, ['PRINTED'])) : undefined
  if (waiting) return depositPayment(world, waiting, 'print')
  await sendDigital(world)
  const payment = paymentsOf(world, ['UNPAID']).findLast(({ deal }) => deal.from === 'bank')
  return payment ? depositPayment(world, payment, 'print') : 'no payment'
}

/** `outside`: an account of the payee that orders reach. */
type Way = 'bank' | 'wallet' | 'print' | 'outside'

export async function depositPayment(
  world: World,
  { id, deal, status: before }: Payment,
  way: Way,
  outsideId?: string,
): Promise<string> {
  const { dice } = world
  const payee = world.userOf(deal.payee)
  if (!payee) return 'a payee outside'
  const path = way === 'print' ? `/v3/check/print/${id}` : `/v3/check/deposit/${id}`
  const bankId = dice.chance(0.5) ? payee.bankId : (payee.otherBankId ?? payee.bankId)
  const accounts = { bank: bankId, wallet: payee.walletId, outside: outsideId }
  const body = way === 'print' ? undefined : { account: accounts[way] }
  const { status, body: answer } = await ask(world, payee.api, { path, body })
  const isDone = status < 300
  count(world, isDone ? `deposited ${way}` : `not deposited: ${answer.code}`)
  const endorser = world.endorsers.get(deal)
  keep('a payment to several is deposited after it was endorsed', isDone && endorser ? [id] : [])
  const isWrong = isDone && before === 'FAILED' && world.books.hasCreditOut(deal)
  keep('a failed payment is not deposited again while its payee can have its credit', isWrong ? [`${deal.cents}`] : [])
  if (isDone) deal.toWallet = way === 'wallet' ? payee.walletId : null
  if (isDone && way !== 'wallet' && way !== 'print') deal.toBankId = accounts[way] as string
  return `${deal.cents} ${way} ${isDone ? status : answer.code}`
}
