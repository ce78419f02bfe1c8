import type { Deal } from '../books.ts'
import { agree, newDeal, order } from '../people.ts'
import { keep, type Party, pickOpen, pickPair, type World } from '../world.ts'
import { ask, attempt } from './requests.ts'
import { accountOf, pickStranger } from './strangers.ts'

// Acts with many payments at once: files, batches, and payments to several payees.

const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

/** A prepared file. Its deals are those of the last accepted edit. */
export type Batch = { id: string; payer: Party; deals: Deal[]; end: 'released' | 'voided' | null }

type Rows = { deals: Deal[]; file: object[] }

/** Two to four payments of one payer: by account, by mail and by paper. One row can be wrong, and then all are refused. */
function rowsOf(world: World, payer: Party): Rows & { isWrong: boolean } {
  const { dice } = world
  const rows = Array.from({ length: dice.between(2, 4) }, () => {
    const kind = dice.one(['account', 'account', 'mail', 'paper'] as const)
    const stranger = pickStranger(world, payer.platform)
    const deal = newDeal(world, payer, stranger)
    const row = { name: stranger.name, amount: deal.cents / 100, address: { type: 'email', address: stranger.email } }
    if (kind === 'paper') return { deal, row: { ...row, address: { type: 'physical', address: ADDRESS } } }
    if (kind === 'mail') return { deal, row }
    return { deal, row: { ...row, account_number: accountOf(world, stranger), routing_number: '021000021' } }
  })
  const isWrong = dice.chance(0.15)
  const file: object[] = rows.map(({ row }) => row)
  if (isWrong) file.push({ name: 'Nobody', amount: 10, address: { type: 'email', address: 'nowhere' } })
  return { deals: rows.map(({ deal }) => deal), file, isWrong }
}

const listed = (deals: readonly Deal[]): string => deals.map(({ cents }) => cents).join(', ')

/** Sends a file of payments. The service accepts all of them or none. */
export async function sendCsv(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const { deals, file, isWrong } = rowsOf(world, payer)
  const request = { path: '/v3/check/csv', body: { file } }
  const { isDone, status, body } = await attempt(world, payer.api, 'file accepted', request)
  if (!isDone) return `${payer.name} ${body.code}`
  const ids: string[] = body.checks.map(({ id }: { id: string }) => id)
  keep('a file is accepted whole', isWrong || ids.length !== deals.length ? [listed(deals)] : [])
  for (const [index, deal] of deals.entries()) agree(world, deal, { status, body: { id: ids[index] } })
  return `${payer.name} ${listed(deals)}`
}

export async function prepareBatch(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const { deals, file, isWrong } = rowsOf(world, payer)
  const request = { path: '/v3/batch', body: { name: 'Vendors', file } }
  const { isDone, body } = await attempt(world, payer.api, 'batch prepared', request)
  keep('a batch is saved whole', isDone && isWrong ? [body.id] : [])
  if (!isDone) return `${payer.name} ${body.code}`
  world.batches.push({ id: body.id, payer, deals, end: null })
  return `${payer.name} ${listed(deals)}`
}

const pickBatch = (world: World): Batch | undefined => pickOpen(world, world.batches)

export async function editBatch(world: World): Promise<string> {
  const batch = pickBatch(world)
  if (!batch) return 'no batch'
  const { deals, file } = rowsOf(world, batch.payer)
  const request = { method: 'put', path: `/v3/batch/${batch.id}`, body: { name: 'April', file } } as const
  const { isDone, status } = await attempt(world, batch.payer.api, 'batch edited', request)
  keep('a batch that has ended does not change', isDone && batch.end ? [batch.id] : [])
  if (isDone) batch.deals = deals
  return `${listed(deals)} ${status}`
}

/** Releases a batch, and sometimes releases it again. All payments of its last version are made, once. */
export async function releaseBatch(world: World): Promise<string> {
  const batch = pickBatch(world)
  if (!batch) return 'no batch'
  const { id, payer, deals, end } = batch
  const { isDone, body } = await attempt(world, payer.api, 'batch released', { path: `/v3/batch/${id}/release` })
  if (['bank_blocked', 'no_verified_bank'].includes(body.code)) world.blocked.add(payer.name)
  if (!isDone) return `${id} ${body.code}`
  const made = body.payments.reduce((sum: number, one: { count: number }) => sum + one.count, 0)
  keep('a batch is released once, and whole', [
    ...(end ? [`${id} was ${end}`] : []),
    ...(made === deals.length ? [] : [`${made} payments, not ${deals.length}`]),
  ])
  batch.end = 'released'
  const now = world.clock.now()
  for (const prepared of deals) {
    const deal = { ...prepared, isPaidByItself: true }
    keep('limits of a day are honored', world.books.spend(deal, { at: now, isRefused: false }))
    world.books.addDeal(deal)
  }
  return listed(deals)
}

export async function voidBatch(world: World): Promise<string> {
  const batch = pickBatch(world)
  if (!batch) return 'no batch'
  const { status, hasDied } = await ask(world, batch.payer.api, { method: 'del', path: `/v3/batch/${batch.id}` })
  if (status === 200 || hasDied) batch.end ??= 'voided'
  return `${batch.id} ${status}`
}

/** Sends a payment to two users. One of them deposits it after the other has endorsed it. */
export async function sendToSeveral(world: World): Promise<string> {
  const { payer, payee } = pickPair(world)
  const endorser = world.dice.pick(payer.platform.parties.filter((one) => one !== payer && one !== payee)) as Party
  const deal = newDeal(world, payer, payee)
  const recipients = [
    { name: payee.name, recipient: payee.name },
    { name: endorser.name, recipient: endorser.name, endorse_only: true },
  ]
  world.endorsers.set(deal, endorser)
  return order(world, { payer, deal, path: '/v3/check/multi', body: { name: undefined, recipients } })
}

export async function endorse(world: World): Promise<string> {
  const { dice, endorsers } = world
  const [deal, endorser] = dice.pick([...endorsers].filter(([one]) => one.paymentIds.size > 0).slice(-6)) ?? []
  if (!deal || !endorser) return 'no payment'
  const [id] = deal.paymentIds
  const request = { path: `/v3/check/endorse/${id}`, body: { name: 'Signed Name' } }
  const { isDone, status } = await attempt(world, endorser.api, 'endorsed', request)
  if (isDone) endorsers.delete(deal)
  return `${deal.cents} ${status}`
}
