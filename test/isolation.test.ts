import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { after, suite, type TestContext, test } from 'node:test'
import { makeExchangeFolders } from '../src/connections/exchange/exchange-folder-actions.ts'
import { sealAuditEntries } from '../src/foundation/audit/audit-worker.ts'
import { STATEMENT_NAMES } from '../src/foundation/core/connections.ts'
import { publishedOwner } from '../src/foundation/core/demo-rules.ts'
import { connect } from '../src/foundation/db/connect.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import type { Fragment } from '../src/foundation/db/skipped.ts'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { type NewBankCase, recordBankCase } from '../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../src/foundation/lib/banking-day.ts'
import { lowestIdOf } from '../src/foundation/lib/ids.ts'
import { createLog } from '../src/foundation/lib/log.ts'
import { emailHash } from '../src/foundation/lib/text/email.ts'
import { sendMail } from '../src/foundation/mail/mail-actions.ts'
import { MAIL_DELAYS_SECONDS } from '../src/foundation/mail/mail-rules.ts'
import { createMailer, sendDueMails } from '../src/foundation/mail/mail-worker.ts'
import { readAchFiles, writeAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { readAnswers, writeOrders } from '../src/money/iso20022/order/order-worker.ts'
import { createLedgerCheck } from '../src/money/ledger/ledger-worker.ts'
import { payByProcessors } from '../src/money/payout/payout-worker.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { createNumberStep } from '../src/money/wallet/wallet-number-worker.ts'
import { backgroundSteps } from '../src/operation/app/background-steps.ts'
import { createMetrics } from '../src/operation/app/metrics.ts'
import { readDueSearchTerms } from '../src/operation/overview/search-worker.ts'
import { resetDemoWhenDue } from '../src/operation/sandbox/demo-worker.ts'
import { exchangeBankFiles, followBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { advanceClocks, doDueWork } from '../src/operation/scheduler/due-work.ts'
import { achHooks, legHandlers, orderHooks, payoutHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { applyOutbox } from '../src/operation/scheduler/outbox-work.ts'
import { sweep, type sweeps } from '../src/operation/scheduler/sweep-table.ts'
import { followUserStatus } from '../src/operation/scheduler/user-status-work.ts'
import { mailInvoices } from '../src/orders/payer/payer-worker.ts'
import { readStatementChecks } from '../src/payments/check/paid/statement-check-worker.ts'
import { printChecks } from '../src/payments/check/printing/print-file-actions.ts'
import { readPaidChecks, writeCheckFiles } from '../src/payments/check/printing/print-worker.ts'
import { readMail } from '../src/payments/mailbox/mailbox-worker.ts'
import { refreshDueTotals } from '../src/payments/payment/totals/totals-worker.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import {
  createCourier,
  endCourier,
  renewSessionLeases,
  startDueWebhooks,
} from '../src/webhook/delivery/webhook-worker.ts'
import { failDeliveriesOfClosedEndpoints } from '../src/webhook/endpoint/webhook-health-worker.ts'
import { createEventSweep } from '../src/webhook/history/history-worker.ts'
import { sweepListeners } from '../src/webhook/listener/listener-worker.ts'
import {
  achFolder,
  bankFile,
  connection,
  connectionsOf,
  exchange,
  fileSettings,
  putInbound,
  upload,
} from './support/ach.ts'
import { adapterConnection, startScriptedAdapter } from './support/adapter.ts'
import { fakeClock } from './support/clock.ts'
import { isoContract } from './support/iso-contract.ts'
import { breakRows, readableLog } from './support/isolation.ts'
import { lockRow } from './support/locks.ts'
import { newEmail } from './support/login.ts'
import { startMailServer } from './support/mail-server.ts'
import { balanceOf, newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { insertRow } from './support/rows.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import { bai2Lines } from './support/statement-files.ts'
import { attemptsOf, deliveryStatuses, setWebhook } from './support/webhooks.ts'

// A background step that fails for one platform still serves the others.

const DAY = 24 * 3_600

const realClock = fakeClock(new Date().toISOString())
const metrics = createMetrics(createLog('silent'))
const measured = { realClock, metrics: { metrics, verifyLedgerEveryMs: null } }
const service = await startTestService({ after }, measured)
const { ownerSql: sql } = service

type Platform = Awaited<ReturnType<typeof newPlatform>>

async function newPlatform() {
  const { id, api: owner } = await service.newOwner()
  const [sender, recipient] = [await service.newUser(undefined, owner), await service.newUser(undefined, owner)]
  await addVerifiedBank(sender)
  return { id, owner, sender, recipient, account: await addBank(recipient) }
}

/** The failures and the log of a separate process. */
function newProcess(of: Deps = service.deps) {
  const log = readableLog(of.log)
  const deps: Deps = { ...of, failures: createFailures(), log }
  return { deps, log }
}

async function sampleOf(name: string, step: string): Promise<number> {
  const lines = (await metrics.text()).split('\n')
  const found = lines.filter((line) => line.startsWith(`remit_${name}{`) && line.includes(`step="${step}"`))
  return found.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
}

/** Work for a step on a platform. */
type Work = {
  /** The unit that fails, as named in the log. The default is the platform. */
  id?: string
  /** Makes the work fail. @returns a function that repairs it */
  break(): Promise<() => Promise<unknown>>
  isDone(): Promise<boolean>
}

type Case = {
  step: string
  what?: string
  arrange(platform: Platform): Promise<Work>
  /** Runs once, after every platform has its work. */
  begin?(): Promise<void> | void
  /** The time of the next try, if the step does not set it. */
  retrySeconds?: number
  /** Runs the step in a process until it finds no work. */
  start(deps: Deps): () => Promise<number>
}

const statusOf = async ({ sender }: Platform, id: string): Promise<string> =>
  (await sender.get(`/v3/check/${id}`)).body.status

const hasRow = async (table: Fragment, condition: Fragment): Promise<boolean> =>
  (await sql`select 1 from ${table} where ${condition} limit 1`).length > 0

/** A payment with a leg that falls due within a day. */
const sendToAccount = ({ sender, recipient, account }: Platform) =>
  sendPayment(sender, { recipient: { id: recipient.userId, account } })

type Row = { table: string; key: string; values: Record<string, string | number | boolean | Date | Buffer | string[]> }

/** A row that a step deletes or marks as removed. */
async function newOldRow({ table, key, values }: Row): Promise<Work> {
  await insertRow(sql, table, values)
  const isOfPlatform = 'platform_id' in values
  const value = values[key] as string | Buffer
  const id = typeof value === 'string' ? value : value.toString('hex')
  return {
    ...(!isOfPlatform && { id }),
    break: () =>
      isOfPlatform
        ? breakRows(sql, { table, value: values.platform_id as string })
        : breakRows(sql, { table, column: key, value: typeof value === 'string' ? value : `\\x${id}` }),
    isDone: async () => {
      const removed = table === 'endpoints' && values.kind === 'listener' ? sql`and removed_at is null` : sql``
      return !(await hasRow(sql`${sql(table)}`, sql`${sql(key)} = ${value} ${removed}`))
    },
  }
}

const sweepCase = (step: keyof typeof sweeps, row: (platformId: string) => Row, what?: string): Case => ({
  step,
  ...(what && { what }),
  arrange: ({ id }) => newOldRow(row(id)),
  start: (deps) => () => sweep(deps, step),
})

const longAgo = new Date(realClock.now().getTime() - 400 * DAY * 1000)
const longAgoOnClock = new Date(service.clock.now().getTime() - 400 * DAY * 1000)
const newHash = () => randomBytes(32)
const newId = () => randomBytes(16).toString('hex')

const newEndpoint = (platformId: string, more: Row['values']): Row => ({
  table: 'endpoints',
  key: 'id',
  values: {
    platform_id: platformId,
    id: newId(),
    user_id: platformId,
    url: 'https://example.com/hook',
    created_at: longAgo,
    ...more,
  },
})

const mailServer = await startMailServer({ after })
const mailer = createMailer({ url: mailServer.url, from: 'remit@example.com', allowsPlaintext: true })
after(() => mailer.close())

async function newMail(): Promise<{ id: string; isSent(): Promise<boolean> }> {
  const to = newEmail()
  const settings = {
    ...service.deps.settings,
    mailServer: { url: mailServer.url, from: 'remit@example.com', allowsPlaintext: true },
  }
  await inTransaction({ ...service.deps, settings }, (tx) => sendMail(tx, { to, subject: 'x', text: 'x' }))
  const [row] = await sql<{ id: string }[]>`select id from mails where recipient = ${to}`
  return {
    id: row?.id as string,
    isSent: async () => mailServer.messages.some((message) => message.to.includes(to)),
  }
}

const receiver = await startReceiver({ after })

/** An event for an endpoint of a platform. */
async function newDelivery({ sender }: Platform) {
  await setWebhook(sender, receiver.url)
  await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
  const [row] = await sql<{ id: string }[]>`select id from endpoints where user_id = ${sender.id}`
  return {
    id: row?.id as string,
    isDone: async () => (await deliveryStatuses(sql, sender.id)).every((status) => status === 'DELIVERED'),
  }
}

function startDelivering(deps: Deps): () => Promise<number> {
  const courier = createCourier(`courier ${++courierCount}`, deps.settings)
  after(() => endCourier(courier))
  return async () => {
    const count = await startDueWebhooks(deps, courier)
    await Promise.all(courier.sessions)
    return count
  }
}

let courierCount = 0

const cases: Case[] = [
  {
    step: 'deliver webhooks',
    what: 'whose signing key cannot be opened',
    arrange: async (platform) => ({
      ...(await newDelivery(platform)),
      break: async () => {
        const { id } = platform.sender
        const [row] = await sql<{ key: Buffer }[]>`select webhook_key_sealed as key from users where id = ${id}`
        await sql`update users set webhook_key_sealed = ${newHash()} where id = ${id}`
        return () => sql`update users set webhook_key_sealed = ${row?.key as Buffer} where id = ${id}`
      },
    }),
    start: startDelivering,
  },
  {
    step: 'deliver webhooks',
    what: 'of an endpoint that cannot be leased',
    arrange: async (platform) => ({
      ...(await newDelivery(platform)),
      break: () => breakRows(sql, { table: 'endpoints', value: platform.id }),
    }),
    start: startDelivering,
  },
  {
    step: 'deliver webhooks',
    what: 'that cannot be recorded',
    arrange: async (platform) => ({
      ...(await newDelivery(platform)),
      break: () => breakRows(sql, { table: 'delivery_attempts', value: platform.id }),
    }),
    start: startDelivering,
  },
  {
    step: 'run due work',
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: () => breakRows(sql, { table: 'legs', value: platform.id }),
        isDone: async () => (await statusOf(platform, id)) === 'PAID',
      }
    },
    begin: () => service.clock.advance(20 * DAY),
    start: (deps) => () => doDueWork(deps),
  },
  {
    step: 'advance clocks',
    arrange: async ({ id, owner }) => {
      await owner.put('/v3/sandbox/clock', { advance: 'P1D' })
      return {
        break: () => breakRows(sql, { table: 'platform_clocks', value: id }),
        isDone: async () => (await owner.get('/v3/sandbox/clock')).body.status === 'ready',
      }
    },
    start: (deps) => () => advanceClocks(deps),
  },
  {
    step: 'invite recipients',
    arrange: async ({ id, sender }) => {
      const email = newEmail()
      await sendPayment(sender, { recipient: email })
      return {
        break: () => breakRows(sql, { table: 'recipient_links', value: id }),
        isDone: () => hasRow(sql`mails`, sql`recipient = ${email}`),
      }
    },
    start: (deps) => () => inviteRecipients(deps, service.baseUrl),
  },
  {
    step: 'mail invoices',
    arrange: async ({ id, recipient: sender }) => {
      const email = newEmail()
      await sender.post('/v3/invoice', { amount: 10, name: 'Outside', recipient: email, description: 'Work' })
      return {
        break: () => breakRows(sql, { table: 'invoice_links', value: id }),
        isDone: () => hasRow(sql`mails`, sql`recipient = ${email}`),
      }
    },
    start: (deps) => () => mailInvoices(deps, service.baseUrl),
  },
  {
    step: 'match recipients',
    arrange: async ({ id, sender }) => {
      const email = newEmail()
      const { id: payment } = await sendPayment(sender, { recipient: email })
      while ((await inviteRecipients(service.deps, service.baseUrl)) > 0);
      const account = await service.newOwner()
      await sql`update receiving_addresses set email_hash = ${emailHash(email)} where platform_id = ${account.id}`
      return {
        break: () => breakRows(sql, { table: 'payments', value: id }),
        isDone: () => hasRow(sql`payments`, sql`id = ${payment} and recipient_id = ${account.id}`),
      }
    },
    start: (deps) => () => matchRecipients(deps),
  },
  {
    step: 'send mail',
    what: 'that cannot be opened',
    arrange: async () => {
      const { id, isSent } = await newMail()
      return {
        id,
        break: async () => {
          const [row] = await sql<{ contentSealed: Buffer }[]>`select content_sealed from mails where id = ${id}`
          const sealed = row?.contentSealed as Buffer
          await sql`update mails set content_sealed = ${newHash()} where id = ${id}`
          return () => sql`update mails set content_sealed = ${sealed} where id = ${id}`
        },
        isDone: isSent,
      }
    },
    start: (deps) => () => sendDueMails(deps, mailer),
    retrySeconds: MAIL_DELAYS_SECONDS[0] as number,
  },
  {
    step: 'send mail',
    what: 'that cannot be claimed',
    arrange: async () => {
      const { id, isSent } = await newMail()
      return { id, break: () => breakRows(sql, { table: 'mails', column: 'id', value: id }), isDone: isSent }
    },
    start: (deps) => () => sendDueMails(deps, mailer),
  },
  {
    step: 'send mail',
    what: 'that is late',
    arrange: async () => {
      const { id } = await newMail()
      await sql`update mails set created_at = ${longAgo}, next_attempt_at = ${longAgo} where id = ${id}`
      return {
        id,
        break: () => breakRows(sql, { table: 'mails', column: 'id', value: id }),
        isDone: () => hasRow(sql`mails`, sql`id = ${id} and status = 'FAILED'`),
      }
    },
    start: (deps) => () => sendDueMails(deps, mailer),
  },
  {
    step: 'seal audit entries',
    arrange: async ({ id: platformId, owner }) => {
      await owner.post('/v3/user/api_key', {})
      return {
        break: () => breakRows(sql, { table: 'audit_unsealed', value: platformId }),
        isDone: async () => !(await hasRow(sql`audit_unsealed`, sql`platform_id = ${platformId}`)),
      }
    },
    start: (deps) => () => sealAuditEntries(deps),
  },
  {
    step: 'count payments',
    arrange: async ({ id: platformId, owner }) => {
      await owner.get('/v3/stats?metric=volume')
      await sql`update payment_totals_progress set is_complete = false, next_at = ${longAgo} where platform_id = ${platformId}`
      return {
        break: () => breakRows(sql, { table: 'payment_totals_progress', value: platformId }),
        isDone: () => hasRow(sql`payment_totals_progress`, sql`platform_id = ${platformId} and is_complete`),
      }
    },
    start: (deps) => () => refreshDueTotals(deps),
  },
  {
    step: 'read search terms',
    arrange: async ({ id: platformId, owner }) => {
      await owner.get('/v3/search?q=a')
      await sql`update search_progress set is_complete = false, next_at = ${longAgo} where platform_id = ${platformId}`
      return {
        break: () => breakRows(sql, { table: 'search_progress', value: platformId }),
        isDone: () => hasRow(sql`search_progress`, sql`platform_id = ${platformId} and is_complete`),
      }
    },
    start: (deps) => () => readDueSearchTerms(deps),
  },
  {
    step: 'apply messages',
    arrange: async ({ id: platformId, sender }) => {
      const { email } = await service.newOwner()
      const { id } = await sendPayment(sender, { recipient: email })
      return {
        id,
        break: () => breakRows(sql, { table: 'received_payments', column: 'payment_id', value: id }),
        isDone: () => hasRow(sql`received_payments`, sql`payment_id = ${id} and sender_platform_id = ${platformId}`),
      }
    },
    start: (deps) => () => applyOutbox(deps),
  },
  {
    step: 'follow user status',
    arrange: async ({ id: platformId, sender }) => {
      const { id } = await sendPayment(sender)
      await inTransaction(service.deps, (tx) => decideUser(tx, { platformId, userId: platformId }, 'close'))
      return {
        id,
        break: () => breakRows(sql, { table: 'payments', column: 'id', value: id }),
        isDone: () => hasRow(sql`payments`, sql`id = ${id} and status = 'VOID'`),
      }
    },
    start: (deps) => () => followUserStatus(deps),
  },
  sweepCase('sweep idempotency records', (platform_id) => ({
    table: 'idempotency_records',
    key: 'key_digest',
    values: {
      platform_id,
      key_digest: newHash(),
      fingerprint: newHash(),
      status: 201,
      answer: '{}',
      created_at: longAgo,
    },
  })),
  sweepCase('sweep mail', () => ({
    table: 'mails',
    key: 'id',
    values: {
      id: newId(),
      recipient: 'old@example.com',
      content_sealed: newHash(),
      status: 'SENT',
      created_at: longAgo,
    },
  })),
  sweepCase('sweep sessions', (platform_id) => ({
    table: 'sessions',
    key: 'id',
    values: {
      platform_id,
      login_id: newId(),
      id: newId(),
      token_hash: newHash(),
      address: '127.0.0.1',
      created_at: longAgo,
      last_seen_at: longAgo,
      expires_at: longAgo,
    },
  })),
  sweepCase('sweep verifications', () => ({
    table: 'verifications',
    key: 'token_hash',
    values: {
      token_hash: newHash(),
      purpose: 'sign_up',
      email: 'old@example.com',
      code_digest: newHash(),
      created_at: longAgo,
      expires_at: longAgo,
    },
  })),
  sweepCase('sweep tries', () => ({
    table: 'tries',
    key: 'subject_digest',
    values: { subject_digest: newHash(), count: 1, allowed_at: longAgo, forgotten_at: longAgo },
  })),
  sweepCase('sweep recipient links', (platform_id) => ({
    table: 'recipient_links',
    key: 'token_hash',
    values: { platform_id, token_hash: newHash(), payment_id: newId(), sent_at: [], expires_at: longAgo },
  })),
  {
    step: 'sweep events',
    arrange: ({ id: platform_id }) =>
      newOldRow({
        table: 'events',
        key: 'id',
        values: {
          platform_id,
          id: lowestIdOf(longAgoOnClock).slice(0, 16) + newId().slice(16),
          type: 'CHECK',
          subject_id: newId(),
          body: '{}',
          created_at: longAgoOnClock,
        },
      }),
    start: (deps) => {
      const { run } = createEventSweep()
      return () => run(deps, {})
    },
  },
  sweepCase('sweep endpoints', (platformId) =>
    newEndpoint(platformId, { kind: 'webhook_uri', removed_at: longAgoOnClock }),
  ),
  {
    step: 'give up for closed endpoints',
    arrange: async ({ id: platformId }) => {
      const { values } = newEndpoint(platformId, { kind: 'webhook_uri', removed_at: service.clock.now() })
      await insertRow(sql, 'endpoints', values)
      await sql`
        insert into deliveries (platform_id, endpoint_id, event_id, subject_id, status, next_attempt_at)
        values (${platformId}, ${values.id as string}, ${newId()}, ${newId()}, 'PENDING', ${longAgo})
      `
      return {
        break: () => breakRows(sql, { table: 'deliveries', value: platformId }),
        isDone: () => hasRow(sql`deliveries`, sql`platform_id = ${platformId} and status = 'FAILED'`),
      }
    },
    start: (deps) => () => failDeliveriesOfClosedEndpoints(deps),
  },
  {
    step: 'sweep listeners',
    arrange: ({ id }) =>
      newOldRow(newEndpoint(id, { kind: 'listener', event_types: ['CHECK'], leased_until: longAgo })),
    start: (deps) => () => sweepListeners(deps),
  },
  sweepCase('sweep tokens', (platform_id) => ({
    table: 'oauth_tokens',
    key: 'token_hash',
    values: {
      platform_id,
      token_hash: newHash(),
      kind: 'AccessToken',
      grant_id: newId(),
      payload: '{}',
      expires_at: longAgo,
      kept_until: longAgo,
    },
  })),
  sweepCase(
    'sweep tokens',
    () => ({
      table: 'authorization_requests',
      key: 'uid_hash',
      values: { uid_hash: newHash(), payload_sealed: newHash(), expires_at: longAgo },
    }),
    'of authorization requests',
  ),
  sweepCase('sweep institution logins', (platform_id) => ({
    table: 'institution_logins',
    key: 'id',
    values: {
      platform_id,
      id: newId(),
      user_id: platform_id,
      institution_id: newId(),
      state_sealed: newHash(),
      expires_at: longAgo,
    },
  })),
  sweepCase(
    'sweep institution logins',
    (platform_id) => ({
      table: 'confirmed_accounts',
      key: 'id',
      values: { platform_id, id: newId(), user_id: platform_id, account_sealed: newHash(), expires_at: longAgo },
    }),
    'of confirmed accounts',
  ),
]

/** Makes a step fail for the second of three platforms, and checks that it serves the others. */
async function runCase({ step, arrange, begin, start, retrySeconds = 1 }: Case, platforms: Platform[], of: Deps) {
  const works: Work[] = []
  for (const platform of platforms) works.push(await arrange(platform))
  const [, broken] = works as [Work, Work]
  const { deps, log } = newProcess(of)
  const pass = start(deps)
  const run = async () => {
    // The worker starts another pass after one that found work.
    for (let polls = 0; polls < 3; polls++) while ((await pass()) > 0);
  }
  const failuresBefore = await sampleOf('step_failures_total', step)
  const repair = await broken.break()
  await begin?.()
  await run()
  const done = await Promise.all(works.map((work) => work.isDone()))
  assert.deepEqual(done, [true, false, true], JSON.stringify(log.lines))
  assert.ok((await sampleOf('step_failures_total', step)) > failuresBefore)
  assert.equal(await sampleOf('step_failing_platforms', step), 1)
  const [line, ...others] = log.lines.filter(({ level, step: told }) => level === 'error' && told)
  assert.deepEqual(others, [])
  const failed = broken.id ? line?.id : line?.platform
  assert.deepEqual([line?.step, failed], [step, broken.id ?? platforms[1]?.id])
  assert.equal(line?.message, 'background work failed here and continues for other platforms')

  await repair()
  await run()
  assert.equal(await broken.isDone(), false, 'not before its retry delay ends')
  realClock.advance(retrySeconds)
  await run()
  assert.equal(await broken.isDone(), true)
  assert.equal(await sampleOf('step_failing_platforms', step), 0)
}

const titleOf = ({ step, what }: Case) =>
  `${step}${what ? ` (${what})` : ''}: serves the others, reports it, and serves that one when it is repaired`

suite('a step that fails for one platform', () => {
  for (const one of cases) {
    test(titleOf(one), async () => {
      await runCase(one, [await newPlatform(), await newPlatform(), await newPlatform()], service.deps)
    })
  }
})

/** Production, with files for a bank. Each service has its own bank, because a file contains all platforms. */
async function startBank(t: TestContext) {
  const folder = await achFolder(t)
  const operatorBank = {
    companyName: 'Remit Inc.',
    bankName: 'First Bank',
    routingNumber: '091000019',
    accountNumber: '000123456789',
    fractionalRouting: '7-1/910',
    firstCheckNumber: 1001,
  }
  const settings = { ...fileSettings, stateFolder: folder }
  const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
  const numbers = { prefix: '9988', length: 12, checkDigit: 'none' } as const
  const virtualAccounts = { account: 'checks', rails: ['ACH'] as const, numbers }
  const adapter = await startScriptedAdapter(t)
  const connections = connectionsOf(
    [
      {
        ...connection({ folder, operatorBank, statements, virtualAccounts }),
        iso20022: isoContract({ account: 'checks' }),
      },
      await adapterConnection(t, { url: adapter.url }),
    ],
    { ACH: 'first', MAIL: 'first', PRINT: 'first', RTP: 'first', INTERAC: 'cards' },
  )
  const bank = await startTestService(t, { ...measured, environment: 'production', settings, connections })
  await makeExchangeFolders(folder)
  const { deps, clock } = bank
  const newBankPlatform = async (): Promise<Platform> => {
    const { id, api: owner } = await bank.newOwner()
    const [sender, recipient] = [await bank.newUser(undefined, owner), await bank.newUser(undefined, owner)]
    await addVerifiedBank(sender)
    return { id, owner, sender, recipient, account: await addBank(recipient) }
  }
  /** A wallet of the sender, with ten dollars. */
  const walletOf = async ({ id: platformId, sender }: Platform): Promise<string> => {
    const wallet: string = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id
    const [debit, credit] = ['world', `wallet:${wallet}`]
    const posting = { id: wallet, mode: 'post', debit, credit, cents: 1_000, reason: 'fund' }
    await deps.sql`select post_transfers_v1(${platformId}, ${sql.json([posting])}, null, null, ${deps.clock.now()})`
    return wallet
  }
  const toWindow = () => {
    clock.advance((nextAchWindow(new Date(clock.now().getTime() + 1)).getTime() - clock.now().getTime()) / 1000)
  }
  return {
    ...bank,
    folder,
    toWindow,
    platforms: [await newBankPlatform(), await newBankPlatform(), await newBankPlatform()],
    /** A payment to an account at Interac, from a wallet. */
    payInterac: async (platform: Platform): Promise<string> => {
      const { sender, recipient } = platform
      const account: string = (await recipient.post('/v3/account/interac', { username: 'payee@example.ca' })).body.id
      const wallet = await walletOf(platform)
      return (await sendPayment(sender, { account: wallet, recipient: { id: recipient.userId, account } })).id
    },
    /**
     * A leg whose case ends because a line books it (ended) or because the bank has sent its return (confirmed), or about whose return a case
     * opens (missing). `happen`: the line or the return arrives.
     */
    bookLeg: async (platform: Platform, what: 'ended' | 'confirmed' | 'missing') => {
      const { ownerSql } = bank
      const { id: platformId, sender, recipient, account: to } = platform
      const order = { account: await walletOf(platform), recipient: { id: recipient.userId, account: to } }
      const { id: paymentId } = await sendPayment(sender, order)
      const [found] = await ownerSql<{ id: string; userId: string }[]>`
        select id, user_id from legs where subject_id = ${paymentId}
      `
      const { id, userId } = found as { id: string; userId: string }
      const statementId = await putStatement({ ownerSql, folder, deps })
      await matchBankStatements(deps, { legHandlers })
      const [line] = await ownerSql<
        { id: string }[]
      >`select id from statement_lines where statement_id = ${statementId}`
      const lineId = line?.id as string
      const kinds = {
        ended: 'return_not_booked',
        confirmed: 'line_contradicts',
        missing: 'return_not_booked',
      } as const
      const one: NewBankCase = {
        kind: kinds[what],
        connectionId: 'first',
        source: 'statement',
        line: 0,
        isBankWide: false,
        note: 'A test.',
        leg: { platformId, id, subjectId: paymentId, purpose: 'payment_push', userId },
        file: { id: what === 'confirmed' ? lineId : id, name: 'bank statement' },
        content: { lines: [] },
      }
      if (what !== 'missing') await inTransaction(deps, (tx) => recordBankCase(tx, one))
      return {
        id,
        happen: async () => {
          await ownerSql`
            update legs
            set connection_id = 'first', status = ${what === 'ended' ? 'SENT' : 'RETURNED'}, returned_at = '2025-12-01', booked_line_id = ${lineId},
              return_line_id = ${what === 'ended' ? lineId : null}
            where id = ${id}
          `
          await ownerSql`update bank_statements set returns_compared_at = null`
          if (what !== 'confirmed') return
          await ownerSql`
            insert into line_postings (id, line_id, account, platform_id, payment_id, leg_id, part, cents, decided_by, created_at)
            values (${newId()}, ${lineId}, 'world', ${platformId}, ${paymentId}, ${id}, 'returned', 1, 'person', now())
          `
        },
        break: () => breakRows(ownerSql, { table: 'bank_cases', value: platformId }),
        isDone: async () => {
          const [row] = await ownerSql<{ closedAt: Date | null }[]>`
            select closed_at from bank_cases where leg_id = ${id} and kind = ${kinds[what]}
          `
          return what === 'missing' ? row !== undefined : row?.closedAt !== null
        },
      }
    },
    /** A real-time payment, from a wallet. */
    payByRtp: async (platform: Platform): Promise<string> => {
      const { sender, recipient, account: to } = platform
      const account = await walletOf(platform)
      const order = { account, deposit_options: ['RTP'], recipient: { id: recipient.userId, account: to } }
      return (await sendPayment(sender, order)).id
    },
    /** A check to print, paid from a wallet. */
    mailCheck: async (platform: Platform): Promise<string> => {
      const { sender } = platform
      const wallet = await walletOf(platform)
      const recipient = { line_1: '45 Navy Yard Ave', line_2: '', city: 'Arlington', state: 'VA', zip: '22201' }
      const order = { amount: 10, name: 'Grace Hopper', recipient, account: wallet }
      const { body, status, text } = await sender.post('/v3/check/physical', order)
      assert.equal(status, 201, text)
      return body.id
    },
    legStatus: async (subjectId: string) => {
      const [row] = await deps.sql<{ status: string }[]>`select status from legs where subject_id = ${subjectId}`
      return row?.status
    },
  }
}

type Bank = Awaited<ReturnType<typeof startBank>>

/** Each case breaks rows in the database of its own service. */
/** Each statement of the account is for another day. */
let statementDay = 0

const bankCases: ((bank: Bank) => Case)[] = [
  ({ ownerSql, toWindow, legStatus }) => ({
    step: 'write ACH files',
    what: 'with a leg that cannot be sent',
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: () => breakRows(ownerSql, { table: 'legs', value: platform.id }),
        isDone: async () => (await legStatus(id)) === 'SENT',
      }
    },
    begin: toWindow,
    start: (own) => () => writeAchFiles(own, achHooks),
  }),
  ({ deps, toWindow, legStatus }) => ({
    step: 'write ACH files',
    what: 'with an account number that cannot be opened',
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: async () => {
          const kept = await deps.sql<{ id: string; sealed: Buffer }[]>`
            select id, account_sealed as sealed from banks where platform_id = ${platform.id}
          `
          await deps.sql`update banks set account_sealed = ${newHash()} where platform_id = ${platform.id}`
          return async () => {
            for (const { id, sealed } of kept)
              await deps.sql`update banks set account_sealed = ${sealed} where id = ${id}`
          }
        },
        isDone: async () => (await legStatus(id)) === 'SENT',
      }
    },
    begin: toWindow,
    start: (own) => () => writeAchFiles(own, achHooks),
  }),
  ({ ownerSql, toWindow, legStatus }) => ({
    step: 'write ACH files',
    what: 'with entries that cannot be written',
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: () => breakRows(ownerSql, { table: 'ach_entries', value: platform.id }),
        isDone: async () => (await legStatus(id)) === 'SENT',
      }
    },
    begin: toWindow,
    start: (own) => () => writeAchFiles(own, achHooks),
  }),
  ({ ownerSql, folder }) => ({
    step: 'read ACH files',
    arrange: async () => {
      const id = `return-${newId()}.txt`
      await putInbound(folder, id, `no file of a bank: ${id}`)
      return {
        id: `first/${id}`,
        break: () => breakRows(ownerSql, { table: 'ach_inbound_files', column: 'name', value: id }),
        isDone: async () => !(await readdir(join(folder, 'inbound'))).includes(id),
      }
    },
    start: (own) => () => readAchFiles(own, achHooks),
  }),
  ({ deps, ownerSql, folder, toWindow }) => ({
    step: 'exchange bank files',
    arrange: async (platform) => {
      await sendToAccount(platform)
      toWindow()
      await writeAchFiles(deps, achHooks)
      const [file] = await deps.sql<{ id: string; name: string }[]>`
        select id, name from exchanges order by number desc limit 1
      `
      return {
        id: file?.id as string,
        break: () => breakRows(ownerSql, { table: 'exchanges', column: 'id', value: file?.id as string }),
        isDone: async () => (await readdir(join(folder, 'outbound'))).includes(`${file?.name}.ach`),
      }
    },
    start: (own) => () => exchangeBankFiles(own),
  }),
  ({ deps, ownerSql, folder, clock, toWindow, legStatus }) => ({
    step: 'follow bank files',
    arrange: async (platform) => {
      const { id } = await sendToAccount(platform)
      return {
        break: async () => {
          toWindow()
          await writeAchFiles(deps, achHooks)
          await exchangeBankFiles(deps)
          await upload(folder)
          await exchangeBankFiles(deps)
          clock.advance(5 * DAY)
          await exchangeBankFiles(deps)
          return breakRows(ownerSql, { table: 'legs', value: platform.id })
        },
        isDone: async () => (await legStatus(id)) !== 'SENT',
      }
    },
    start: (own) => () => followBankFiles(own),
  }),
  ...(['legs', 'iso_orders'] as const).map(
    (table) =>
      ({ ownerSql, payByRtp, legStatus }: Bank): Case => ({
        step: 'write orders',
        what: `with broken rows of ${table}`,
        arrange: async (platform) => {
          const id = await payByRtp(platform)
          return {
            break: () => breakRows(ownerSql, { table, value: platform.id }),
            isDone: async () => (await legStatus(id)) === 'SENT',
          }
        },
        start: (own) => () => writeOrders(own, orderHooks),
      }),
  ),
  ({ ownerSql, folder }) => ({
    step: 'read answers to orders',
    arrange: async () => {
      const id = `pain002-${newId()}.xml`
      await putInbound(folder, id, `no answer of a bank: ${id}`)
      return {
        id: `first/${id}`,
        break: () => breakRows(ownerSql, { table: 'bank_cases', column: 'file_name', value: id }),
        isDone: async () => !(await readdir(join(folder, 'inbound'))).includes(id),
      }
    },
    start: (own) => () => readAnswers(own, legHandlers),
  }),
  ...(['legs', 'payouts'] as const).map(
    (table) =>
      ({ deps, ownerSql, payInterac }: Bank): Case => ({
        step: 'pay by processors',
        what: `with broken rows of ${table}`,
        arrange: async (platform) => {
          const id = await payInterac(platform)
          const [leg] = await deps.sql<{ id: string }[]>`select id from legs where subject_id = ${id}`
          return {
            id: leg?.id as string,
            break: () => breakRows(ownerSql, { table, value: platform.id }),
            isDone: () => ownerSql`select from payouts where leg_id = ${leg?.id} and status = 'SUBMITTED'`.anyRow(),
          }
        },
        start: (own) => () => payByProcessors(own, payoutHooks),
      }),
  ),
  ...(['legs', 'exchange_platforms'] as const).map(
    (table) =>
      ({ ownerSql, mailCheck, legStatus }: Bank): Case => ({
        step: 'write check files',
        what: `with broken rows of ${table}`,
        arrange: async (platform) => {
          const id = await mailCheck(platform)
          return {
            break: () => breakRows(ownerSql, { table, value: platform.id }),
            isDone: async () => (await legStatus(id)) === 'SENT',
          }
        },
        start: (own) => () => writeCheckFiles(own, legHandlers),
      }),
  ),
  ({ deps, ownerSql, mailCheck }) => ({
    step: 'write check files',
    what: 'with a list that cannot name a check',
    arrange: async (platform) => {
      const id = await mailCheck(platform)
      return {
        break: async () => {
          await printChecks(deps, legHandlers, 'first')
          return breakRows(ownerSql, { table: 'paper_checks', value: platform.id })
        },
        isDone: async () => {
          const rows = await deps.sql`select from paper_checks where payment_id = ${id} and issue_file_id is not null`
          return rows.length > 0
        },
      }
    },
    start: (own) => () => writeCheckFiles(own, legHandlers),
  }),
  ({ ownerSql, folder }) => ({
    step: 'read paid checks',
    arrange: async () => {
      const id = `paid-${newId()}.csv`
      await putInbound(folder, id, `no list of checks: ${id}`)
      return {
        id: `first/${id}`,
        break: () => breakRows(ownerSql, { table: 'paid_files', column: 'name', value: id }),
        isDone: async () => !(await readdir(join(folder, 'inbound'))).includes(id),
      }
    },
    start: (own) => () => readPaidChecks(own, legHandlers),
  }),
  ({ ownerSql, folder }) => ({
    step: 'read bank statements',
    arrange: async () => {
      const id = `statement-${newId()}.bai`
      await putInbound(folder, id, `no statement: ${id}`)
      return {
        id: `first/${id}`,
        break: () => breakRows(ownerSql, { table: 'statement_files', column: 'name', value: id }),
        isDone: async () => !(await readdir(join(folder, 'inbound'))).includes(id),
      }
    },
    start: (own) => () => readBankStatements(own),
  }),
  ({ ownerSql, folder, deps }) => ({
    step: 'match bank statements',
    arrange: async () => {
      const id = await putStatement({ ownerSql, folder, deps })
      return {
        id,
        break: () => breakRows(ownerSql, { table: 'statement_lines', column: 'statement_id', value: id }),
        isDone: async () => ownerSql`select from bank_statements where id = ${id} and matched_at is not null`.anyRow(),
      }
    },
    start: (own) => () => matchBankStatements(own, { legHandlers }),
  }),
  ({ ownerSql, folder, deps, clock }) => ({
    step: 'match bank statements',
    what: 'a line that is processed again',
    // A line is processed at most once a minute.
    begin: async () => clock.advance(61),
    arrange: async ({ sender }) => {
      const { id: walletId, numbers } = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body
      const [row] = await ownerSql`delete from wallet_numbers where wallet_id = ${walletId} returning *`
      const statementId = await putStatement({ ownerSql, folder, deps }, { text: numbers.ACH.account, code: '195' })
      await matchBankStatements(deps, { legHandlers })
      // The wallet gets the number after the bank has booked the credit.
      await ownerSql`insert into wallet_numbers ${ownerSql.values({ ...row, createdAt: deps.clock.now() })}`
      const [line] = await ownerSql<
        { id: string }[]
      >`select id from statement_lines where statement_id = ${statementId}`
      const id = line?.id as string
      return {
        id,
        break: () => breakRows(ownerSql, { table: 'statement_lines', column: 'id', value: id }),
        isDone: async () => ownerSql`select from statement_lines where id = ${id} and status = 'MATCHED'`.anyRow(),
      }
    },
    start: (own) => () => matchBankStatements(own, { legHandlers }),
  }),
  ...(['ended', 'confirmed', 'missing'] as const).map((what): ((bank: Bank) => Case) => (bank) => {
    const events: (() => Promise<void>)[] = []
    return {
      step: 'match bank statements',
      what: `with a case about a movement that is ${what}`,
      arrange: async (platform) => {
        const { happen, ...work } = await bank.bookLeg(platform, what)
        events.push(happen)
        return work
      },
      begin: async () => {
        for (const happen of events) await happen()
      },
      start: (own) => () => matchBankStatements(own, { legHandlers }),
    }
  }),
  ({ ownerSql, folder, deps }) => ({
    step: 'read checks of statements',
    arrange: async () => {
      const id = await putStatement({ ownerSql, folder, deps })
      await matchBankStatements(deps, { legHandlers })
      return {
        id,
        break: () => breakRows(ownerSql, { table: 'bank_statements', column: 'id', value: id }),
        isDone: async () =>
          ownerSql`select from bank_statements where id = ${id} and checks_read_at is not null`.anyRow(),
      }
    },
    start: (own) => () => readStatementChecks(own, legHandlers),
  }),
  ({ ownerSql }) => ({
    step: 'number wallets',
    arrange: async ({ sender }) => {
      const id: string = (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id
      // The state of a wallet created before the bank had numbers.
      await ownerSql`delete from wallet_numbers where wallet_id = ${id}`
      return {
        id,
        break: () => breakRows(ownerSql, { table: 'wallet_numbers', column: 'wallet_id', value: id }),
        isDone: async () => ownerSql`select from wallet_numbers where wallet_id = ${id}`.anyRow(),
      }
    },
    start: (own) => {
      const step = createNumberStep()
      return () => step.run(own, {})
    },
  }),
  ({ ownerSql, folder }) => ({
    step: 'read mail',
    arrange: async () => {
      const id = `mail-${newId()}.json`
      await putInbound(folder, id, `no description of mail: ${id}`)
      return {
        id: `first/${id}`,
        break: () => breakRows(ownerSql, { table: 'mailbox_files', column: 'name', value: id }),
        isDone: async () => !(await readdir(join(folder, 'inbound'))).includes(id),
      }
    },
    start: (own) => () => readMail(own),
  }),
]

/** Writes the bank's statement of a day and lets the service read it. @returns its id */
async function putStatement(
  { ownerSql, folder, deps }: Pick<Bank, 'ownerSql' | 'folder' | 'deps'>,
  { text: words = '', code = '142' } = {},
): Promise<string> {
  const day = `2026-01-${String(++statementDay).padStart(2, '0')}`
  const line = { cents: 100 + statementDay, code, reference: '', text: words }
  const text = bai2Lines({ account: '000123456789', openingCents: 0, lines: [line], day }).join('\n')
  await putInbound(folder, `statement-${newId()}.bai`, text)
  await readBankStatements(deps)
  const [row] = await ownerSql<{ id: string }[]>`select id from bank_statements where day = ${day}::date`
  return row?.id as string
}

suite('a step for bank files that fails for one platform or one file', () => {
  for (const bankCase of bankCases) {
    const { step, what } = bankCase({} as Bank)
    test(titleOf({ step, what } as Case), async (t) => {
      const bank = await startBank(t)
      await runCase(bankCase(bank), bank.platforms, bank.deps)
    })
  }
})

test('a return that fails for one platform is set aside, and the other returns of its file are used', async (t) => {
  const bank = await startBank(t)
  const { deps, folder, platforms, toWindow, legStatus } = bank
  const ids: string[] = []
  for (const platform of platforms) ids.push((await sendToAccount(platform)).id)
  toWindow()
  await writeAchFiles(deps, achHooks)
  await exchange(deps)
  await upload(folder)
  await exchange(deps)
  const entries = await deps.sql<{ trace: string }[]>`
    select e.trace_number as trace
    from ach_entries e
    join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
    where l.subject_id = any (${ids})
    order by array_position(${ids}::uuid[], l.subject_id)
  `
  const returns = entries.map(({ trace }) => ({ code: 'R01', trace, direction: 'debit', cents: 1_000 }) as const)
  await putInbound(folder, 'returns.ach', bankFile(returns))
  await breakRows(bank.ownerSql, { table: 'legs', value: (platforms[1] as Platform).id })
  const { deps: own, log } = newProcess(deps)
  await readAchFiles(own, achHooks)
  const statuses = await Promise.all(ids.map(legStatus))
  assert.deepEqual(statuses, ['RETURNED', 'SENT', 'RETURNED'], JSON.stringify(log.lines))
  const [aside, ...others] = await deps.sql<{ reason: string }[]>`select reason from ach_set_aside`
  assert.deepEqual(others, [])
  assert.match(aside?.reason ?? '', /^it could not be used/)
  assert.ok(log.lines.some(({ level, platform }) => level === 'error' && platform === platforms[1]?.id))
  assert.ok((await sampleOf('step_failures_total', 'read ACH files')) > 0)
})

suite('a step that finds many items that fail', () => {
  const statements = {
    'a statement with lines': { kind: 'statement', status: 'PLACED', isMatched: false, count: 50 },
    'a statement with checks': { kind: 'statement', status: 'PLACED', isMatched: true, count: 50 },
    'a notification': { kind: 'notification', status: 'NOTED', isMatched: false, count: 20 },
  }
  for (const [what, { kind, status, isMatched, count }] of Object.entries(statements)) {
    test(`reaches ${what} behind them`, async (t) => {
      const { deps, folder, ownerSql } = await startBank(t)
      const id = await putStatement({ ownerSql, folder, deps })
      const matchedAt = isMatched ? deps.clock.now() : null
      await ownerSql`update bank_statements set kind = ${kind}, status = ${status}, matched_at = ${matchedAt}`
      await ownerSql`
        insert into bank_statements (
          id, file_id, position, place, connection_id, account_id, kind, day, line_count, status, created_at, matched_at
        )
        select
          gen_random_uuid(), file_id, position + copy, 'broken', connection_id, account_id, kind, day - copy, 1, status,
          created_at - make_interval(days => copy), matched_at
        from bank_statements, generate_series(1, ${count}::integer) copy
      `
      await breakRows(ownerSql, { table: 'bank_statements', column: 'place', value: 'broken' })
      const { deps: own } = newProcess(deps)
      for (let passes = 0; passes < 2; passes++)
        await (isMatched ? readStatementChecks(own, legHandlers) : matchBankStatements(own, { legHandlers }))
      const done = isMatched ? sql`checks_read_at` : sql`matched_at`
      assert.ok(await ownerSql`select from bank_statements where id = ${id} and ${done} is not null`.anyRow())
    })
  }

  test('reaches a wallet without a number behind them', async (t) => {
    const { ownerSql, deps, platforms } = await startBank(t)
    const [one, other] = platforms as [Platform, Platform]
    const [broken, id] = await Promise.all(
      [one, other].map(async ({ sender }) => (await sender.post('/v3/account/wallet', { name: 'Cash' })).body.id),
    )
    await ownerSql`delete from wallet_numbers`
    await ownerSql`
      insert into wallets (platform_id, id, user_id, created_at)
      select platform_id, gen_random_uuid(), user_id, created_at - make_interval(days => copy)
      from wallets, generate_series(1, 5) copy
      where id = ${broken}
    `
    const repair = await breakRows(ownerSql, { table: 'wallet_numbers', value: one.id })
    const { deps: own } = newProcess(deps)
    const step = createNumberStep(5)
    const numbered = async () => (await ownerSql`select wallet_id from wallet_numbers`).map(({ walletId }) => walletId)
    for (let passes = 0; passes < 2; passes++) await step.run(own, {})
    assert.deepEqual(await numbered(), [id])
    await repair()
    realClock.advance(10)
    while ((await step.run(own, {})) > 0);
    assert.equal((await numbered()).length, 7)
  })
})

/** Copies the legs of a platform to other platforms, due earlier and without their payments. */
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
  test('is found behind hundreds of platforms with failing work', async () => {
    const [one, other] = [await newPlatform(), await newPlatform()]
    const { id: broken } = await sendToAccount(one)
    const { id } = await sendToAccount(other)
    await copyLegs(one.id, 'many platforms', 205)
    const repair = await breakRows(sql, { table: 'legs', column: 'subject_id', value: broken })
    service.clock.advance(20 * DAY)
    const { deps } = newProcess()
    for (let passes = 0; passes < 20; passes++) await doDueWork(deps)
    assert.equal(await statusOf(other, id), 'PAID')
    assert.equal(await sampleOf('step_failing_platforms', 'run due work'), 206)
    await repair()
    await sql`delete from legs where subject_id = ${broken}`
    await sql`update payments set status = 'VOID' where id = ${broken}` // no leg moves its money now
  })

  test('continues while one item fails, which is retried with growing delays', async () => {
    const platform = await newPlatform()
    const [{ id: broken }, { id }] = [await sendToAccount(platform), await sendToAccount(platform)]
    const repair = await breakRows(sql, { table: 'legs', column: 'subject_id', value: broken })
    service.clock.advance(20 * DAY)
    const { deps, log } = newProcess()
    const failures = () => sampleOf('step_failures_total', 'run due work')
    const triedAt: number[] = []
    for (let second = 0; second < 20; second++) {
      const before = await failures()
      while ((await doDueWork(deps)) > 0);
      if ((await failures()) > before) triedAt.push(second)
      realClock.advance(1)
    }
    assert.deepEqual([await statusOf(platform, id), await statusOf(platform, broken)], ['PAID', 'IN_PROCESS'])
    assert.deepEqual(triedAt, [0, 1, 3, 7, 15])
    assert.equal(log.lines.filter(({ level }) => level === 'error').length, 1, 'a repeated failure is reported once')
    await repair()
    realClock.advance(300)
    while ((await doDueWork(deps)) > 0);
    assert.equal(await statusOf(platform, broken), 'PAID')
  })

  test('of a group continues for the other items if any statement of an item fails', async () => {
    const [platform, other] = [await newPlatform(), await newPlatform()]
    const sent: string[] = []
    while (sent.length < 6) sent.push((await sendToAccount(platform)).id)
    const { id: elsewhere } = await sendToAccount(other)
    const [leg, , transfer, , history] = sent as [string, string, string, string, string]
    const repairs = [
      await breakRows(sql, { table: 'legs', column: 'subject_id', value: leg }),
      await breakRows(sql, { table: 'transfers', column: 'payment_id', value: transfer }),
      await breakRows(sql, { table: 'payment_history', column: 'payment_id', value: history }),
    ]
    const broken = [leg, transfer, history]
    service.clock.advance(20 * DAY)
    const { deps } = newProcess()
    const failures = () => sampleOf('step_failures_total', 'run due work')
    const failuresBefore = await failures()
    while ((await doDueWork(deps)) > 0);
    const statuses = async () => Promise.all(sent.map((id) => statusOf(platform, id)))
    const expected = sent.map((id) => (broken.includes(id) ? 'IN_PROCESS' : 'PAID'))
    assert.deepEqual(await statuses(), expected)
    assert.equal(await statusOf(other, elsewhere), 'PAID')
    assert.equal((await failures()) - failuresBefore, broken.length, 'only the broken ones fail, each once')
    for (const repair of repairs) await repair()
    realClock.advance(1)
    while ((await doDueWork(deps)) > 0);
    assert.deepEqual(new Set(await statuses()), new Set(['PAID']))
  })

  test('that changes nothing counts as a failure and does not repeat forever', async () => {
    const platform = await newPlatform()
    const [{ id: broken }, { id }] = [await sendToAccount(platform), await sendToAccount(platform)]
    await triggerStatus(platform.sender, broken, 'FAILED')
    await sql`update payments set refund_at = ${service.clock.now()} where id = ${broken}`
    const transfers = await sql<{ id: string }[]>`
      update transfers set payment_id = null where payment_id = ${broken} returning id
    `
    service.clock.advance(20 * DAY)
    const { deps, log } = newProcess()
    while ((await doDueWork(deps)) > 0);
    assert.deepEqual([await statusOf(platform, id), await statusOf(platform, broken)], ['PAID', 'FAILED'])
    const [line] = log.lines.filter(({ level }) => level === 'error')
    assert.deepEqual([line?.kind, line?.id], ['refund', broken])
    await sql`update transfers set payment_id = ${broken} where id = any (${transfers.map((one) => one.id)})`
    realClock.advance(1)
    while ((await doDueWork(deps)) > 0);
    assert.equal(await statusOf(platform, broken), 'REFUNDED')
  })

  test('of a locked platform waits without counting as a failure, and other platforms continue', async (t) => {
    const [locked, other] = [await newPlatform(), await newPlatform()]
    const [{ id: lockedId }, { id }] = [await sendToAccount(locked), await sendToAccount(other)]
    service.clock.advance(20 * DAY)
    const { deps, log } = newProcess()
    const impatient = connect(service.databaseUrl, { max: 4, applicationName: 'test', lockTimeoutMs: 50 })
    t.after(() => impatient.end({ timeout: 5 }))
    const failuresBefore = await sampleOf('step_failures_total', 'run due work')
    await sql.begin(async (holder) => {
      await lockRow(holder, 'payments', lockedId)
      for (let passes = 0; passes < 20; passes++) await doDueWork({ ...deps, sql: impatient })
    })
    assert.deepEqual([await statusOf(locked, lockedId), await statusOf(other, id)], ['IN_PROCESS', 'PAID'])
    assert.equal(await sampleOf('step_failures_total', 'run due work'), failuresBefore)
    assert.deepEqual(
      log.lines.filter(({ step }) => step).map(({ level, platform }) => [level, platform]),
      [['warn', locked.id]],
    )
    realClock.advance(1)
    while ((await doDueWork(deps)) > 0);
    assert.equal(await statusOf(locked, lockedId), 'PAID')
  })

  test('takes turns among the platforms, even if one has a lot of due work', async () => {
    const quiet = await newPlatform()
    const { id } = await sendToAccount(quiet)
    await copyLegs(quiet.id, 'one platform', 1_000)
    service.clock.advance(20 * DAY)
    const { deps } = newProcess()
    for (let passes = 0; passes < 20; passes++) await doDueWork(deps)
    assert.equal(await statusOf(quiet, id), 'PAID')
  })
})

suite('messages to a platform that fails', () => {
  /** A sender with a wallet and two platforms that it pays. */
  async function startSending() {
    const [sender, broken, healthy] = [await service.newOwner(), await service.newOwner(), await service.newOwner()]
    const wallets = { from: await newWallet(sender.api, 1_000), into: await newWallet(healthy.api, 0) }
    const pay = async (recipient: string) =>
      (await sendPayment(sender.api, { amount: 1, recipient, account: wallets.from })).id
    const id = await pay(healthy.email)
    await service.applyOutbox()
    return { sender, broken, healthy, ...wallets, pay, id }
  }

  test('do not hold up the money for another platform', async () => {
    const { sender, broken, healthy, into, pay, id } = await startSending()
    const repair = await breakRows(sql, { table: 'received_payments', value: broken.id })
    for (let count = 0; count < 51; count++) await pay(broken.email)
    await healthy.api.post(`/v3/check/deposit/${id}`, { account: into })
    const { deps, log } = newProcess()
    for (let pass = 0; pass < 2; pass++) await applyOutbox(deps)
    assert.equal(await balanceOf(healthy.api, into), 1)
    assert.deepEqual(
      log.lines.map(({ platform, source }) => [platform, source]),
      [[broken.id, sender.id]],
    )
    await repair()
    realClock.advance(1)
    while ((await applyOutbox(deps)) > 0);
    assert.ok(!(await hasRow(sql`outbox`, sql`platform_id = ${sender.id}`)))
    assert.equal(await sampleOf('step_failing_platforms', 'apply messages'), 0)
  })

  test('do not hold up the money of the same payment for another platform', async () => {
    const { sender, broken, healthy, into, id } = await startSending()
    const platforms = { platform_id: sender.id, target_platform_id: broken.id }
    await insertRow(sql, 'outbox', { ...platforms, kind: 'audited', subject_id: id, content: '{}' })
    await healthy.api.post(`/v3/check/deposit/${id}`, { account: into })
    const { deps } = newProcess()
    for (let pass = 0; pass < 2; pass++) await applyOutbox(deps)
    assert.equal(await balanceOf(healthy.api, into), 1)
    assert.ok(await hasRow(sql`outbox`, sql`subject_id = ${id} and target_platform_id = ${broken.id}`))
    await sql`delete from outbox where platform_id = ${sender.id}`
  })
})

suite('the status of a user', () => {
  test('is applied on its own platform while the leg of a payment from another one cannot be resumed', async () => {
    const [own, other, broken] = [await newPlatform(), await newPlatform(), await newPlatform()]
    const { id: unpaid } = await sendPayment(own.sender)
    const stopped: string[] = []
    for (const platform of [broken, other]) {
      const { id } = await sendToAccount(platform)
      // The state as if the money were for the user of the other platform, who was suspended.
      await sql`
        update legs set stopped_by = ${own.sender.id}, next_event = null, next_at = null, file_at = null
        where subject_id = ${id} and status = 'WAITING'
      `
      stopped.push(id)
    }
    const isStopped = (id: string | undefined) =>
      hasRow(sql`legs`, sql`subject_id = ${id as string} and stopped_by is not null`)
    const isMarked = () => hasRow(sql`user_status_changes`, sql`user_id = ${own.sender.id}`)
    const user = { platformId: own.id, userId: own.sender.id }
    const repair = await breakRows(sql, { table: 'legs', value: broken.id })
    await inTransaction(service.deps, (tx) => decideUser(tx, user, 'close'))
    const { deps, log } = newProcess()
    while ((await followUserStatus(deps)) > 0);
    assert.ok(await hasRow(sql`payments`, sql`id = ${unpaid} and status = 'VOID'`))
    assert.deepEqual([await isStopped(stopped[0]), await isStopped(stopped[1]), await isMarked()], [true, false, true])
    const [line] = log.lines.filter(({ level }) => level === 'error')
    assert.deepEqual([line?.platform, line?.kind, line?.id], [broken.id, 'user', own.sender.id])
    await repair()
    realClock.advance(300)
    while ((await followUserStatus(deps)) > 0);
    assert.deepEqual([await isStopped(stopped[0]), await isMarked()], [false, false])
  })
})

suite('webhooks', () => {
  test('are delivered while the event of another one is missing', async () => {
    const platform = await newPlatform()
    await newDelivery(platform)
    const { id } = await newDelivery(platform)
    const [first] = await sql<{ eventId: string }[]>`
      delete from events
      where (platform_id, id) in (
        select platform_id, event_id from deliveries where endpoint_id = ${id} order by position limit 1
      )
      returning id as event_id
    `
    const { deps, log } = newProcess()
    await startDelivering(deps)()
    assert.deepEqual(await deliveryStatuses(sql, platform.sender.id), ['PENDING', 'DELIVERED'])
    const attempts = await attemptsOf(sql, platform.sender.id)
    assert.deepEqual(
      attempts.map(({ outcome, error }) => [outcome, error]),
      [
        ['unreachable', 'The event could not be sent because of an internal error.'],
        ['acknowledged', null],
      ],
    )
    const [line] = log.lines.filter(({ level }) => level === 'error')
    assert.deepEqual([line?.kind, line?.id], ['event', first?.eventId])
  })

  test('keep their leases when the lease of another endpoint cannot be renewed', async () => {
    const [broken, other] = [await newPlatform(), await newPlatform()]
    const [{ id: brokenId }, { id }] = [await newDelivery(broken), await newDelivery(other)]
    const { deps } = newProcess()
    const answers: ServerResponse[] = []
    receiver.answer = (response) => void answers.push(response)
    const arrived = receiver.received.length
    const courier = createCourier('a courier that keeps leases', deps.settings)
    await startDueWebhooks(deps, courier)
    await receiver.waitFor(arrived + 2)
    const repair = await breakRows(sql, { table: 'endpoints', value: broken.id })
    const leasedUntil = async (endpointId: string) =>
      (await sql<{ at: Date }[]>`select leased_until as at from endpoints where id = ${endpointId}`)[0]?.at.getTime()
    const before = [await leasedUntil(brokenId), await leasedUntil(id)]
    realClock.advance(3)
    await renewSessionLeases(deps, courier)
    assert.deepEqual([await leasedUntil(brokenId), await leasedUntil(id)], [before[0], (before[1] as number) + 3_000])
    await repair()
    receiver.answer = 200
    for (const answer of answers) answer.writeHead(200).end()
    await endCourier(courier)
  })
})

suite('the ledger check', () => {
  const check = (deps: Deps) =>
    createLedgerCheck(deps, { databaseUrl: service.databaseUrl, applicationName: 'test', everyMs: 3_600_000 }).run()
  const insertTransfers = (platformId: string, { debit, count }: { debit: string; count: number }) => sql`
    insert into transfers (platform_id, id, debit, credit, cents, status, reason, created_at)
    select ${platformId}, gen_random_uuid(), ${debit} || nth, 'payable', 1, 'POSTED', 'test', now()
    from generate_series(1, ${count}::integer) nth
  `

  test('shows rows of each platform, even if one has many wrong rows', async () => {
    const [busy, other] = [await service.newOwner(), await service.newOwner()]
    await insertTransfers(busy.id, { debit: 'wallet:no wallet ', count: 100 })
    await insertTransfers(other.id, { debit: `wallet:${'a'.repeat(31)}`, count: 1 })
    const { deps, log } = newProcess()
    await check(deps)
    const [line] = log.lines.filter(({ level }) => level === 'error')
    assert.equal(line?.message, 'the ledger does not balance: run remit verify-ledger')
    assert.deepEqual(new Set(line?.platforms as string[]), new Set([busy.id, other.id]))
    await sql`delete from transfers where reason = 'test'`
  })

  test('continues with the next check when one fails', async () => {
    const [broken, other] = [await service.newOwner(), await service.newOwner()]
    // More cents than the program can read.
    await sql`
      insert into transfers (platform_id, id, debit, credit, cents, status, reason, created_at)
      select ${broken.id}, gen_random_uuid(), 'wallet:none', 'payable', 9000000000000000000, 'POSTED', 'test', now()
    `
    await insertTransfers(other.id, { debit: 'clearing:ACH', count: 1 })
    const { deps, log } = newProcess()
    await check(deps)
    const [line] = log.lines.filter(({ level }) => level === 'error')
    const checks = line?.checks as { check: string; offending: number }[]
    assert.deepEqual(
      checks.filter(({ offending }) => offending > 0).map((one) => one.check.split(' ')[0]),
      ['wallets', 'clearing'],
    )
    assert.deepEqual(line?.platforms, [other.id])
    await sql`delete from transfers where reason = 'test'`
  })
})

suite('the demo reset', () => {
  test('is retried with growing delays while it fails', async (t) => {
    const realClock = fakeClock('2026-03-02T23:59:00.000Z')
    const demo = await startTestService(t, { environment: 'demo', realClock })
    const log = readableLog(demo.deps.log)
    const deps: Deps = { ...demo.deps, failures: createFailures(), log }
    await resetDemoWhenDue(deps)
    realClock.advance(60)
    const repair = await breakRows(demo.ownerSql, { table: 'users', value: publishedOwner.published.id })
    const resets: number[] = []
    for (let second = 0; second < 8; second++) {
      if (second === 5) await repair()
      resets.push(await resetDemoWhenDue(deps))
      realClock.advance(1)
    }
    assert.deepEqual(resets, [0, 0, 0, 0, 0, 0, 0, 1])
    assert.deepEqual(
      log.lines.filter(({ level }) => level !== 'debug').map(({ step, message }) => [step, message]),
      [
        ['reset the demo', 'background work failed here and continues for other platforms'],
        ['reset the demo', 'background work succeeds here again'],
      ],
    )
  })
})

suite('invitations', () => {
  test('are sent while no link can be created for another payment', async () => {
    const { id: platformId, sender } = await newPlatform()
    const emails = [newEmail(), newEmail(), newEmail()]
    const ids: string[] = []
    for (const recipient of emails) ids.push((await sendPayment(sender, { recipient })).id)
    // Like a payment created by a clock in the year 9999: PostgreSQL refuses the expiry date of the link.
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

suite('simultaneous requests that share statements', () => {
  test('are answered when one of them reads a broken row', async () => {
    const [broken, other] = [await newPlatform(), await newPlatform()]
    const [{ id: brokenId }, { id }] = [await sendToAccount(broken), await sendToAccount(other)]
    // More cents than the program can read.
    await sql`update payments set amount_cents = 9000000000000000000 where id = ${brokenId}`
    const asked = Array.from({ length: 20 }, () => [
      broken.sender.get(`/v3/check/${brokenId}`),
      broken.sender.get('/v3/check'),
      other.sender.get(`/v3/check/${id}`),
      other.sender.get('/v3/check'),
    ])
    const answers = await Promise.all(asked.flat())
    const statuses = answers.map(({ status }, index) => [index % 4 < 2 ? 'broken' : 'other', status].join(' '))
    assert.deepEqual(new Set(statuses), new Set(['broken 500', 'other 200']))
    await sql`update payments set amount_cents = 1000 where id = ${brokenId}`
  })
})

test('every step of the worker has a case here', () => {
  const steps = [...cases, ...bankCases.map((bankCase) => bankCase({} as Bank))].map(({ step }) => step)
  // These steps do not work by platform and have their own tests.
  const ofTheirOwn = ['verify the ledger', 'reset the demo', 'sweep request log', 'analyze grown tables']
  const tested = new Set([...steps, ...ofTheirOwn])
  const all = ['verify the ledger', ...backgroundSteps().map(({ name }) => name)]
  assert.deepEqual([...tested].sort(), all.sort())
})
