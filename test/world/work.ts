import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sealAuditEntries } from '../../src/foundation/audit/audit-worker.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { createFailures } from '../../src/foundation/db/step-failures.ts'
import { nextAchWindow } from '../../src/foundation/lib/banking-day.ts'
import { StartProblem } from '../../src/foundation/lib/start-problem.ts'
import { readAchFiles, writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { readAnswers, writeOrders } from '../../src/money/iso20022/order/order-worker.ts'
import { matchBankStatements, readBankStatements } from '../../src/money/reconciliation/statement-worker.ts'
import { exchangeBankFiles, followBankFiles, writeChecksStep } from '../../src/operation/scheduler/bank-file-work.ts'
import { doDueWork } from '../../src/operation/scheduler/due-work.ts'
import { achHooks, legHandlers, orderHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { applyOutbox } from '../../src/operation/scheduler/outbox-work.ts'
import { followUserStatus } from '../../src/operation/scheduler/user-status-work.ts'
import { readStatementChecks } from '../../src/payments/check/paid/statement-check-worker.ts'
import { readPaidChecks } from '../../src/payments/check/printing/print-worker.ts'
import { readMail } from '../../src/payments/mailbox/mailbox-worker.ts'
import { matchRecipients } from '../../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../../src/payments/recipient/recipient-worker.ts'
import { type CrashPoint, crashing, isCrash, withoutPlatform } from '../support/crash.ts'
import { notePayouts, payInTurn } from './actors/processors.ts'
import { databaseFails, drawFault } from './actors/requests.ts'
import { seeNewFiles, unreadFiles } from './exchange.ts'
import { count, keep, type Platform, type Returned, type World } from './world.ts'

// The background work of the service, one pass at a time, and the deaths of its process.

type Pass = (deps: Deps, world: World) => Promise<unknown>

/** The passes in the order of a quiet service, each with how often it is a part of all work: some seldom have anything to do. */
const passes: Record<string, readonly [share: number, run: Pass]> = {
  'apply outbox': [1, applyOutbox],
  'read bank files': [0.8, (deps) => readAchFiles(deps, achHooks)],
  'read paid checks': [0.4, (deps) => readPaidChecks(deps, legHandlers)],
  'read mail': [0.3, readMail],
  'read statements': [0.2, readBankStatements],
  'match statements': [0.2, (deps) => matchBankStatements(deps, { legHandlers })],
  'read checks of statements': [0.3, (deps) => readStatementChecks(deps, legHandlers)],
  'follow users': [0.6, followUserStatus],
  'match recipients': [0.6, matchRecipients],
  'invite recipients': [0.4, (deps, { service }) => inviteRecipients(deps, service.baseUrl)],
  'exchange files': [0.7, exchangeBankFiles],
  'follow files': [0.8, followBankFiles],
  'due work': [0.9, doDueWork],
  'all due work': [0, doAllDueWork],
  'write bank files': [0.8, (deps) => writeAchFiles(deps, achHooks)],
  'write check files': [0.5, (deps) => writeChecksStep.run(deps, undefined)],
  'write orders': [0.7, (deps) => writeOrders(deps, orderHooks)],
  'read answers to orders': [0.7, (deps) => readAnswers(deps, legHandlers)],
  'pay by processors': [0.7, payInTurn],
  'seal audit entries': [0.2, sealAuditEntries],
}
const NAMES = Object.keys(passes) as [string, ...string[]]

/** The passes of one round of work, in the order of the seed. */
const drawPasses = (world: World): string[] =>
  shuffled(world, NAMES).filter((name) => world.dice.chance(passes[name]?.[0] as number))

/** One pass, whichever comes next. */
export async function workOnce(world: World): Promise<string> {
  const name = world.dice.one(NAMES)
  await pass(world, name, world.deps)
  return name
}

/** A round of all work, in the order of the seed. */
export async function workAll(world: World): Promise<void> {
  for (const name of drawPasses(world)) await pass(world, name, world.deps)
}

/** All passes until the process dies, and perhaps until the connection is lost at a commit that happens. */
export async function crash(world: World): Promise<string> {
  const { dice } = world
  const death = dice.one(['before_commit', 'after_commit', 'after_commit', 'between', 'between', 'between'] as const)
  const point: CrashPoint = death === 'between' ? { afterStatements: dice.between(0, 60) } : death
  // The failures of a process that died are no failures of a step. A process can die after each start.
  const diesAgain = dice.chance(0.5)
  const died: string[] = []
  let dying = crashing(world.service.deps, point)
  for (const name of drawPasses(world)) {
    try {
      await pass(world, name, dying)
    } catch (error) {
      if (!isCrash(error)) throw error
      died.push(name)
      if (!diesAgain) break
      dying = crashing(world.service.deps, point)
    }
  }
  return `${died.join(', ') || 'survived'}, ${JSON.stringify(point)}`
}

/** A round of work while nothing can be written into outbound/, as when its disk is full. */
export async function loseFolder(world: World): Promise<string> {
  const { service } = world
  const outbound = join(service.folder, 'outbound')
  await rename(outbound, `${outbound}.lost`)
  await writeFile(outbound, '')
  const failed: string[] = []
  for (const name of drawPasses(world)) {
    try {
      await passes[name]?.[1](service.deps, world)
    } catch (error) {
      if (!(error instanceof StartProblem || 'code' in (error as Error))) throw error
      failed.push(name)
    }
  }
  await rm(outbound)
  await rename(`${outbound}.lost`, outbound)
  await seeNewFiles(world)
  notePayouts(world)
  await noticeReadFiles(world)
  return `without ${failed.join(', ') || 'any failure'}`
}

/** One pass, most often that between platforms, whose process dies after its first commit. */
export const dieAfterCommit = (world: World): Promise<string> =>
  dieIn(world, world.dice.chance(0.5) ? 'apply outbox' : world.dice.one(NAMES))

/** A pass whose process dies after its first commit. */
export async function dieIn(world: World, name: string): Promise<string> {
  try {
    await pass(world, name, crashing(world.service.deps, 'after_commit'))
    return `${name} survived`
  } catch (error) {
    if (!isCrash(error)) throw error
    return `${name} died`
  }
}

/** All passes while the database loses the connection or has no space, in a process that lives on. */
export async function loseDatabase(world: World): Promise<string> {
  const { dice, service } = world
  const { point, failureOf = databaseFails('CONNECTION_CLOSED') } = drawFault(dice, 60)
  const failing = crashing(service.deps, point, failureOf)
  for (const name of drawPasses(world)) {
    try {
      await pass(world, name, failing)
    } catch (error) {
      if (!('code' in (error as Error))) throw error
      return `${name}, ${JSON.stringify(point)}`
    }
  }
  return 'survived'
}

/** All passes while every statement about one platform fails: the work of the other one goes on. */
export async function failPlatform(world: World): Promise<string> {
  const { id, email } = world.dice.pick(world.platforms) as Platform
  const own = failingFor(world.service.deps, id)
  for (const name of drawPasses(world)) {
    await pass(world, name, own).catch((error: Error) =>
      keep('a failure of one platform stops no other', [`${name}: ${error.stack}`]),
    )
  }
  return `platform ${world.platforms.findIndex((one) => one.email === email)}`
}

/** Services in which one platform fails. */
const failing = new WeakSet<Deps>()

function failingFor(deps: Deps, platformId: string): Deps {
  const own = withoutPlatform(deps, platformId)
  failing.add(own)
  return own
}

/** To the next cut-off of the bank. */
export function passToWindow({ clock }: World): void {
  const window = nextAchWindow(new Date(clock.now().getTime() + 1))
  clock.advance((window.getTime() - clock.now().getTime()) / 1000)
}

/** Sends every webhook that is due once. On a very busy machine an answer can come too late: then the user is told again. */
export async function deliverWebhooks({ deps, service, receiver, nonces }: World): Promise<string> {
  await service.deliverWebhooks(nonces)
  const problems = [...receiver.problems]
  for (const { event, takenAt, problem } of receiver.repeated.splice(0)) {
    const late = await deps.sql`
      select from delivery_attempts where event_id = ${event} and number = ${takenAt} and outcome = 'timed_out'
    `
    if (late.length === 0) problems.push(problem)
  }
  keep('each change is told once and in order', problems)
  return 'delivered'
}

/** One pass fails for one platform, again and again, until somebody repairs it. The work of the other platform goes on. */
export async function breakPass(world: World): Promise<string> {
  if (world.broken) {
    world.broken = null
    return 'repaired'
  }
  world.broken = { pass: world.dice.one(NAMES), platformId: (world.dice.pick(world.platforms) as Platform).id }
  count(world, `broken: ${world.broken.pass}`)
  return world.broken.pass
}

/** Does one batch after the other, as the service does. A batch ends where work of another kind was due in between. */
async function doAllDueWork(deps: Deps): Promise<void> {
  while ((await doDueWork(deps)) > 0);
}

/** The passes that lead to files for the bank. */
export const outwards: readonly string[] = [
  'apply outbox',
  'all due work',
  'write bank files',
  'write check files',
  'write orders',
  'pay by processors',
  'exchange files',
]

/** The passes that follow answers of the bank. */
export const inwards: readonly string[] = [
  'exchange files',
  'read bank files',
  'read paid checks',
  'read answers to orders',
  'pay by processors',
  'follow files',
  'all due work',
  'apply outbox',
]

/** The other passes. While a world comes to rest, they seldom have work. */
export const others: readonly string[] = NAMES.filter((name) => ![...outwards, ...inwards].includes(name))

/** Does some passes, also those which failed a moment ago, or always. */
export async function workAtOnce(world: World, names: readonly string[]): Promise<void> {
  const { deps, broken } = world
  world.deps = { ...deps, failures: createFailures() }
  world.broken = null
  for (const name of names) await pass(world, name, world.deps)
  world.deps = deps
  world.broken = broken
}

async function pass(world: World, name: string, deps: Deps): Promise<void> {
  const { broken, service } = world
  const own = broken?.pass === name && deps === world.deps ? failingFor(service.deps, broken.platformId) : deps
  const before = failing.has(own) ? unreadFiles(world) : []
  try {
    await passes[name]?.[1](own, world)
  } finally {
    notePayouts(world)
    await seeNewFiles(world)
    await noticeReadFiles(world)
    const after = new Set(before.length > 0 ? unreadFiles(world) : [])
    for (const file of before) if (!after.has(file)) world.readInPart.add(file)
  }
}

/** A file that is not in inbound/ any more was read. */
async function noticeReadFiles(world: World): Promise<void> {
  for (const correction of await appliedCorrections(world)) correction.readAt = world.clock.now()
  if (world.returnsIn.size === 0) return
  const unread = unreadFiles(world)
  for (const [name, entries] of world.returnsIn) {
    if (unread.includes(name)) continue
    world.returnsIn.delete(name)
    noteRead(world, entries)
  }
}

/**
 * Returns the corrections that were applied since the last time. One whose file was read may still be in a message to the platform of the
 * account, or wait for the payment of its entry after a restore.
 */
async function appliedCorrections(world: World): Promise<{ readAt: Date | null }[]> {
  const { sql } = world.deps
  const unnoticed = [...world.corrected.values()].filter(({ readAt }) => readAt === null)
  if (unnoticed.length === 0 || (await sql`select from outbox limit 1`).length > 0) return []
  const cases = await sql<{ fileName: string }[]>`
    select file_name from bank_cases where kind = 'correction_unread' and closed_at is null
  `
  const waiting = [...unreadFiles(world), ...cases.map(({ fileName }) => fileName)]
  return unnoticed.filter(({ file }) => !waiting.includes(file))
}

/** The service has read or applied returns. */
export function noteRead({ books, clock }: World, entries: readonly Pick<Returned, 'file' | 'trace'>[]): void {
  for (const { file, trace } of entries) {
    const entry = books.entryOf(file, trace)
    if (entry) entry.returnReadAt ??= clock.now()
  }
}

export const shuffled = <One>({ dice }: World, list: readonly One[]): One[] =>
  list
    .map((one) => ({ one, at: dice.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one)
