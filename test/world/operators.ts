import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getOutgoingFiles } from '../../src/connections/exchange/outgoing-file-actions.ts'
import { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import type { BankCaseRow } from '../../src/foundation/exception/bank-case-store.ts'
import { getExceptions } from '../../src/foundation/exception/exception-actions.ts'
import { addDays } from '../../src/foundation/lib/clock.ts'
import { StartProblem } from '../../src/foundation/lib/start-problem.ts'
import { readDebts } from '../../src/money/ledger/ledger-actions.ts'
import { bankCommand } from '../../src/operation/cli/bank-commands.ts'
import { checkbookCommand } from '../../src/operation/cli/checkbook-commands.ts'
import type { CommandFlags } from '../../src/operation/cli/command-flags.ts'
import { debtCommand } from '../../src/operation/cli/debt-commands.ts'
import { exceptionCommand } from '../../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../../src/operation/cli/files-commands.ts'
import { monthCommand } from '../../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../../src/operation/cli/statement/reconcile-command.ts'
import { userCommand } from '../../src/operation/cli/user-commands.ts'
import { hasMailbox } from './actors/lockbox.ts'
import { isLostRefund, isUnprocessed, settleLost, undoSettled } from './actors/lost-entries.ts'
import { decideOrderCase } from './actors/order-rails.ts'
import { decidePayoutCase } from './actors/processors.ts'
import { decideLine, forgetFile, listWaitingLines } from './actors/statement-lines.ts'
import { sendRightFile } from './bank.ts'
import type { Check } from './books.ts'
import { deliver, noteStop, numbersOf, waitingFiles } from './exchange.ts'
import { tryAgain, voidPayment } from './people.ts'
import { noteRead, workAtOnce } from './work.ts'
import { count, keep, type Party, type World } from './world.ts'

// The operator of the service decides cases, sends files again, and records payments of debtors. Every command is one of `remit`.

const MONTH_VERBS: readonly string[] = ['close', 'months', 'report', 'reopen']

const commands = {
  files: filesCommand,
  exceptions: exceptionCommand,
  debt: debtCommand,
  bank: bankCommand,
  user: userCommand,
  checkbooks: checkbookCommand,
  reconcile: (flags: CommandFlags, words: readonly string[]) =>
    (MONTH_VERBS.includes(words[0] as string) ? monthCommand : reconcileCommand)(flags, words),
} as const

/** Runs a command of `remit`. @returns whether it changed something. A refusal with a reason is a valid answer */
export async function remit(
  world: World,
  name: keyof typeof commands,
  words: readonly string[],
  flags: CommandFlags = {},
): Promise<boolean> {
  try {
    await commands[name](flags, [...words])(world.deps)
    count(world, `remit ${name} ${words[0]}`)
    return true
  } catch (error) {
    if (!(error instanceof StartProblem)) throw error
    count(world, `refused: remit ${name} ${words[0]}`)
    return false
  }
}

/** Cancels a file that waits for the transfer job. The checks of a list go on another one. */
export async function cancelFile(world: World): Promise<string> {
  const name = world.dice.pick(waitingFiles(world).filter((one) => !one.endsWith('.pdf')))
  if (!name || !(await remit(world, 'files', ['cancel', name]))) return 'no file'
  for (const deal of world.books.deals.values())
    for (const entry of world.books.entriesOfDeal(deal)) if (entry.file === name) entry.state = 'gone'
  return name
}

/**
 * The printer cannot use a print file, or the bank refuses a list of checks. It goes out again, unless a sender voids its check before.
 * Refused stop orders have no effect.
 */
export async function rejectList(world: World): Promise<string> {
  const { deps, dice, service } = world
  const lists = (await getOutgoingFiles(deps, { isOpenOnly: true })).filter(
    ({ kind, name, status }) =>
      !['ach', 'orders', 'recall'].includes(kind) && status === 'TRANSMITTED' && !world.acceptedBefore.has(name),
  )
  const prints = dice.chance(0.6) ? lists.filter(({ kind }) => kind === 'print') : []
  const { kind, name } = dice.pick(prints.length > 0 ? prints : lists) ?? {}
  if (!name || !(await remit(world, 'files', ['reject', name]))) return 'no list'
  count(world, `rejected ${kind}`)
  if (kind !== 'stop' && kind !== 'print') return name
  const numbers = numbersOf(await readFile(join(service.folder, 'outbound/sent', `${name}.csv`), 'utf8'))
  if (kind === 'stop') noteStop(world, `${name}.csv`, numbers, false)
  if (kind === 'stop' || dice.chance(0.5)) return name
  await workAtOnce(world, ['follow files'])
  const { deal } = world.books.checks.get(dice.pick(numbers) as number) as Check
  return `${name}, ${await voidPayment(world, { id: [...deal.paymentIds].at(-1) as string, deal })}`
}

/** Sends a file again that never reached the bank. */
export async function resendFile(world: World): Promise<string> {
  const name = world.dice.pick([...world.lost])
  if (!name) return 'no file'
  return `${name} ${await remit(world, 'files', ['resend', name], { yes: true })}`
}

/** The operator asks the bank about files whose answer was ambiguous to the service. */
export async function settleFlaggedFiles(world: World): Promise<string> {
  const flagged = (await getOutgoingFiles(world.deps, { isOpenOnly: true })).filter(({ attention }) => attention)
  const onTheirWay = new Set([...waitingFiles(world), ...world.late.keys()])
  for (const { name } of flagged) {
    const file = world.bank.get(`${name}.ach`)
    if (onTheirWay.has(`${name}.ach`)) continue // The bank may process another copy.
    const reject = () => remit(world, 'files', ['reject', name])
    if (file?.status === 'rejected') (await reject()) || ((await forgetFile(world, name)) && (await reject()))
    else if (file && file.rejected.size > 0)
      await remit(world, 'files', ['reject', name], { trace: [...file.rejected] })
    else if (file?.status === 'accepted') await remit(world, 'files', ['accept', name])
  }
  return `${flagged.length} files`
}

/** Cases that close when the bank books a movement or sends a statement, or when the exchange folder can be used again. */
export const closeThemselves: readonly string[] = [
  'return_not_booked',
  'movement_not_booked',
  'statement_gap',
  'connection_failing',
  'balance_too_low',
]

/**
 * A return or correction of an entry that the restored database does not know is applied when a leg is assigned to it, after some cut-offs. A lost
 * refund is assigned when its payment, which the database may know, is refunded.
 */
const waitsForLostEntry = ({ clock }: World, { note, createdAt }: BankCaseRow): boolean =>
  (isOfLostEntry(note) || isLostRefund(note)) && clock.now() < addDays(createdAt, DAYS_UNTIL_SENT_AGAIN)
const isOfLostEntry = (note: string): boolean => /entry (\d{15} from before the restore|that no file had)/.test(note)
/** A payment that is held after a restore can wait for a decision until the next rest, and its refund is only made after that. */
const DAYS_UNTIL_SENT_AGAIN = 42

/** Decides the oldest case about a file of the bank. @returns whether there was one */
export async function decideBankCase(world: World): Promise<boolean> {
  const exceptions = await getExceptions(world.deps, { platformId: null, includesClosed: false })
  const isAssignedLater = exceptions.some(({ kind }) => kind === 'maybe_at_bank')
  const waitingLines = await listWaitingLines(world)
  const isHasty = world.dice.chance(0.1) // a case that is closed too early is asked again
  const [oldest] = (await getBankCases(world.deps)).filter(
    (one) =>
      !closeThemselves.includes(one.kind) &&
      !waitingLines.includes(one.inboundFileId) &&
      (isHasty || !(isOfLostEntry(one.note) && isAssignedLater)) &&
      (isHasty || !waitsForLostEntry(world, one)) &&
      !isUnprocessed(world, one),
  )
  if (!oldest) return false
  count(world, `case ${oldest.kind}`)
  if (oldest.kind === 'payment_missing') {
    const isAtBank = world.bank.get(`${oldest.fileName}.ach`)?.content.includes(oldest.event)
    const isPrinted = oldest.source === 'paid' && world.books.checks.has(Number(oldest.event))
    keep('only entries at the bank and printed checks miss their payment', isAtBank || isPrinted ? [] : [oldest.note])
    settleLost(world, oldest)
    return remit(world, 'exceptions', ['close', oldest.id], { note: 'its holder was called' })
  }
  const isOfOrder = (await decideOrderCase(world, oldest)) ?? (await decidePayoutCase(world, oldest))
  if (isOfOrder !== null) return isOfOrder
  if (oldest.kind === 'line_contradicts') return decideLine(world)
  if (isOfLostEntry(oldest.note)) {
    await workAtOnce(world, ['read bank files']) // its payment may just have been found
    if (!(await getBankCases(world.deps)).some(({ id }) => id === oldest.id)) return true
    undoSettled(world, oldest.note)
    // The payment was not sent again, so its correction is not applied. The bank says so again after the next entry.
    for (const [account, { file }] of world.corrected) if (file === oldest.fileName) world.corrected.delete(account)
    return remit(world, 'exceptions', ['close', oldest.id], { note: 'its payment was not sent again' })
  }
  if (isAskedAgain(oldest.note)) return answerAgain(world, oldest)
  const cents = world.contradictions.get(oldest.fileName)
  if (oldest.kind === 'check_amount_differs' && cents)
    return (
      (await remit(world, 'exceptions', ['apply', oldest.id], { note: 'the bank pays the difference back' })) ||
      remit(world, 'exceptions', ['close', oldest.id], { note: 'the statement has the right amount' })
    )
  // A check that waits to be printed again was printed before.
  const amount = cents && (cents / 100).toFixed(2)
  const paid = { note: 'the first print was paid', ...(amount && { amount }) }
  const isPaid = oldest.kind === 'entry_unread' && /^paid-|^The bank statement/.test(oldest.fileName)
  const check = oldest.legId ?? oldest.id
  const isOfNoCheck =
    oldest.kind === 'entry_unread' && /no check of this number|payment of this check is not known/.test(oldest.note)
  if (isOfNoCheck && world.books.deals.get(cents ?? oldest.cents ?? 0)?.paymentIds.size === 0)
    return remit(world, 'exceptions', ['close', oldest.id], { note: 'nobody repeats its payment' })
  const isUnknown = isPaid && isAssignedLater && isOfNoCheck
  if (isUnknown && (await decideException(world))) return true // the check of a payment that is held after a restore
  if (isPaid && (await remit(world, 'exceptions', ['apply', oldest.id], paid))) {
    world.paidByHand.add(check)
    return true
  }
  if (isPaid && (world.paidByHand.has(check) || (await isRecordedPaid(world, oldest))))
    return remit(world, 'exceptions', ['close', oldest.id], { note: 'another copy of the list or a statement' })
  const known = world.damaged.get(oldest.fileName)
  if (!known) keep('only damaged files become cases', [`${oldest.fileName}: ${oldest.kind}: ${oldest.note}`])
  const isFramed = oldest.kind === 'file_unread' && known?.damage === 'wrong total'
  if (isFramed && world.dice.chance(0.5)) {
    if (await remit(world, 'exceptions', ['apply', oldest.id], { note: 'the bank confirmed the entries' }))
      noteRead(world, known.entries)
    return true
  }
  if (known?.entries.length) await sendRightFile(world, known.entries)
  await remit(world, 'exceptions', ['close', oldest.id], { note: 'the bank sent the right file' })
  return true
}

/** Another copy of the list can arrive when the check is out, and a statement can have the check with its right amount. */
const isRecordedPaid = ({ deps, contradictions }: World, { legId, fileName }: BankCaseRow): Promise<boolean> =>
  deps.sql`
    select from paper_checks
    where paid_on is not null and (leg_id = ${legId} or cents = ${contradictions.get(fileName) ?? null})
  `.anyRow()

/** The case of a return or a correction was closed before the payment of the entry was known. */
const isAskedAgain = (note: string): boolean => note.startsWith('The bank sent this about')

/**
 * The operator applies the return that the file contains, or that the bank has meant, if the file is damaged. A correction is left to the bank, which
 * says so again after the next entry.
 */
async function answerAgain(world: World, { id, note, fileName }: BankCaseRow): Promise<boolean> {
  const [, trace = ''] = /with trace number (\d+)/.exec(note) ?? []
  const damaged = world.damaged.get(fileName)
  const shown = damaged
    ? `799${damaged.entries.find((entry) => entry.trace === trace)?.code}`
    : await exceptionCommand({}, ['show', id])(world.deps)
  const [, code] = /799(R\d\d)/i.exec(shown) ?? []
  const right = { note: 'the bank confirmed it', trace: [trace], ...(code && { code }) }
  if (code && (await remit(world, 'exceptions', ['apply', id], right))) return true
  return remit(world, 'exceptions', ['close', id], { note: 'nothing to apply' })
}

/**
 * Decides the oldest exception. Refunds are sent again or paid by wire, and all others are closed after a call. A sender who owes a part of
 * the money pays it before.
 */
export async function decideException(world: World): Promise<boolean> {
  const exceptions = await getExceptions(world.deps, { platformId: null, includesClosed: false })
  // No two deals have the same amount, so the entry at the bank or the check at the printer is the one of the payment.
  const nameOf = ({ note }: { note: string }): CommandFlags | null => {
    const [, trace, number] = /with trace number (\d+)|The printer has check (\d+)/.exec(note) ?? []
    if (number) return { number }
    return trace ? { trace: [trace] } : null
  }
  for (const one of exceptions) {
    const flags = nameOf(one)
    const isSettled = flags?.trace?.some((trace) => world.settledLost.has(trace)) ?? false
    if (isSettled) return remit(world, 'exceptions', ['close', one.id], { note: 'the payer gave it back' })
    if (flags && (await remit(world, 'exceptions', ['apply', one.id], { ...flags, note: 'it has it' }))) return true
    // The recovery has assigned the payment to its entry, whose file the bank may have rejected since, or the bank has rejected the entry.
    const isAnswered = await world.deps.sql`
      select
      from ach_recovered_entries r
      join ach_entries e on e.file_id = r.file_id and e.trace_number = r.trace_number
      join exchanges f on f.id = r.file_id
      where r.trace_number = any (${flags?.trace ?? []})
        and (r.matched_at is not null or e.is_rejected or f.status in ('REJECTED', 'CANCELED'))
    `.anyRow()
    if (isAnswered && (await remit(world, 'exceptions', ['close', one.id], { note: 'the service knows' }))) return true
  }
  const oldest = exceptions.find((one) => !nameOf(one))
  if (!oldest) return false
  count(world, `exception ${oldest.kind}`)
  const { id, kind, paymentId, userId } = oldest
  if (kind === 'order_refused') world.terms.are = 'right'
  if (world.dice.chance(0.6) && (await remit(world, 'exceptions', ['resend', id]))) {
    // Another operator has opened the same case.
    if (world.dice.chance(0.3)) await remit(world, 'exceptions', ['resend', id])
    return true
  }
  if (await remit(world, 'exceptions', ['close', id], { note: 'talked to the user' })) return true
  const before = await balancesOf(world)
  const isPaid = await remit(world, 'exceptions', ['close', id], {
    note: 'paid',
    paidBy: 'wire',
    reference: `wire for ${id}`,
  })
  // Autopay may have made the payment since the books were last compared with the service. An exception about wallets names no payment.
  const deal = paymentId ? (world.books.dealOf(paymentId) ?? world.books.deals.get(oldest.cents ?? 0)) : null
  for (const [walletId, cents] of isPaid ? await balancesOf(world) : [])
    world.books.fund(walletId, cents - (before.get(walletId) ?? 0))
  if (isPaid && deal?.from === 'bank') deal.paidOutsideCents += deal.cents
  if (isPaid) return true
  return settleAll(world, userId)
}

/** The cents in the wallets of all users. The operator pays out those of closed users. */
async function balancesOf(world: World): Promise<Map<string, number>> {
  const balances = new Map<string, number>()
  for (const { walletId } of world.parties()) {
    const [row] = await world.deps.sql<{ cents: number }[]>`
      select balance_cents as cents from wallets where id = ${walletId}
    `
    balances.set(walletId, row?.cents ?? 0)
  }
  return balances
}

export async function decideOne(world: World): Promise<string> {
  if (world.dice.chance(0.4)) return `bank case ${await decideBankCase(world)}`
  if (world.dice.chance(0.2)) return `line ${await decideLine(world)}`
  return `exception ${await decideException(world)}`
}

type Debtor = { platformId: string; userId: string; cents: number }

const debtorsOf = ({ deps }: World): Promise<Debtor[]> => deps.sql<Debtor[]>`
  select platform_id, user_id, debt_cents as cents from user_counters where debt_cents > 0 order by user_id
`

/** Returns what users owe for payments, by the id of the payment. */
export async function debtsOfPayments(world: World): Promise<Map<string, number>> {
  const debts = new Map<string, number>()
  for (const debtor of await debtorsOf(world))
    for (const { paymentId, cents } of await readDebts(world.deps, debtor)) if (paymentId) debts.set(paymentId, cents)
  return debts
}

/** Records a payment of a debtor, in whole or in part. */
export async function settleDebt(world: World): Promise<string> {
  const debtor = world.dice.pick(await debtorsOf(world))
  if (!debtor) return 'no debt'
  return settle(world, debtor, world.dice.chance(0.6) ? debtor.cents : Math.ceil(debtor.cents / 2))
}

/** Records that a user has paid all debts. @returns false if there is none */
export async function settleAll(world: World, userId: string | null): Promise<boolean> {
  const debtor = (await debtorsOf(world)).find((one) => one.userId === userId)
  if (debtor) await settle(world, debtor, debtor.cents)
  return debtor !== undefined
}

async function settle(world: World, debtor: Debtor, cents: number): Promise<string> {
  const party = world.parties().find(({ api }) => api.id === debtor.userId)
  if (!party) return 'a debtor outside'
  const reference = `wire ${world.step}`
  const flags = { owner: party.platform.email, user: party.name, amount: (cents / 100).toFixed(2), reference }
  const before = await readDebts(world.deps, debtor)
  const isPaid = await remit(world, 'debt', ['settle'], flags)
  const after = new Map((await readDebts(world.deps, debtor)).map((debt) => [debt.paymentId, debt.cents]))
  const parts = before.map((debt) => [debt.paymentId, debt.cents - (after.get(debt.paymentId) ?? 0)] as const)
  keep(
    'debts are those of debits that came back',
    world.books.payDebt(party.name, new Map(parts.filter(([, part]) => part > 0))),
  )
  const again = isPaid && cents === debtor.cents ? await tryAgain(world, party.name) : 'nothing'
  return `${party.name} ${cents} of ${debtor.cents}, then ${again}`
}

/** Unblocks a user's account. The user verifies it again. */
export async function unblock(world: World): Promise<string> {
  const party = world.dice.pick(world.parties().filter(({ name }) => world.blocked.has(name)))
  if (!party) return 'nobody is blocked'
  const { api, bankId, platform, name } = party
  const isBlocked = (await api.post('/v3/bank/release', { account: bankId })).body?.code === 'bank_blocked'
  if (isBlocked)
    await remit(world, 'bank', ['unblock'], { owner: platform.email, bank: bankId, note: 'the holder called' })
  await api.post('/v3/bank/release', { account: bankId })
  await api.post('/v3/bank/verify', { account: bankId, amount_1: 0.07, amount_2: 0.15 })
  world.blocked.delete(name)
  return `${name} ${isBlocked}`
}

/** Sets the daily limit of a user. */
export async function limitDay(world: World): Promise<string> {
  const { platform, name } = world.dice.pick(users(world).filter((one) => one !== hasMailbox(one.platform))) as Party
  const dollars = Math.ceil((world.nextCents() * world.dice.between(12, 60)) / 1_000)
  await remit(world, 'user', ['limits'], { owner: platform.email, user: name, day: String(dollars) })
  world.books.dayLimits.set(name, dollars * 100)
  return `${name} ${dollars}`
}

const users = ({ platforms }: World): Party[] => platforms.flatMap(({ parties }) => parties)

/** Suspends a user, or ends all suspensions. */
export async function suspend(world: World): Promise<string> {
  const { platform, name } = world.dice.pick(users(world)) as Party
  if (world.suspended.size > 0) {
    await endSuspensions(world)
    return 'all verified'
  }
  await remit(world, 'user', ['suspend'], { owner: platform.email, user: name })
  world.suspended.add(name)
  return name
}

export async function endSuspensions(world: World): Promise<void> {
  for (const name of world.suspended)
    await remit(world, 'user', ['verify'], { owner: world.partyOf(name).platform.email, user: name })
  world.suspended.clear()
}

/** Reads a damaged file of the bank again. It is still damaged. */
export async function readAgain(world: World): Promise<string> {
  const one = world.dice.pick(await getBankCases(world.deps))
  if (!one) return 'no case'
  await remit(world, 'files', ['read', one.fileName], { again: true, by: 'Olga', why: 'the bank says it is right' })
  return one.fileName
}

/** The operator uploads a file by hand, and records it. */
export async function sendByHand(world: World): Promise<string> {
  const name = world.dice.pick(waitingFiles(world).filter((one) => one.endsWith('.ach')))
  if (!name) return 'no file'
  const content = await readFile(join(world.service.folder, 'outbound', name))
  const flags = { by: 'Olga', why: 'uploaded on the page of the bank' }
  if (!(await remit(world, 'files', ['mark-sent', name], flags))) return 'refused'
  await deliver(world, name, content)
  return name
}
