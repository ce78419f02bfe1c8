import { addDays, formatDate } from '../../../src/foundation/lib/clock.ts'
import { newSecret } from '../../../src/foundation/lib/ids.ts'
import { hashSecret } from '../../../src/foundation/lib/secret.ts'
import { insertInvoiceLink } from '../../../src/orders/payer/payer-store.ts'
import type { Deal } from '../books.ts'
import { newDeal } from '../people.ts'
import { count, keep, type Party, type Platform, pickPair, type World } from '../world.ts'
import { ask, attempt, type Client } from './requests.ts'
import { payFromOutside, pickStranger } from './strangers.ts'
import { enter } from './team.ts'

// Subscriptions of payments and of invoices, with skipped runs, and invoices to other platforms and to people without an account.

/** A subscription with one run that is not skipped, so that it pays one deal. */
export type Subscription = { id: string; by: Party; deal: Deal }

const otherOwner = ({ dice, platforms }: World, platform: Platform): Platform =>
  dice.pick(platforms.filter((one) => one !== platform)) as Platform

/** Draws one to three runs, of which all but one are skipped. */
async function subscribe(
  world: World,
  { by, client = by.api, deal, path, body }: { by: Party; client?: Client; deal: Deal; path: string; body: object },
): Promise<string | null> {
  const { dice } = world
  const duration = dice.between(1, 3)
  const paying = dice.between(1, duration)
  const startDate = formatDate(addDays(world.clock.now(), dice.between(2, 5)))
  const interval = dice.one(['WEEKLY', 'WEEKLY', 'MONTHLY'])
  const terms = { amount: deal.cents / 100, interval, duration, start_date: startDate }
  const answer = await attempt(world, client, 'subscribed', { path, body: { ...terms, ...body } })
  if (!answer.isDone) return null
  const { id } = answer.body
  const skipped = Array.from({ length: duration }, (_, index) => index + 1).filter((number) => number !== paying)
  const { status } = await ask(world, by.api, { method: 'put', path: `/v3/subscription/${id}`, body: { skipped } })
  keep('a subscription skips runs', status === 200 ? [] : [`${id} ${status}`])
  world.books.addDeal(deal)
  world.subscriptions.push({ id, by, deal })
  return id
}

/** Subscribes one user to pay another one. */
export async function subscribePayment(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee, { isPaidByItself: true })
  const body = { name: payee.name, recipient: payee.name }
  const id = await subscribe(world, { by: payer, deal, path: '/v3/subscription/check', body })
  return `${payer.name} to ${payee.name} ${deal.cents} ${id ? 'subscribed' : 'refused'}`
}

/** A member of a platform subscribes the owner to pay a user. Its runs need approvals by the policy of their day. */
export async function subscribeInTeam(world: World): Promise<string> {
  const { platform, person, browser } = await enter(world, ['owner', 'admin'])
  const by = platform.ownParty as Party
  const payee = world.dice.pick(platform.parties) as Party
  const deal = newDeal(world, by, payee, { isPaidByItself: true })
  const body = { name: payee.name, recipient: payee.name }
  const id = await subscribe(world, { by, client: browser, deal, path: '/v3/subscription/check', body })
  return `${person.role} ${deal.cents} ${id ? 'subscribed' : 'refused'}`
}

/** Subscribes a user to bill another one, or the owner of another platform. The payer authorizes the service to pay. */
export async function subscribeInvoice(world: World): Promise<string> {
  const { payer: user, payee } = pickPair(world)
  const other = otherOwner(world, payee.platform)
  const isElsewhere = world.dice.chance(0.5)
  const payer = isElsewhere ? (other.ownParty as Party) : user
  const deal = newDeal(world, payer, payee, { isPaidByItself: true })
  const recipient = isElsewhere ? other.email : payer.name
  const body = { name: payer.name, recipient, description: 'Rent', account: payee.bankId }
  const id = await subscribe(world, { by: payee, deal, path: '/v3/subscription/invoice', body })
  if (!id) return `${payee.name} refused`
  if (isElsewhere) await world.service.applyOutbox()
  const authorization = { method: 'put', path: `/v3/subscription/${id}`, body: { autopay: true } } as const
  const { status } = await ask(world, payer.api, authorization)
  return `${payee.name} to ${payer.name} ${deal.cents}, autopay ${status}`
}

/** The payer revokes the authorization of a subscription. From then on, the service pays nothing for it. */
export async function revokeAutopay(world: World): Promise<string> {
  const { id, by, deal } = world.dice.pick(world.subscriptions.slice(-6)) ?? {}
  const payer = deal && world.userOf(deal.payer)
  if (!payer || payer === by) return 'none'
  const request = { method: 'put', path: `/v3/subscription/${id}`, body: { autopay: false } } as const
  const { isDone, status, hasDied } = await attempt(world, payer.api, 'autopay revoked', request)
  if (isDone || hasDied) deal.isPaidByItself = false
  return `${deal.cents} ${status}`
}

/** Cancels a subscription early. It pays nothing from then on, except an invoice that is on its way to another platform. */
export async function cancelSubscription(world: World): Promise<string> {
  const chosen = world.dice.pick(world.subscriptions.slice(-6))
  if (!chosen) return 'no subscription'
  const { id, by, deal } = chosen
  const { status, hasDied } = await ask(world, by.api, { method: 'del', path: `/v3/subscription/${id}` })
  if (status === 200 || hasDied)
    deal.isPaidByItself &&= world.userOf(deal.payer)?.platform !== by.platform && (await isBilled(by, deal))
  count(world, `subscription canceled: ${status}`)
  return `${deal.cents} ${status}`
}

async function isBilled({ api }: Party, { cents }: Deal): Promise<boolean> {
  const { invoices = [] } = (await api.get('/v3/invoice?per_page=250')).body
  return invoices.some(({ amount }: { amount: number }) => Math.round(amount * 100) === cents)
}

/** The payee bills the owner of another platform. */
export async function billElsewhere(world: World): Promise<string> {
  const { payee } = pickPair(world)
  const other = otherOwner(world, payee.platform)
  const payer = other.ownParty as Party
  const deal = newDeal(world, payer, payee)
  const order = { amount: deal.cents / 100, name: payer.name, recipient: other.email, description: 'Painting' }
  const request = { path: '/v3/invoice', body: { ...order, account: payee.bankId } }
  const { isDone, status, body } = await attempt(world, payee.api, 'billed elsewhere', request)
  if (isDone) world.invoices.push({ id: body.id, deal, isVoid: false })
  return `${payee.name} to ${payer.name} ${deal.cents} ${status}`
}

/** The payee voids one of the last invoices. */
export async function voidInvoice(world: World): Promise<string> {
  const invoice = world.dice.pick(world.invoices.slice(-6))
  const payee = invoice && world.userOf(invoice.deal.payee)
  if (!payee) return 'no invoice'
  const request = { method: 'del', path: `/v3/invoice/${invoice.id}` } as const
  const { isDone, status } = await attempt(world, payee.api, 'invoice voided', request)
  if (isDone) invoice.isVoid = true
  return `${invoice.deal.cents} ${status}`
}

/** Bills a person without an account by mail. The person pays from a new account. */
export async function billOutside(world: World): Promise<string> {
  const { deps, service, dice } = world
  const { payee } = pickPair(world)
  const payer = pickStranger(world, payee.platform)
  const deal = newDeal(world, payer, payee)
  const order = { amount: deal.cents / 100, name: payer.name, recipient: payer.email, description: 'Painting' }
  const request = { path: '/v3/invoice', body: { ...order, account: payee.bankId } }
  const { isDone, body } = await attempt(world, payee.api, 'billed outside', request)
  if (!isDone) return `${payee.name} ${body.code}`
  if (dice.chance(0.2)) return 'nobody pays'
  const token = newSecret(deps)
  service.secrets.add(token)
  const expiresAt = addDays(deps.realClock.now(), 90)
  const link = { platformId: payee.platform.id, invoiceId: body.id, expiresAt, isViewOnly: false }
  await insertInvoiceLink(deps.sql, hashSecret(token), link)
  const account = world.nextNumber()
  payer.accounts.add(account)
  service.secrets.add(account)
  world.books.addDeal({ ...deal, isPaidByItself: true })
  const isPaid = await payFromOutside(world, { token, deal, account })
  count(world, isPaid ? 'invoice paid outside' : 'invoice not paid outside')
  return `${payer.name} to ${payee.name} ${deal.cents} ${isPaid}`
}
