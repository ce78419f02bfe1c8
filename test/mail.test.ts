import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { sendMail } from '../src/foundation/mail/mail-actions.ts'
import { MAIL_DELAYS_SECONDS } from '../src/foundation/mail/mail-rules.ts'
import { createMailer, sendDueMails } from '../src/foundation/mail/mail-worker.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { openBrowser } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { mailedCode, newEmail } from './support/login.ts'
import { startMailServer } from './support/mail-server.ts'
import { PASSWORD, startTestService, type TestServiceOptions } from './support/service.ts'
import { waitUntil } from './support/wait-until.ts'

const DAY = 24 * 3_600
const TEXT = 'What nobody else may read: Grüße, 100 %.'

async function start(t: TestContext, options: TestServiceOptions = {}) {
  const realClock = fakeClock()
  const server = await startMailServer(t)
  const mailServer = { url: server.url, from: 'Remit <remit@example.com>', allowsPlaintext: true }
  const service = await startTestService(t, { realClock, ...options, settings: { mailServer, ...options.settings } })
  const { deps, secrets } = service
  secrets.add(TEXT)
  const mailer = createMailer(mailServer)
  t.after(async () => mailer.close())
  return {
    ...service,
    server,
    realClock,
    write: (to: string | null) =>
      inTransaction(deps, (tx) => sendMail(tx, { to, subject: 'A subject of its own', text: TEXT })),
    send: () => sendDueMails(deps, mailer),
    statuses: async () => (await deps.sql<{ status: string }[]>`select status from mails`).map(({ status }) => status),
  }
}

suite('with a mail server', () => {
  test('a mail is sent once, with its content, from the configured sender', async (t) => {
    const { server, write, send, statuses } = await start(t)
    await write('ada@example.com')
    assert.deepEqual([await statuses(), server.messages.length], [['PENDING'], 0])
    assert.deepEqual([await send(), await send(), await statuses()], [1, 0, ['SENT']])
    const [message, ...others] = server.messages
    assert.equal(others.length, 0)
    assert.deepEqual([message?.from, message?.to], ['remit@example.com', ['ada@example.com']])
    assert.equal(message?.login, '\0user\0p@ss')
    assert.match(message?.data ?? '', /^Subject: A subject of its own$/m)
    assert.match(message?.data ?? '', /^From: Remit <remit@example.com>$/m)
  })

  test('a server that offers no TLS gets neither mail nor password, unless plaintext is allowed', async (t) => {
    const { deps, server, write, statuses } = await start(t)
    const strict = createMailer({ url: server.url, from: 'remit@example.com', allowsPlaintext: false })
    t.after(async () => strict.close())
    await write('ada@example.com')
    assert.equal(await sendDueMails(deps, strict), 1)
    assert.deepEqual([await statuses(), server.messages, server.logins], [['PENDING'], [], 0])
  })

  test('a mail of a rolled-back transaction is not sent', async (t) => {
    const { deps, server, send, statuses } = await start(t)
    const failed = inTransaction(deps, async (tx) => {
      await sendMail(tx, { to: 'ada@example.com', subject: 'x', text: TEXT })
      throw new Error('changed my mind')
    })
    await assert.rejects(failed, /changed my mind/)
    assert.deepEqual([await send(), await statuses(), server.messages], [0, [], []])
  })

  test('a mail without a recipient is not sent', async (t) => {
    const { write, send, statuses } = await start(t)
    await write(null)
    assert.deepEqual([await send(), await statuses()], [0, []])
  })

  test('a refused mail is retried with growing delays, and then has failed', async (t) => {
    const { server, write, send, statuses, realClock } = await start(t)
    server.answer = '451 Try again later'
    await write('ada@example.com')
    assert.equal(await send(), 1)
    for (const seconds of MAIL_DELAYS_SECONDS) {
      assert.deepEqual(await statuses(), ['PENDING'])
      realClock.advance(seconds - 1)
      assert.equal(await send(), 0)
      realClock.advance(1)
      assert.equal(await send(), 1)
    }
    assert.deepEqual(await statuses(), ['FAILED'])
    realClock.advance(DAY)
    assert.equal(await send(), 0)
    assert.ok(MAIL_DELAYS_SECONDS.reduce((sum, seconds) => sum + seconds, 0) < 5 * 3_600)
  })

  test('a mail server that is reachable again gets the waiting mails', async (t) => {
    const { server, write, send, statuses, realClock } = await start(t)
    server.answer = '550 Not you'
    await write('ada@example.com')
    await send()
    server.answer = '250 Ok'
    realClock.advance(60)
    assert.deepEqual([await send(), await statuses(), server.messages.length], [1, ['SENT'], 1])
  })

  test('a connection that the mail server closed is opened again', async (t) => {
    const { server, write, send, statuses } = await start(t)
    await write('ada@example.com')
    await send()
    server.hangUp()
    await sleep(50)
    await write('ada@example.com')
    assert.deepEqual([await send(), await statuses(), server.messages.length], [1, ['SENT', 'SENT'], 2])
  })

  test('no log contains a part of a mail that the server quotes', async (t) => {
    const { server, write, send, statuses } = await start(t)
    server.answer = `554 I read: ${TEXT}`
    await write('ada@example.com')
    assert.deepEqual([await send(), await statuses()], [1, ['PENDING']])
  })

  test('an awaited code is sent before all other waiting mail', async (t) => {
    const { server, write, send, ...service } = await start(t)
    for (let count = 0; count < 30; count++) await write(`approver-${count}@example.com`)
    const email = newEmail()
    const { status } = await openBrowser(service).post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada' })
    assert.equal(status, 201)
    await send()
    assert.ok(server.messages.some(({ to }) => to[0] === email))
  })

  test('mail older than a day is no longer sent', async (t) => {
    const { server, write, send, statuses, realClock } = await start(t)
    await write('ada@example.com')
    realClock.advance(DAY + 1)
    assert.deepEqual([await send(), await statuses(), server.messages], [0, ['FAILED'], []])
  })

  test('two concurrent workers send a mail once', async (t) => {
    const { server, write, send } = await start(t)
    for (let count = 0; count < 5; count++) await write(`ada-${count}@example.com`)
    const counts = await Promise.all([send(), send(), send()])
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      5,
    )
    assert.equal(server.messages.length, 5)
  })

  test('a mail that another worker is sending is skipped', async (t) => {
    const { deps, write, send } = await start(t)
    await write('ada@example.com')
    await deps.sql.begin(async (sql) => {
      await sql`select 1 from mails for update`
      assert.equal(await send(), 0)
    })
    assert.equal(await send(), 1)
  })

  test('mail is not shown', async (t) => {
    const service = await start(t)
    const browser = openBrowser(service)
    const { status, body } = await browser.get('/web/v1/mail')
    assert.deepEqual([status, body.code], [404, 'not_found'])
    assert.equal((await browser.get('/web/v1/context')).body.shows_mail, false)
  })

  test('the running service sends a code as soon as it is requested', async (t) => {
    const service = await start(t, { roles: ['http', 'worker'], settings: { fixedCode: null } })
    const email = newEmail()
    const browser = openBrowser(service)
    const { body } = await browser.post('/web/v1/sign-up', { email, password: PASSWORD, name: 'Ada' })
    await waitUntil('the mail arrives', () => service.server.messages.length > 0)
    const [message] = service.server.messages
    assert.deepEqual(message?.to, [email])
    const [code] = /\b\d{6}\b/.exec(message?.data.split('\n\n').slice(1).join('\n') ?? '') ?? []
    assert.equal((await browser.post('/web/v1/sign-up/confirm', { ...body, code })).status, 201)
  })
})

suite('without a mail server', () => {
  const without = { settings: { mailServer: null } }

  test('mail is kept, sealed, and shown newest first', async (t) => {
    const service = await start(t, without)
    await service.write('first@example.com')
    service.realClock.advance(1)
    await service.write('second@example.com')
    assert.deepEqual([await service.statuses(), await service.send()], [['KEPT', 'KEPT'], 0])
    const { status, body, headers } = await openBrowser(service).get('/web/v1/mail')
    assert.equal(status, 200)
    assert.equal(headers.get('cache-control'), 'no-store')
    const [newest, oldest] = body.mails
    assert.deepEqual(newest, {
      id: newest.id,
      to: 'second@example.com',
      subject: 'A subject of its own',
      text: TEXT,
      date: '2026-03-02 15:00:01',
    })
    assert.equal(oldest.to, 'first@example.com')
  })

  test('production also keeps it, and shows it to no one', async (t) => {
    const service = await start(t, { environment: 'production', ...without })
    await service.write('ada@example.com')
    const browser = openBrowser(service)
    const { status, body } = await browser.get('/web/v1/mail')
    assert.deepEqual([status, body.code, await service.statuses()], [404, 'not_found', ['KEPT']])
    const { fixed_code, shows_mail, environment } = (await browser.get('/web/v1/context')).body
    assert.deepEqual([fixed_code, shows_mail, environment], [null, false, 'production'])
  })

  test('mail is deleted after 30 days', async (t) => {
    const { deps, write, statuses, realClock } = await start(t, without)
    await write('ada@example.com')
    realClock.advance(30 * DAY)
    assert.equal(await sweep(deps, 'sweep mail'), 0)
    await write('ada@example.com')
    realClock.advance(1)
    assert.deepEqual(
      [await sweep(deps, 'sweep mail'), await sweep(deps, 'sweep mail'), await statuses()],
      [1, 0, ['KEPT']],
    )
  })

  test('expired codes and forgotten attempts are deleted, others stay', async (t) => {
    const service = await start(t, without)
    const { deps, realClock } = service
    const browser = openBrowser(service)
    const signUp = { email: newEmail(), password: PASSWORD, name: 'Ada' }
    await browser.post('/web/v1/sign-up', signUp)
    assert.deepEqual([await sweep(deps, 'sweep verifications'), await sweep(deps, 'sweep tries')], [0, 0])
    realClock.advance(3_600)
    const { body } = await browser.post('/web/v1/sign-up', { ...signUp, email: newEmail() })
    assert.deepEqual([await sweep(deps, 'sweep verifications'), await sweep(deps, 'sweep verifications')], [1, 0])
    assert.equal(await sweep(deps, 'sweep tries'), 1, 'the tries of the email; the address has newer tries')
    assert.equal((await browser.post('/web/v1/sign-up/confirm', { ...body, code: '123123' })).status, 201)
    assert.equal(await mailedCode(browser, signUp.email), '123123')
  })
})
