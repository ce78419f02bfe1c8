import { mayHaveInMail } from './actors/lockbox.ts'
import { remit } from './operators.ts'
import { edit, prepare } from './orders.ts'
import { agree, depositPayment, paymentsOf, sendElsewhere } from './people.ts'
import { dieIn } from './work.ts'
import { addParty, count, keep, type Party, type Platform, type World } from './world.ts'

// Changes between a decision and its effect: a payee adds an account while credits for it wait, an approval is edited after somebody has
// looked at it, the process dies while money is between two platforms, and a user is closed while its payments are on their way.

/** A payee adds another account. Waiting credits still go to the account for which they were made. */
export async function addOtherBank(world: World): Promise<string> {
  const party = world.dice.pick(world.parties().filter(({ otherBankId }) => otherBankId === null))
  if (!party) return 'everybody has two'
  const account = world.nextNumber()
  world.service.secrets.add(account)
  const order = { routing: '021000021', account, type: 'CHECKING' }
  const { status, body } = await party.api.post('/v3/bank', order)
  if (status !== 201) return `${party.name} ${body.code}`
  party.otherBankId = body.id as string
  party.accounts.add(account)
  world.bankOf.set(account, party.otherBankId)
  return party.name
}

/** A person reads an approval and releases it. If it was edited in between, nothing is released. */
export async function releaseSeen(world: World): Promise<string> {
  const { dice, approvals } = world
  // Old ones have often expired, or their payers can send nothing.
  if (dice.chance(0.7)) await prepare(world)
  const approval = dice.pick(approvals.filter(({ end }) => end === null).slice(-2))
  if (!approval) return 'no approval'
  const { id, deal } = approval
  const { api } = world.partyOf(deal.payer)
  const { headers } = await api.get(`/v3/approval/${id}`)
  if (dice.chance(0.4)) await edit(world, approval)
  const version = headers.get('etag')?.replaceAll('"', '')
  const answer = await api.post('/v3/approval/release', { id, version })
  if (answer.status !== 200) {
    count(world, `not released: ${answer.body.code}`)
    return `${deal.cents} ${answer.body.code}`
  }
  keep(
    'an approval is released as it was seen',
    approval.deal === deal ? [] : [`${deal.cents}, and ${approval.deal.cents} now`],
  )
  approval.end = 'released'
  agree(world, deal, answer)
  return `${deal.cents} released`
}

/** The owner of another platform takes a payment, and the process dies in the middle of the messages about it. */
export async function takeElsewhere(world: World): Promise<string> {
  const { dice, platforms, service } = world
  const { name } = (dice.pick(platforms) as Platform).ownParty as Party
  await sendElsewhere(world)
  const payment = dice.pick(paymentsOf(world, ['UNPAID'], ({ payee }) => payee === name))
  if (!payment) return 'no payment'
  await service.applyOutbox()
  const way = payment.deal.from === 'wallet' ? 'wallet' : 'bank'
  return `${await depositPayment(world, payment, way)}, ${await dieIn(world, 'apply outbox')}`
}

/** Closes a user for good. Another one comes. */
export async function closeUser(world: World): Promise<string> {
  const { platform, name } = world.dice.pick(world.platforms.flatMap(({ parties }) => parties)) as Party
  if (!(await remit(world, 'user', ['close'], { owner: platform.email, user: name }))) return 'refused'
  for (const deal of world.books.deals.values())
    if ([deal.payer, deal.payee, ...mayHaveInMail(world, deal)].includes(name)) deal.isVoidAllowed = true
  platform.formerParties.push(...platform.parties.filter((party) => party.name === name))
  platform.parties = platform.parties.filter((party) => party.name !== name)
  world.suspended.delete(name)
  await addParty(world, platform)
  return name
}
