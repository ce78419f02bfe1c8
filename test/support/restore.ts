import assert from 'node:assert/strict'
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { databaseOfUrl } from '../../src/foundation/db/schema/create-database.ts'
import { getExceptions } from '../../src/foundation/exception/exception-actions.ts'
import type { CommandFlags } from '../../src/operation/cli/command-flags.ts'
import { filesCommand } from '../../src/operation/cli/files-commands.ts'
import type { SentEntry } from './ach.ts'
import { type FileService, newPair, pay, startFileService } from './file-service.ts'
import { onServer } from './postgres.ts'
import { waitUntil } from './wait-until.ts'

export const recover = ({ deps }: FileService, flags: CommandFlags): Promise<string> =>
  filesCommand(flags, ['recover'])(deps)

/** @returns a function that restores this state of the database in place: the service keeps the same URL */
export async function backUp(
  { databaseUrl }: Pick<FileService, 'databaseUrl'>,
  t: { after(end: () => Promise<void>): void },
): Promise<() => Promise<void>> {
  const name = databaseOfUrl(databaseUrl)
  const backup = `${name}_backup`
  const copy = (from: string, to: string) =>
    onServer(async (admin) => {
      // The service connects again at once, and a template must have no sessions.
      await admin`alter database ${admin(from)} allow_connections false`
      await admin`select pg_terminate_backend(pid) from pg_stat_activity where datname in (${from}, ${to})`
      await waitUntil('the sessions have ended', async () => {
        const left = await admin`select 1 from pg_stat_activity where datname = ${from}`
        return left.length === 0
      })
      await admin`drop database if exists ${admin(to)} with (force)`
      await admin`create database ${admin(to)} template ${admin(from)} strategy file_copy`
      await admin`alter database ${admin(from)} allow_connections true`
    })
  await copy(name, backup)
  t.after(() => onServer((admin) => admin`drop database if exists ${admin(backup)} with (force)`))
  return () => copy(backup, name)
}

/** Moves the files of the bank out of the exchange folder, which then has no trace of them. @returns their new folder */
export async function loseFolder({ folder }: FileService, t: TestContext): Promise<string> {
  const elsewhere = await mkdtemp(join(tmpdir(), 'remit-bank-'))
  t.after(() => rm(elsewhere, { recursive: true, force: true }))
  for (const name of await readdir(join(folder, 'outbound/sent')))
    await rename(join(folder, 'outbound/sent', name), join(elsewhere, name))
  await rm(join(folder, '.exchange.json'))
  return elsewhere
}

/** A day at the bank: one debit in file B, and after the backup another one in file C, which the bank receives. */
export async function loseTheAfternoon(t: TestContext, options: Parameters<typeof startFileService>[1] = {}) {
  const service = await startFileService(t, { acknowledgements: { ach: 'required', paper: 'required' }, ...options })
  const pair = await newPair(service) // file A
  const early = await pay(pair, 10)
  const morning = await pay(pair, 20)
  await service.openWindow() // file B
  const waiting = [await pay(pair, 30), await pay(pair, 40)]
  const undeposited = (
    await pair.sender.post('/v3/check/digital', { amount: 50, name: 'Payee', recipient: pair.recipient.userId })
  ).body.id
  const restore = await backUp(service, t)
  const deposit = () => pair.recipient.post(`/v3/check/deposit/${undeposited}`, { account: pair.account })
  assert.equal((await deposit()).status, 201)
  const lost = await pay(pair, 60)
  await service.openWindow() // file C, of 2026-03-03
  const atBank = await service.sent()
  await restore()
  return { service, pair, early, morning, waiting, undeposited, deposit, lost, atBank }
}

/** Recovers, and repeats the lost payment of $60 under another number. `held`: the exception about the repetition. */
export async function repeatUnderAnotherNumber({
  service,
  pair,
}: Pick<Awaited<ReturnType<typeof loseTheAfternoon>>, 'service' | 'pair'>) {
  await recover(service, { lastAch: '20260303-A' })
  await pay(pair, 70) // takes the number of the lost payment
  const repeated = await pay(pair, 60)
  await service.openWindow()
  const held = (await getExceptions(service.deps, {})).find(({ paymentId }) => paymentId === repeated)
  return { repeated, held }
}

export const pullsOf = (entries: readonly SentEntry[]): number[] =>
  entries
    .filter(({ code, description }) => code === '27' && description === 'PAYMENT')
    .map(({ cents }) => cents)
    .sort((a, b) => a - b)

export const allAtBank = async (service: FileService, before: readonly SentEntry[]): Promise<SentEntry[]> => {
  const traces = new Set(before.map(({ trace }) => trace))
  return [...before, ...(await service.sent()).filter(({ trace }) => !traces.has(trace))]
}
