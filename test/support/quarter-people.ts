import assert from 'node:assert/strict'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { addDays } from '../../src/foundation/lib/clock.ts'
import { newSecret } from '../../src/foundation/lib/ids.ts'
import { hashSecret } from '../../src/foundation/lib/secret.ts'
import { bankCommand } from '../../src/operation/cli/bank-commands.ts'
import { debtCommand } from '../../src/operation/cli/debt-commands.ts'
import { insertInvoiceLink } from '../../src/orders/payer/payer-store.ts'
import { decideUser } from '../../src/people/user/operator-actions.ts'
import type { SentEntry } from './ach.ts'
import { openBrowserAt } from './browser.ts'
import type { FileService } from './file-service.ts'
import { addBank, addVerifiedBank, newAccountNumber, type TestUser } from './service.ts'
import type { KnownPayment, Movement } from './who-gave-who-got.ts'

// The users of the quarter: they scan checks, invoice each other, correct accounts, and are closed. The model of the
// expected outcome knows only their requests and the bank's files.

export type Pair = { owner: { id: string; email: string }; sender: TestUser; recipient: TestUser; account: string }

export type Dice = {
  chance(probability: number): boolean
  pick<One>(list: readonly One[]): One | undefined
  between(from: number, to: number): number
}

/** An outstanding check of the service. `chapter`: when the bank paid it, or when it was scanned. */
export type IssuedCheck = {
  paymentId: string
  amount: string
  isPaid: boolean
  isScanned: boolean
  chapter: number
}

export type World = {
  service: FileService
  dice: Dice
  /** Writes a file where Remit reads it. */
  putInbound(name: string, content: string | Buffer): Promise<void>
  operatorAccount: { routing: string; account: string }
  pairs: Pair[]
  payments: { id: string; sender: TestUser }[]
  /** By number. */
  checks: Map<number, IssuedCheck>
  chapter(): number
  /** Writes a correction (C01) of an entry to the inbound folder. */
  sendCorrection(entry: SentEntry, account: string): Promise<void>
  /** Entries of files that the bank accepted, newest last. */
  effective(): { file: { name: string }; entry: SentEntry }[]
}

type Mailbox = { user: TestUser; account: string; id: string; pmb: string }
type Invoice = { id: string; by: TestUser; cents: number; paymentIds: Set<string> }

export function createPeople(world: World) {
  const { service, dice, pairs, payments, checks } = world
  const { chance, pick, between } = dice
  const { deps } = service

  const mailboxes: Mailbox[] = []
  const invoices: Invoice[] = []
  /** Scanned payments for a check of the service, with the payment that it was issued for. */
  const ownScans = new Map<string, string>()
  /** The account that replaced another one, and the time. */
  const moved = new Map<string, { to: string; chapter: number }>()
  const strangersChecks: { account: string; number: string; amount: number }[] = []
  const savedPayees: { by: TestUser; id: string; accountId: string }[] = []
  const outside = ['ada@outside.example', 'bob@outside.example', 'eve@outside.example']
  let letters = 0
  /** The number of successes of each action. */
  const done: Record<string, number> = {}
  const count = (what: string): number => {
    done[what] = (done[what] ?? 0) + 1
    return done[what]
  }

  async function mailboxOf({ recipient, account }: Pair): Promise<Mailbox> {
    const known = mailboxes.find(({ user }) => user === recipient)
    if (known) return known
    const { id, address } = (await recipient.post('/v3/mailbox', {})).body
    const mailbox = { user: recipient, account, id, pmb: address.line_2.slice(4) }
    mailboxes.push(mailbox)
    return mailbox
  }

  /** Sends a piece of mail with one check: a check of the service or of a stranger, sometimes for a second time. */
  async function scan(): Promise<void> {
    const mailbox = await mailboxOf(pick(pairs) as Pair)
    const check = chance(0.6) ? ownCheck() : strangersCheck()
    if (!check) return
    const name = `mail-${++letters}`
    const letter = { id: name, mailbox: mailbox.pmb, sender: 'Ann Payer', checks: [{ ...check, name: 'Dora Drawer' }] }
    await world.putInbound(`${name}.pdf`, Buffer.from('%PDF-1.4 a scan'))
    await world.putInbound(`${name}.json`, JSON.stringify(letter))
  }

  /**
   * A check in a mailbox is not cashed at a bank. A check that was cashed at a bank is mailed only after the bank
   * reported it.
   */
  function ownCheck() {
    const chosen = pick([...checks].filter(([, { isPaid, chapter }]) => !isPaid || chapter < world.chapter()))
    if (!chosen) return null
    const [number, check] = chosen
    if (!check.isPaid) check.isScanned = true
    const { routing, account } = world.operatorAccount
    return {
      routing,
      account: chance(0.5) ? account : account.replace(/^0+/, ''),
      number: chance(0.5) ? String(number) : `00${number}`,
      amount: Number(check.amount) + (chance(0.1) ? 1 : 0),
    }
  }

  function strangersCheck() {
    const known = chance(0.4) ? pick(strangersChecks) : undefined
    const check = known ?? {
      account: newAccountNumber(),
      number: String(between(100, 9_999)),
      amount: between(100, 9_999) / 100,
    }
    if (!known) strangersChecks.push(check)
    const { account, number, amount } = check
    return {
      routing: '021000021',
      account: chance(0.5) ? account : `00${account}`,
      number: chance(0.5) ? number : `0${number}`,
      amount,
    }
  }

  async function deposit(): Promise<void> {
    const mailbox = pick(mailboxes)
    if (!mailbox) return
    const { mail = [] } = (await mailbox.user.get(`/v3/mailbox/${mailbox.id}/mail`)).body
    // The newest first, because most of the older ones are deposited.
    const scans: { id: string }[] = mail.flatMap((one: { checks: { id: string }[] }) => one.checks)
    const scanned = pick(scans.slice(0, 3))
    if (!scanned) return
    const answer = await mailbox.user.post(`/v3/check/deposit/${scanned.id}`, { account: mailbox.account })
    assert.ok([201, 400, 403].includes(answer.status), answer.text)
    if (answer.status !== 201) return
    const [own] = await deps.sql<{ paymentId: string | null }[]>`
      select own_payment_id as payment_id from scanned_checks where payment_id = ${scanned.id}
    `
    if (own?.paymentId) ownScans.set(scanned.id, own.paymentId)
    count(own?.paymentId ? 'own check deposited' : 'check deposited')
    payments.push({ id: scanned.id, sender: mailbox.user })
  }

  /** The recipient invoices the sender, who pays, sometimes for a second time. */
  async function bill(): Promise<void> {
    const old = chance(0.3) ? pick(invoices) : undefined
    const pair = pick(pairs) as Pair
    const { sender, recipient, account } = pair
    const cents = between(100, 9_999)
    if (old) return pay(old, sender)
    const order = { amount: cents / 100, name: 'Ann', recipient: sender.userId, description: 'Painting', account }
    const { status, body } = await recipient.post('/v3/invoice', order)
    if (status !== 201) return
    const invoice = { id: body.id, by: recipient, cents, paymentIds: new Set<string>() }
    invoices.push(invoice)
    await pay(invoice, sender)
  }

  async function pay(invoice: Invoice, sender: TestUser): Promise<void> {
    const { status, body } = await sender.post('/v3/invoice/payment', { id: invoice.id, amount: invoice.cents / 100 })
    if (status !== 201) return
    count(invoice.paymentIds.size === 0 ? 'invoice paid' : 'invoice paid again')
    invoice.paymentIds.add(body.id)
    payments.push({ id: body.id, sender })
  }

  /** A payer without an account pays by a link, from a new account or one used before. */
  async function billOutside(): Promise<void> {
    const { owner, recipient, account } = pick(pairs) as Pair
    const email = pick(outside) as string
    const cents = between(100, 9_999)
    const order = { amount: cents / 100, name: 'Outside', recipient: email, description: 'Painting', account }
    const { status, body } = await recipient.post('/v3/invoice', order)
    if (status !== 201) return
    const token = newSecret(deps)
    service.secrets.add(token)
    const link = {
      platformId: owner.id,
      invoiceId: body.id,
      expiresAt: addDays(deps.realClock.now(), 90),
      isViewOnly: false,
    }
    await insertInvoiceLink(deps.sql, hashSecret(token), link)
    const page = (path: string, more: object = {}) =>
      openBrowserAt(service).post(`/web/v1/invoice/${path}`, { token, ...more })
    await page('account', {
      name: 'Outside',
      routing: '021000021',
      account: newAccountNumber(),
      type: 'CHECKING',
    })
    const verified = await page('verify', { amount_1: 0.15, amount_2: 0.07 })
    if (verified.status !== 200) return
    const paid = await page('pay', { authorization: verified.body.authorization })
    const paymentId = (await recipient.get(`/v3/invoice/${body.id}`)).body.check_id
    if (paid.status !== 200 || !paymentId) return
    count('invoice paid outside')
    invoices.push({ id: body.id, by: recipient, cents, paymentIds: new Set([paymentId]) })
  }

  async function redeposit(): Promise<void> {
    const pair = pick(pairs) as Pair
    const failed = (await pair.recipient.get('/v3/check?status=FAILED')).body.checks ?? []
    const chosen = pick(failed as { id: string }[])
    if (!chosen) return
    const { status } = await pair.recipient.post(`/v3/check/deposit/${chosen.id}`, { account: pair.account })
    if (status === 201) count('failed payment deposited again')
  }

  async function sendToSaved(): Promise<void> {
    const { sender } = pick(pairs) as Pair
    let saved = savedPayees.find(({ by }) => by === sender)
    if (!saved) {
      const { id } = (await sender.post('/v3/directory', { name: 'Saved Payee' })).body
      const account = { routing: '021000021', account: newAccountNumber(), type: 'CHECKING' }
      const { id: accountId } = (await sender.post(`/v3/directory/${id}/account/bank`, account)).body
      saved = { by: sender, id, accountId }
      savedPayees.push(saved)
    }
    const recipient = { id: saved.id, account: saved.accountId }
    const order = { amount: between(100, 9_999) / 100, name: 'Saved Payee', recipient }
    const { status, body } = await sender.post('/v3/check/digital', order)
    if (status !== 201) return
    count('sent to a saved payee')
    payments.push({ id: body.id, sender })
  }

  /** Sends a bank's correction of an account number. Each number is corrected only once. */
  async function correct(): Promise<void> {
    const chosen = pick(world.effective().slice(-40))
    if (!chosen || moved.has(chosen.entry.account) || chosen.entry.description === 'ACCTVERIFY') return
    const to = newAccountNumber()
    service.secrets.add(to)
    moved.set(chosen.entry.account, { to, chapter: world.chapter() })
    count('account corrected')
    await world.sendCorrection(chosen.entry, to)
  }

  /** The debtor of a pair pays the operator. */
  async function settle(): Promise<void> {
    const { owner, sender } = pick(pairs) as Pair
    const [row] = await deps.sql<{ cents: number }[]>`
      select debt_cents as cents from user_counters where platform_id = ${owner.id} and user_id = ${sender.id}
    `
    if (!row?.cents) return
    const amount = ((chance(0.5) ? row.cents : Math.ceil(row.cents / 2)) / 100).toFixed(2)
    const reference = `wire ${count('debt paid')}`
    await debtCommand({ owner: owner.email, user: sender.userId, amount, reference }, ['settle'])(deps)
  }

  /** The operator lifts the block of a sender's account, and the sender verifies it again. */
  async function unblock(): Promise<void> {
    const { owner, sender } = pick(pairs) as Pair
    for (const { id } of (await sender.get('/v3/bank')).body.banks) {
      const isBlocked = (await sender.post('/v3/bank/release', { account: id })).body?.code === 'bank_blocked'
      if (!isBlocked) continue
      await bankCommand({ owner: owner.email, bank: id, note: 'the holder called' }, ['unblock'])(deps)
      await sender.post('/v3/bank/release', { account: id })
      await sender.post('/v3/bank/verify', { account: id, amount_1: 0.07, amount_2: 0.15 })
      count('account unblocked')
    }
  }

  /** Closes a user of a pair that is no longer used. */
  async function close(addPair: () => Promise<void>): Promise<void> {
    const pair = pick(pairs) as Pair
    const { owner, sender, recipient } = pair
    const userId = (pick([sender, recipient]) as TestUser).id
    await inTransaction(deps, (tx) => decideUser(tx, { platformId: owner.id, userId }, 'close'))
    count('user closed')
    pairs.splice(pairs.indexOf(pair), 1)
    await addPair()
  }

  /** Checks that entries after a correction of an earlier chapter do not use the former number. */
  function assertCorrected(name: string, entries: readonly SentEntry[]): void {
    for (const { account, trace } of entries) {
      const { chapter } = moved.get(account) ?? {}
      assert.ok(
        chapter === undefined || chapter >= world.chapter(),
        `${name} ${trace} goes to ${account}, corrected before`,
      )
    }
  }

  /** Checks that the scan of a check of the service pays the payment of the check, and not another one. */
  const ofIssuer = (movement: Movement): Movement => {
    const paymentId = ownScans.get(movement.paymentId)
    return paymentId && movement.reason === 'payout' ? { ...movement, paymentId, reason: 'check' } : movement
  }

  /**
   * Returns payments whose end can be judged alone: no scans of checks of the service, and no check whose scan has not
   * reached its payee.
   */
  const judged = (known: readonly KnownPayment[]): KnownPayment[] => {
    const status = new Map(known.map((one) => [one.id, one.status]))
    const unpaid = new Set([...ownScans].flatMap(([scan, of]) => (status.get(scan) === 'PAID' ? [] : [of])))
    return known.filter(({ id }) => !ownScans.has(id) && !unpaid.has(id))
  }

  /** Checks that each invoice was paid once if it is PAID, and otherwise not at all. */
  async function assertInvoices(sums: ReadonlyMap<string, { payout: number; check: number }>): Promise<void> {
    for (const { id, cents, paymentIds } of invoices) {
      const [row] = await deps.sql<{ status: string }[]>`select status from invoices where id = ${id}`
      const got = [...paymentIds].reduce(
        (sum, one) => sum + (sums.get(one)?.payout ?? 0) + (sums.get(one)?.check ?? 0),
        0,
      )
      assert.equal(got, row?.status === 'PAID' ? cents : 0, `invoice ${id} is ${row?.status}`)
    }
  }

  return {
    done,
    happenings: { scan, deposit, bill, billOutside, redeposit, sendToSaved, correct, settle, unblock },
    close,
    assertCorrected,
    assertInvoices,
    isOwnScan: (paymentId: string) => ownScans.has(paymentId),
    ofIssuer,
    judged,
  }
}

export const newPair = async (service: FileService): Promise<Pair> => {
  const { api, id, email } = await service.newOwner()
  const [sender, recipient] = [await service.newUser(undefined, api), await service.newUser(undefined, api)]
  await addVerifiedBank(sender)
  return { owner: { id, email }, sender, recipient, account: await addBank(recipient) }
}
