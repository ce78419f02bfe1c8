import { ask, attempt } from './actors/requests.ts'
import type { Deal } from './books.ts'
import { agree, newDeal } from './people.ts'
import { count, keep, pickOpen, pickPair, type World } from './world.ts'

// Requests that lead to payments: approvals, which are prepared, edited and released, and invoices.

/** A prepared payment. Its deal has the amount of the last accepted edit. */
export type Approval = { id: string; version: number | undefined; deal: Deal; end: 'released' | 'voided' | null }

export async function prepare(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee)
  const order = { amount: deal.cents / 100, name: payee.name, recipient: { id: payee.name, account: payee.bankId } }
  const request = { path: '/v3/approval/digital', body: order }
  const { isDone, body } = await attempt(world, payer.api, 'prepared', request)
  if (!isDone) return `${payer.name} ${body.code}`
  world.approvals.push({ id: body.id, version: body.version, deal, end: null })
  return `${payer.name} ${deal.cents}`
}

const pickApproval = (world: World): Approval | undefined => pickOpen(world, world.approvals)

export async function editApproval(world: World): Promise<string> {
  const approval = pickApproval(world)
  return approval ? edit(world, approval) : 'no approval'
}

export async function edit(world: World, approval: Approval): Promise<string> {
  const cents = world.nextCents()
  const { api } = world.partyOf(approval.deal.payer)
  const path = `/v3/approval/${approval.id}`
  const more = world.dice.chance(0.3) ? { name: 'Other', number: world.step } : {}
  const changes = { amount: cents / 100, ...more }
  const { isDone, status } = await attempt(world, api, 'edited', { method: 'put', path, body: changes })
  keep('an approval that has ended does not change', isDone && approval.end ? [approval.id] : [])
  if (isDone) approval.deal = { ...approval.deal, cents }
  return `${cents} ${status}`
}

/** Releases an approval, and sometimes releases it again. */
export async function releaseApproval(world: World): Promise<string> {
  const approval = pickApproval(world)
  if (!approval) return 'no approval'
  const { deal, end } = approval
  const { api } = world.partyOf(deal.payer)
  const request = { path: '/v3/approval/release', body: { id: approval.id } }
  const answer = await attempt(world, api, 'released', request)
  if (!answer.isDone) return `${deal.cents} ${answer.body.code}`
  keep('an approval is released once, with its last amount', [
    ...(end ? [`${approval.id} was ${end}`] : []),
    ...(Math.round(answer.body.amount * 100) === deal.cents ? [] : [`${answer.body.amount}, not ${deal.cents} cents`]),
  ])
  approval.end = 'released'
  agree(world, deal, answer)
  return `${deal.cents} released`
}

export async function voidApproval(world: World): Promise<string> {
  const approval = pickApproval(world)
  if (!approval) return 'no approval'
  const { api } = world.partyOf(approval.deal.payer)
  const { status, hasDied } = await ask(world, api, { method: 'del', path: `/v3/approval/${approval.id}` })
  if (status === 200 || hasDied) approval.end ??= 'voided'
  return `${approval.deal.cents} ${status}`
}

/** The payee bills the payer. */
export async function bill(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const deal = newDeal(world, payer, payee)
  const order = { amount: deal.cents / 100, name: payer.name, recipient: payer.name, description: 'Painting' }
  const request = { path: '/v3/invoice', body: { ...order, account: payee.bankId } }
  const { isDone, body } = await attempt(world, payee.api, 'billed', request)
  if (!isDone) return `${payee.name} ${body.code}`
  world.invoices.push({ id: body.id, deal, isVoid: false })
  return `${payee.name} to ${payer.name} ${deal.cents}`
}

/** The payer pays one of the last invoices, even if it was paid before. */
export async function payInvoice(world: World): Promise<string> {
  const invoice = world.dice.pick(world.invoices.slice(-6))
  if (!invoice) return 'no invoice'
  const { id, deal } = invoice
  const { api } = world.partyOf(deal.payer)
  const answer = await ask(world, api, { path: '/v3/invoice/payment', body: { id, amount: deal.cents / 100 } })
  const isPaid = agree(world, deal, answer)
  keep('a void invoice is not paid', isPaid && invoice.isVoid ? [`${deal.cents}`] : [])
  count(world, isPaid ? 'invoice paid' : `invoice not paid: ${answer.body.code}`)
  return `${deal.cents} ${isPaid ? 'paid' : answer.body.code}`
}

/** The payer prepares the payment of an invoice, which another person releases later. */
export async function prepareInvoice(world: World): Promise<string> {
  const invoice = world.dice.pick(world.invoices.slice(-6))
  const payer = invoice && world.userOf(invoice.deal.payer)
  if (!payer) return 'no invoice'
  const { id, deal } = invoice
  const body = { id, amount: deal.cents / 100 }
  const answer = await attempt(world, payer.api, 'prepared for an invoice', { path: '/v3/approval/invoice', body })
  if (!answer.isDone) return answer.body.code
  world.approvals.push({ id: answer.body.id, version: answer.body.version, deal, end: null })
  return `${deal.cents} prepared`
}
