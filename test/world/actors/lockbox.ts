import { operatorBank } from '../../support/paid-lists.ts'
import type { Deal } from '../books.ts'
import { putNamed } from '../exchange.ts'
import { newDeal } from '../people.ts'
import { count, type Party, type Platform, type World } from '../world.ts'
import { ask } from './requests.ts'
import type { Stranger } from './strangers.ts'

// The lockbox: mail with checks of strangers, some of them scanned twice, and users who deposit them. Users also order checkbooks.

type Mailbox = { user: Party; id: string; pmb: string }

/** The state of the lockbox provider: the mailboxes, and the checks that arrived. A check that arrives again makes no payment. */
export type Lockbox = {
  mailboxes: Mailbox[]
  letters: number
  checks: { drawer: Stranger; deal: Deal; account: string; number: string }[]
}

export const emptyLockbox = (): Lockbox => ({ mailboxes: [], letters: 0, checks: [] })

/** Returns a user without a daily limit. A limit would count scanned checks separately from payments. */
export const hasMailbox = ({ parties }: Platform): Party => parties[0] as Party

/** @returns null if the user is suspended */
async function openMailbox(world: World): Promise<Mailbox | null> {
  const user = hasMailbox(world.dice.pick(world.platforms) as Platform)
  const known = world.lockbox.mailboxes.find((one) => one.user === user)
  if (known) return known
  const { status, body } = await user.api.post('/v3/mailbox', {})
  if (status !== 201) return null
  const { id, address } = body
  const mailbox = { user, id, pmb: address.line_2.slice(4) }
  world.lockbox.mailboxes.push(mailbox)
  return mailbox
}

/**
 * Returns the users in whose mail a check may be, or none if the deal is no check in the mail. A check that came to several belongs to the
 * one whose scan was legible first, which the books do not see.
 */
export const mayHaveInMail = ({ lockbox }: World, deal: Deal | undefined): string[] =>
  lockbox.checks.some((check) => check.deal === deal) ? lockbox.mailboxes.map(({ user }) => user.name) : []

/** Delivers a piece of mail with one check. */
export async function mailCheck(world: World): Promise<string> {
  const { dice, lockbox, service } = world
  const mailbox = await openMailbox(world)
  if (!mailbox) return 'no mailbox'
  const before = dice.chance(0.25) ? dice.pick(lockbox.checks) : undefined
  const check = before ?? drawCheck(world, mailbox)
  if (!before) lockbox.checks.push(check)
  const { account, number, deal } = check
  const amount = deal.cents / 100
  const name = `mail-${++lockbox.letters}`
  const scan = {
    routing: '021000021',
    account: dice.chance(0.5) ? account : `00${account}`,
    number: dice.chance(0.5) ? number : `0${number}`,
    amount,
    name: 'Dora Drawer',
  }
  service.secrets.add(account)
  const checks = [scan, ...endedCheck(world)]
  const letter = { id: name, mailbox: mailbox.pmb, sender: 'Ann Payer', checks }
  const isIllegible = dice.chance(0.08)
  await putNamed(world, `${name}.pdf`, Buffer.from(isIllegible ? 'a picture' : '%PDF-1.4 a scan'))
  await putNamed(world, `${name}.json`, JSON.stringify(letter))
  count(world, before ? 'check mailed twice' : 'check mailed')
  return `${mailbox.user.name} ${amount}${before ? ' again' : ''}`
}

/** Draws a check of this service that was stopped or paid, so that it is not listed, or none. */
function endedCheck({ dice, books }: World): object[] {
  const ended = [...books.checks].filter(
    ([, { deal, isStopped }]) => isStopped || [...deal.paymentIds].some((id) => books.statuses.get(id) === 'PAID'),
  )
  const [number, check] = (dice.chance(0.15) && dice.pick(ended.slice(-10))) || []
  const { routingNumber: routing, accountNumber: account } = operatorBank
  return check ? [{ routing, account, number: String(number), amount: check.deal.cents / 100, name: 'Remit' }] : []
}

/** The drawer agreed to one payment, to the user who deposits the check first. */
function drawCheck(world: World, { user }: Mailbox): Lockbox['checks'][number] {
  const account = world.nextNumber()
  const name = `d${world.strangers.length + 1}`
  const email = `${name}@outside.example`
  const drawer = { name, email, platform: user.platform, accounts: new Set([account, `00${account}`]), hasLogin: false }
  world.strangers.push(drawer)
  const deal = newDeal(world, drawer, user, { isPaidByItself: true, debtor: user.name })
  world.books.addDeal(deal)
  return { drawer, deal, account, number: String(world.dice.between(100, 9_999)) }
}

export async function depositScan(world: World): Promise<string> {
  const { dice, lockbox } = world
  const mailbox = dice.pick(lockbox.mailboxes)
  if (!mailbox) return 'no mailbox'
  const { user, id } = mailbox
  const { mail = [] } = (await user.api.get(`/v3/mailbox/${id}/mail`)).body
  const scans: { id: string }[] = mail.flatMap((one: { checks: { id: string }[] }) => one.checks)
  const scan = dice.pick(scans.slice(0, 4))
  if (!scan) return 'no check'
  const path = `/v3/check/deposit/${scan.id}`
  const { status, body } = await ask(world, user.api, { path, body: { account: user.bankId } })
  count(world, status === 201 ? 'scan deposited' : `scan not deposited: ${body.code}`)
  const deal = world.books.dealOf(scan.id)
  // A check that came to two mailboxes is the money of the user who deposits it first.
  if (status === 201 && deal) Object.assign(deal, { payee: user.name, debtor: user.name, toBankId: user.bankId })
  return `${user.name} ${deal?.cents} ${status === 201 ? status : body.code}`
}

const ADDRESS = { name: 'Ann', line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

export async function orderCheckbook(world: World): Promise<string> {
  const user = hasMailbox(world.dice.pick(world.platforms) as Platform)
  const number = world.dice.between(1, 9_000)
  const body = { account: user.bankId, number, mail_type: 'USPS_FIRST_CLASS', recipient: ADDRESS }
  const answer = await ask(world, user.api, { path: '/v3/checkbook', body })
  count(world, answer.status === 201 ? 'checkbook ordered' : `checkbook not ordered: ${answer.body.code}`)
  return `${user.name} ${answer.status}`
}
