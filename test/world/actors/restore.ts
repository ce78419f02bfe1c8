import { readdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { OUTGOING_FILE_KINDS } from '../../../src/connections/exchange/outgoing-file-status.ts'
import type { CommandFlags } from '../../../src/operation/cli/command-flags.ts'
import { filesCommand } from '../../../src/operation/cli/files-commands.ts'
import { lastFlags } from '../../../src/operation/cli/recover/last-files.ts'
import type { Answer } from '../../support/api.ts'
import { answerLate, correctAccount, judgeFile, returnEntries } from '../bank.ts'
import type { Deal } from '../books.ts'
import { readFiles, sentName, transfer } from '../exchange.ts'
import { settleAll, unblock } from '../operators.ts'
import { ADDRESS, agree, newDeal, paymentsOf, voidPayment } from '../people.ts'
import { passToWindow, shuffled, workAll, workAtOnce } from '../work.ts'
import { count, keep, pickPair, type World } from '../world.ts'

// The database is lost and restored from a backup. In between, the service and the bank have exchanged files. Users have only made payments,
// which most of them repeat after the restore.

export async function restoreBackup(world: World): Promise<string> {
  const { dice, books, corrected, deps } = world
  const restore = await world.backUp()
  const rewind = books.remember()
  const readBefore = new Set(readFiles(world).map(({ name }) => name))
  const readCorrections = new Set(
    [...corrected].filter(([, { readAt }]) => readAt !== null).map(([account]) => account),
  )
  const windows = dice.between(1, 2)
  const { returns, lost } = await exchangeFiles(world, windows)

  const accepted = await deps.sql<{ name: string }[]>`select name from exchanges where status = 'ACCEPTED'`
  for (const { name } of accepted) world.acceptedBefore.add(name)
  await restore()
  rewind()
  for (const [account, correction] of corrected) if (!readCorrections.has(account)) correction.readAt = null
  for (const one of world.contested.values()) one.isHeld = false
  world.returnsIn = returns
  world.checkedAt = new Date(0)
  const files = readFiles(world).filter(({ name }) => !readBefore.has(name))
  for (const { folder, name } of files)
    await rename(join(folder, name), join(world.service.folder, 'inbound', sentName(name)))
  // The service notices a restore by the files that it lost. Without any, it goes on.
  const known = new Set(
    (await deps.sql<{ name: string }[]>`select name from exchanges`).map(({ name }) => `${name}.ach`),
  )
  const hasLostFile = [...world.seenFiles].some((name) => name.endsWith('.ach') && !known.has(name))
  const before = readdirSync(join(world.service.folder, 'outbound')).join()
  if (hasLostFile && dice.chance(0.3)) {
    await workAll(world)
    const after = readdirSync(join(world.service.folder, 'outbound')).join()
    keep('nothing is written between a restore and its recovery', before === after ? [] : [`${before} became ${after}`])
  }
  let left = dice.chance(0.5) ? await repeatLost(world, lost) : lost
  const report = await filesCommand(await lastFiles(world), ['recover'])(deps)
  await voidSome(world)
  // Entries that the bank had rejected are read in the first one, and then wait for the second.
  for (let window = 0; window < 2 || (left.length > 0 && window < MAX_WINDOWS); window++) {
    left = await repeatLost(world, left)
    if (left.length > 0) await unblock(world)
    for (const { payerId } of left) await settleAll(world, payerId)
    passToWindow(world)
    await workAtOnce(world, PASSES)
  }
  keep(
    'every lost payment can be repeated',
    left.map(({ deal }) => `${deal.cents}`),
  )
  count(world, 'remit files recover')
  return `${windows} windows, ${files.length} files of the bank, ${/(\d+) files were added/.exec(report)?.[1]} files added`
}

/** People void payments whose debits the bank may have. */
async function voidSome(world: World): Promise<void> {
  for (let turn = 0; turn < 3; turn++) {
    const payment = world.dice.pick(paymentsOf(world, ['IN_PROCESS']))
    if (payment) await voidPayment(world, payment)
  }
}

/** The passes that exchange ACH files with the bank, and print checks. */
const PASSES = [
  'apply outbox',
  'write bank files',
  'write check files',
  'exchange files',
  'read bank files',
  'follow files',
] as const

/** A payment that the restored database does not know. Its user sends the same request again. */
type Lost = { deal: Deal; payerId: string; send: () => Promise<Answer> }

/** Pays into a known account of a user, or mails a check from a wallet. The database forgets it later. */
async function sendLost(world: World): Promise<Lost[]> {
  const { payer, payee } = pickPair(world)
  const isMailed = world.dice.chance(0.4)
  const deal = newDeal(world, payer, payee, isMailed ? { from: 'wallet', fromWallet: payer.walletId } : {})
  const given = { amount: deal.cents / 100, name: deal.payee }
  const [path, body] = isMailed
    ? ['/v3/check/physical', { ...given, recipient: ADDRESS, account: payer.walletId }]
    : ['/v3/check/digital', { ...given, recipient: { id: payee.name, account: payee.bankId } }]
  const send = () => payer.api.post(path, body, { idempotencyKey: `lost ${deal.cents}` })
  if ((await send()).status !== 201) return []
  world.books.addDeal(deal)
  return [{ deal, payerId: payer.api.id, send }]
}

/**
 * A lost payment can be above the limit of the day, its user can owe money, or its account can be blocked until a correction is read again or
 * the operator unblocks it.
 */
const MAX_WINDOWS = 12

/** Users repeat their payments, in another order. @returns those that were refused, although the bank has their debits or the printer their checks */
async function repeatLost(world: World, lost: readonly Lost[]): Promise<Lost[]> {
  const refused: Lost[] = []
  for (const one of shuffled(world, lost)) {
    if (agree(world, one.deal, await one.send())) continue
    world.blocked.add(one.deal.payee) // perhaps it is the account of the payee
    refused.push(one)
  }
  const printed = new Set([...world.books.checks.values()].map(({ deal }) => deal))
  return refused.filter(({ deal }) => world.books.entriesOfDeal(deal).length > 0 || printed.has(deal))
}

/** The share of lost payments that their users forget too. The operator settles them. */
const SHARE_FORGOTTEN = 0.12

/** Lets files be exchanged until some cut-offs. @returns the files of the bank that a database from before has not read */
async function exchangeFiles(world: World, windows: number): Promise<{ returns: World['returnsIn']; lost: Lost[] }> {
  const { dice } = world
  const returns = new Map(world.returnsIn)
  await transfer(world, { isReliable: true }) // the operator names the last file, so none before it may be on its way
  const lost: Lost[] = []
  for (let window = 0; window < windows; window++) {
    for (let turn = 0; turn < 2; turn++) {
      const sent = await sendLost(world)
      if (!dice.chance(SHARE_FORGOTTEN)) lost.push(...sent)
    }
    passToWindow(world)
    await workAtOnce(world, PASSES)
    if (dice.chance(0.8)) await transfer(world, { isReliable: true })
    for (const act of [judgeFile, judgeFile, answerLate, returnEntries, correctAccount])
      if (dice.chance(0.6)) await act(world)
    for (const [name, entries] of world.returnsIn) returns.set(name, entries)
    await workAtOnce(world, PASSES)
  }
  return { returns, lost }
}

/**
 * The files of each kind that left the service last: what the bank and the printer answer when they are asked. An order can be answered before
 * the request to cancel it leaves, which then counts as sent.
 */
async function lastFiles({ service, deps }: World): Promise<CommandFlags> {
  const known = await deps.sql<{ name: string }[]>`
    select name from exchanges where direction = 'out' and status in ('TRANSMITTED', 'ACCEPTED')
  `
  const files = readdirSync(join(service.folder, 'outbound/sent')).map((name) => name.replace(/\.\w+$/, ''))
  const sent = [...files, ...known.map(({ name }) => name)]
  return Object.fromEntries(
    OUTGOING_FILE_KINDS.map((kind) => {
      const own = sent.filter((name) => (kind === 'ach' ? /^\d{8}-/.test(name) : name.startsWith(`${kind}-`)))
      return [lastFlags[kind], own.sort().at(-1) ?? 'none']
    }),
  )
}
