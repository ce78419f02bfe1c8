import { inTransaction } from '../../../src/foundation/db/transaction.ts'
import { signUpOwner } from '../../../src/people/auth/owner/owner-actions.ts'
import { type Browser, openBrowserAt, signIn } from '../../support/browser.ts'
import { mailsTo, openLink, type RecipientPage } from '../../support/recipients.ts'
import { hashOfPassword } from '../../support/service.ts'
import type { Deal } from '../books.ts'
import { newDeal, order, paymentsOf } from '../people.ts'
import { count, keep, type Party, type Platform, pickPair, type World } from '../world.ts'
import { ask, attempt } from './requests.ts'

// People without a user. They are paid into an account that the payer knows, or by a link in a mail. They open the link, ignore it, or sign
// up and claim the payment.

/**
 * `platform`: the platform whose users pay the stranger, because corrections of such accounts are stored per platform. `hasLogin`: the
 * stranger has signed up.
 */
export type Stranger = {
  name: string
  email: string
  platform: Platform
  accounts: Set<string>
  hasLogin: boolean
}

export type Saved = { by: Party; id: string; accountId: string; stranger: Stranger }

const ROUTING = '021000021'
/** The number of strangers that can be paid again. */
const KNOWN = 5

/** Returns a stranger that was paid before, or a new one. Strangers with an account that the bank has corrected are paid more often. */
export function pickStranger(world: World, platform: Platform): Stranger {
  const { dice } = world
  const own = world.strangers.filter((one) => one.platform === platform)
  const outdated = own.filter((one) => correctedOf(world, one).length > 0)
  const known = outdated.length > 0 && dice.chance(0.8) ? outdated : own
  const chosen = dice.chance(0.5) ? dice.pick(known.slice(-KNOWN)) : undefined
  if (chosen) return chosen
  const name = `s${world.strangers.length + 1}`
  const stranger = { name, email: `${name}@outside.example`, platform, accounts: new Set<string>(), hasLogin: false }
  world.strangers.push(stranger)
  return stranger
}

/** The numbers of a stranger that the bank has corrected. Its payers may still know them. */
const correctedOf = ({ corrected }: World, { accounts }: Stranger): string[] =>
  [...accounts].filter((account) => corrected.has(account))

/** Returns an account number of a stranger, either new or used before. */
export function accountOf(world: World, stranger: Stranger): string {
  const { dice, service } = world
  const before = dice.chance(0.8) ? correctedOf(world, stranger) : [...stranger.accounts]
  const account = (dice.chance(0.7) ? before.at(-1) : undefined) ?? world.nextNumber()
  stranger.accounts.add(account)
  service.secrets.add(account)
  return account
}

const bankOf = (account: string) => ({ routing: ROUTING, account, type: 'CHECKING' })

/** Pays into the account of a stranger in one call. */
export function sendToAccount(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const stranger = pickStranger(world, payer.platform)
  const deal = newDeal(world, payer, stranger)
  const body = {
    recipient: stranger.name,
    account_number: accountOf(world, stranger),
    routing_number: ROUTING,
    account_type: 'CHECKING',
  }
  return order(world, { payer, deal, path: '/v3/check/direct', body })
}

/** Pays a payee that the user has saved, with the account of that time. */
export async function sendToSaved(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const saved = world.saved.find(({ by }) => by === payer) ?? (await save(world, payer))
  const deal = newDeal(world, payer, saved.stranger)
  const recipient = { id: saved.id, account: saved.accountId }
  return order(world, { payer, deal, path: '/v3/check/digital', body: { recipient } })
}

async function save(world: World, by: Party): Promise<Saved> {
  const stranger = pickStranger(world, by.platform)
  const { id } = (await by.api.post('/v3/directory', { name: stranger.name })).body
  const path = `/v3/directory/${id}/account/bank`
  const { id: accountId } = (await by.api.post(path, bankOf(accountOf(world, stranger)))).body
  const saved = { by, id, accountId, stranger }
  world.saved.push(saved)
  return saved
}

/** Pays to an address, which gets a mail with a link. */
export function sendToAddress(world: World): Promise<string> {
  const { payer } = pickPair(world)
  const stranger = pickStranger(world, payer.platform)
  return order(world, {
    payer,
    deal: newDeal(world, payer, stranger),
    path: '/v3/check/digital',
    body: { recipient: stranger.email },
  })
}

/** A stranger opens its newest link, and deposits the money, prints the check, or only reads the page. */
export async function openMail(world: World): Promise<string> {
  const { dice } = world
  let stranger: Stranger | undefined
  let page: RecipientPage | null = null
  for (let left = KNOWN; left > 0 && !page; left--) {
    stranger = dice.pick(world.strangers.slice(-KNOWN))
    page = stranger ? await newestPage(world, stranger) : null
  }
  if (!stranger || !page) return 'no mail'
  const { body } = await page.read()
  const deal = world.books.deals.get(Math.round(body.amount * 100))
  if (!deal) return `${stranger.name} sees ${JSON.stringify(body).slice(0, 80)}`
  const way = dice.one(['bank', 'bank', 'bank', 'print', 'none'] as const)
  if (way === 'none') return `${stranger.name} looks at ${deal.cents}`
  const account = accountOf(world, stranger)
  const { status, body: answer } = way === 'bank' ? await page.deposit('bank', bankOf(account)) : await page.print()
  if (status === 200) deal.toBankId = null
  keep('a link pays only its payee', status === 200 && deal.payee !== stranger.name ? [`${deal.cents}`] : [])
  count(world, status === 200 ? `link: ${way}` : `link: not ${way}: ${answer.code}`)
  return `${stranger.name} ${deal.cents} ${way} ${status}`
}

async function newestPage({ service }: World, { email }: Stranger): Promise<RecipientPage | null> {
  for (const { text } of await mailsTo(service, email)) {
    const [, token] = /\/pay\/([A-Za-z0-9]{40})$/m.exec(text) ?? []
    if (!token) continue
    service.secrets.add(token)
    return openLink(service, token)
  }
  return null
}

/** A stranger signs up, and sees the payments to its address. */
export async function signUpStranger(world: World): Promise<string> {
  const stranger = world.dice.pick(world.strangers.slice(-KNOWN))
  if (!stranger || stranger.hasLogin) return 'nobody'
  const passwordHash = await hashOfPassword()
  const login = { email: stranger.email, passwordHash, name: 'Ada Outside', isPayee: true }
  await inTransaction(world.deps, (tx) => signUpOwner(tx, login))
  stranger.hasLogin = true
  count(world, 'signed up')
  return stranger.name
}

/** A stranger who has signed up deposits one of its payments into its own bank, or first claims the payment of its newest link. */
export async function takeClaimed(world: World): Promise<string> {
  const { dice } = world
  const stranger = dice.pick(world.strangers.filter(({ hasLogin }) => hasLogin).slice(-KNOWN))
  if (!stranger) return 'nobody'
  const browser = await signIn(world.service, stranger)
  if (dice.chance(0.3)) await claimLink(world, stranger, browser)
  const own = paymentsOf(world, ['UNPAID', 'FAILED'], ({ payee }) => payee === stranger.name)
  const payment = dice.pick(own)
  if (!payment) return `${stranger.name} has none`
  const added = await ask(world, browser, { path: '/v3/bank', body: bankOf(accountOf(world, stranger)) })
  const bankId = added.body?.id ?? (await browser.get('/v3/bank')).body.banks[0]?.id
  const request = { path: `/v3/check/deposit/${payment.id}`, body: { account: bankId } }
  const { status, isDone } = await attempt(world, browser, 'claimed payment deposited', request)
  if (isDone) payment.deal.toBankId = bankId
  return `${stranger.name} ${payment.deal.cents} ${status}`
}

async function claimLink(world: World, stranger: Stranger, browser: Browser): Promise<void> {
  const page = await newestPage(world, stranger)
  if (!page) return
  const { status, body } = await browser.post('/web/v1/pay/claim', { token: page.token })
  count(world, status === 200 ? 'link claimed' : `link not claimed: ${body.code}`)
}

/** A person without an account pays an invoice by its link, from a new account that is verified with micro-deposits. */
export async function payFromOutside(
  world: World,
  { token, deal, account }: { token: string; deal: Deal; account: string },
): Promise<boolean> {
  const page = (path: string, more: object = {}) =>
    openBrowserAt(world.service).post(`/web/v1/invoice/${path}`, { token, ...more })
  await page('account', { name: deal.payer, ...bankOf(account) })
  const verified = await page('verify', { amount_1: 0.15, amount_2: 0.07 })
  if (verified.status !== 200) return false
  return (await page('pay', { authorization: verified.body.authorization })).status === 200
}
