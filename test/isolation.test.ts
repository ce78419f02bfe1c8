import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { Deps } from '../src/db/deps.ts'
import { createFailures } from '../src/db/isolation.ts'
import type { Fragment } from '../src/db/skipped.ts'
import { advanceClocks, doDueWork } from '../src/due-work.ts'
import type { BackgroundStep } from '../src/lib/background-steps.ts'
import { createLog } from '../src/lib/log.ts'
import { createMetrics } from '../src/metrics.ts'
import { inviteRecipients } from '../src/recipient/recipient-worker.ts'
import { fakeClock } from './support/clock.ts'
import { breakRows, readableLog } from './support/isolation.ts'
import { newEmail } from './support/login.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'

// One platform never stops another: each background step fails for one platform, and serves the others.

const DAY = 24 * 3_600

const realClock = fakeClock(new Date().toISOString())
const metrics = createMetrics(createLog('silent'))
const service = await startTestService({ after }, { realClock, metrics: { metrics, verifyLedgerEveryMs: null } })
const { sql } = service.deps

type Platform = Awaited<ReturnType<typeof newPlatform>>

async function newPlatform() {
  const { id, api: owner } = await service.newOwner()
  const [sender, recipient] = [await service.newUser(undefined, owner), await service.newUser(undefined, owner)]
  await addVerifiedBank(sender)
  return { id, owner, sender, recipient, account: await addBank(recipient) }
}

/** What a process of its own remembers of failures, and its log. */
function newProcess() {
  const log = readableLog(service.deps.log)
  const deps: Deps = { ...service.deps, failures: createFailures(), log }
  return { deps, log }
}

async function sampleOf(name: string, step: string): Promise<number> {
  const line = (await metrics.text())
    .split('\n')
    .find((one) => one.startsWith(`remit_${name}{`) && one.includes(`step="${step}"`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

/** Something for a step to do on a platform. */
type Work = {
  /** Makes it fail. @returns what repairs it */
  break(): Promise<() => Promise<unknown>>
  isDone(): Promise<boolean>
}

type Case = {
  arrange(platform: Platform): Promise<Work>
  /** Once, when every platform has its work. */
  begin?(): Promise<void> | void
  pass(deps: Deps): Promise<unknown>
}

const statusOf = async ({ sender }: Platform, id: string): Promise<string> =>
  (await sender.get(`/v3/check/${id}`)).body.status

const hasRow = async (table: Fragment, condition: Fragment): Promise<boolean> =>
  (await sql`select 1 from ${table} where ${condition} limit 1`).length > 0

/** A payment of which a leg falls due within a day. */
const sendToAccount = ({ sender, recipient, account }: Platform) =>
  sendPayment(sender, { recipient: { id: recipient.userId, account } })

const cases: Partial<Record<BackgroundStep, Case>> = {
  'do what is due': {
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: () => breakRows(sql, { table: 'legs', value: platform.id }),
        isDone: async () => (await statusOf(platform, id)) === 'PAID',
      }
    },
    begin: () => service.clock.advance(20 * DAY),
    pass: async (deps) => {
      while ((await doDueWork(deps)) > 0);
    },
  },
  'advance clocks': {
    arrange: async ({ id, owner }) => {
      await owner.put('/v3/sandbox/clock', { advance: 'P1D' })
      return {
        break: () => breakRows(sql, { table: 'platform_clocks', value: id }),
        isDone: async () => (await owner.get('/v3/sandbox/clock')).body.status === 'ready',
      }
    },
    pass: advanceClocks,
  },
  'invite recipients': {
    arrange: async ({ id, sender }) => {
      const email = newEmail()
      await sendPayment(sender, { recipient: email })
      return {
        break: () => breakRows(sql, { table: 'recipient_links', value: id }),
        isDone: () => hasRow(sql`mails`, sql`recipient = ${email}`),
      }
    },
    pass: (deps) => inviteRecipients(deps, service.baseUrl),
  },
}

suite('a step that fails for one platform', () => {
  for (const [name, { arrange, begin, pass }] of Object.entries(cases)) {
    const step = name as BackgroundStep
    test(`${step}: serves the others, reports it, and serves that one when it is repaired`, async () => {
      const platforms = [await newPlatform(), await newPlatform(), await newPlatform()]
      const works = []
      for (const platform of platforms) works.push(await arrange(platform))
      const [, broken] = works as [Work, Work, Work]
      const { deps, log } = newProcess()
      const failuresBefore = await sampleOf('step_failures_total', step)
      const repair = await broken.break()
      await begin?.()
      for (let passes = 0; passes < 3; passes++) await pass(deps)
      const done = await Promise.all(works.map((work) => work.isDone()))
      assert.deepEqual(done, [true, false, true], JSON.stringify(log.lines))
      assert.ok((await sampleOf('step_failures_total', step)) > failuresBefore)
      assert.equal(await sampleOf('step_failing_platforms', step), 1)
      const [line, ...others] = log.lines.filter(({ level }) => level === 'error')
      assert.deepEqual(others, [])
      assert.deepEqual([line?.step, line?.platform], [step, platforms[1]?.id])
      assert.equal(line?.message, 'background work for a platform failed')

      await repair()
      await pass(deps)
      assert.equal(await broken.isDone(), false, 'not before its back-off ends')
      realClock.advance(1)
      await pass(deps)
      assert.equal(await broken.isDone(), true)
      assert.equal(await sampleOf('step_failing_platforms', step), 0)
    })
  }
})

/** Puts copies of the legs of a platform on other platforms, due earlier: of payments that are not there. */
async function copyLegs(from: string, to: 'one platform' | 'many platforms', count: number): Promise<void> {
  const platformId = to === 'many platforms' ? sql`gen_random_uuid()` : sql`md5(${from}::text)::uuid`
  await sql`
    insert into legs (
      platform_id, id, purpose, subject_id, user_id, rail, direction, cents, status, next_event, next_at, created_at
    )
    select
      ${platformId}, gen_random_uuid(), purpose, subject_id, user_id, rail, direction, cents, status, next_event,
      next_at - make_interval(secs => copy), created_at
    from legs, generate_series(1, ${count}::integer) copy
    where platform_id = ${from}
  `
}

suite('due work', () => {
  test('is found behind hundreds of platforms whose work fails', async () => {
    const [one, other] = [await newPlatform(), await newPlatform()]
    const { id: broken } = await sendToAccount(one)
    const { id } = await sendToAccount(other)
    await copyLegs(one.id, 'many platforms', 260)
    const repair = await breakRows(sql, { table: 'legs', column: 'subject_id', value: broken })
    service.clock.advance(20 * DAY)
    const { deps } = newProcess()
    for (let passes = 0; passes < 20; passes++) await doDueWork(deps)
    assert.equal(await statusOf(other, id), 'PAID')
    assert.equal(await sampleOf('step_failing_platforms', 'do what is due'), 261)
    await repair()
    await sql`delete from legs where subject_id = ${broken}`
  })

  test('goes on beside an item that fails, which is tried less and less often', async () => {
    const platform = await newPlatform()
    const [{ id: broken }, { id }] = [await sendToAccount(platform), await sendToAccount(platform)]
    const repair = await breakRows(sql, { table: 'legs', column: 'subject_id', value: broken })
    service.clock.advance(20 * DAY)
    const { deps, log } = newProcess()
    const failures = () => sampleOf('step_failures_total', 'do what is due')
    const triedAt: number[] = []
    for (let second = 0; second < 20; second++) {
      const before = await failures()
      while ((await doDueWork(deps)) > 0);
      if ((await failures()) > before) triedAt.push(second)
      realClock.advance(1)
    }
    assert.deepEqual([await statusOf(platform, id), await statusOf(platform, broken)], ['PAID', 'IN_PROCESS'])
    assert.deepEqual(triedAt, [0, 1, 3, 7, 15])
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1, 'the same failure is told once')
    await repair()
    realClock.advance(300)
    while ((await doDueWork(deps)) > 0);
    assert.equal(await statusOf(platform, broken), 'PAID')
  })

  test('has its turn on each platform, however much is due on one', async () => {
    const quiet = await newPlatform()
    const { id } = await sendToAccount(quiet)
    await copyLegs(quiet.id, 'one platform', 1_000)
    service.clock.advance(20 * DAY)
    const { deps } = newProcess()
    for (let passes = 0; passes < 20; passes++) await doDueWork(deps)
    assert.equal(await statusOf(quiet, id), 'PAID')
  })
})

suite('invitations', () => {
  test('go out beside a payment for which there can be no link', async () => {
    const { id: platformId, sender } = await newPlatform()
    const emails = [newEmail(), newEmail(), newEmail()]
    const ids: string[] = []
    for (const recipient of emails) ids.push((await sendPayment(sender, { recipient })).id)
    // As payments of a clock in the year 9999 were: PostgreSQL refuses the date that the link gets.
    await sql`update payments set expires_at = '10000-03-30 12:00' where id = ${ids[0] as string}`
    const { deps, log } = newProcess()
    while ((await inviteRecipients(deps, service.baseUrl)) > 0);
    const told = await Promise.all(emails.map((email) => hasRow(sql`mails`, sql`recipient = ${email}`)))
    assert.deepEqual(told, [false, true, true])
    const [line] = log.lines.filter(({ level }) => level === 'error')
    assert.deepEqual([line?.platform, line?.kind, line?.id], [platformId, 'invitation', ids[0]])
    await sql`update payments set invitation = null where id = ${ids[0] as string}`
  })
})
