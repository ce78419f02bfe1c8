import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { createMailer, sendDueMails } from '../src/foundation/mail/mail-worker.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import type { Api } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import { png } from './support/images.ts'
import { newEmail } from './support/login.ts'
import { startMailServer } from './support/mail-server.ts'
import { sendPayment } from './support/payments.ts'
import { mailsTo, openLink } from './support/recipients.ts'
import { addVerifiedBank, startTestService, type TestService, type TestServiceOptions } from './support/service.ts'

// Recipient mail cannot be used to send unwanted mail to strangers: fixed texts, limits, and an unsubscribe link.

const DAY = 24 * 3_600

async function start(t: TestContext, settings: TestServiceOptions['settings'] = {}) {
  const realClock = fakeClock('2026-03-02T10:00:00.000Z')
  const service = await startTestService(t, { realClock, settings: settings ?? {} })
  return { ...service, realClock, sender: await newSender(service) }
}

async function newSender(service: TestService, owner = service.owner) {
  const user = await service.newUser(undefined, owner)
  await addVerifiedBank(user)
  return user
}

const inviteAll = async ({ deps, baseUrl }: TestService) => {
  while ((await inviteRecipients(deps, baseUrl)) > 0);
}

async function pay(sender: Api, emails: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const recipient of emails) ids.push((await sendPayment(sender, { recipient })).id)
  return ids
}

const countMails = async ({ deps }: TestService, emails: string[]) => {
  const rows = await deps.sql<{ recipient: string }[]>`select recipient from mails`
  return rows.filter(({ recipient }) => emails.includes(recipient)).length
}

const auditOf = async ({ deps }: TestService, like = 'recipient_mail%') => {
  const rows = await deps.sql<{ action: string; subject: string }[]>`
    select action, subject from audit_entries where action like ${like} order by id
  `
  return rows.map(({ action, subject }) => [action, subject.replaceAll('-', '')])
}

const emailsOf = (count: number) => Array.from({ length: count }, newEmail)

const unsubscribePath = (text: string): string => {
  const [, path] = /^https?:\/\/[^/]+(\/unsubscribe\/[\w-]+)$/m.exec(text) ?? []
  assert.ok(path, text)
  return path
}

async function unsubscribe({ baseUrl }: TestService, path: string, body = 'List-Unsubscribe=One-Click') {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return fetch(`${baseUrl}${path}`, { method: 'POST', headers, body })
}

suite('a mail to a recipient', () => {
  test('has the sender’s name in quotes, on one line and without links', async (t) => {
    const service = await start(t)
    const [email] = emailsOf(1) as [string]
    await service.sender.put('/v3/user', {
      user: { business_name: 'Your prize: http://evil.example/win"\r\nBcc: x@evil.example \u202Ewww.evil.example' },
    })
    await pay(service.sender, [email])
    await inviteAll(service)
    const [mail] = (await mailsTo(service, email)) as [{ subject: string; text: string }]
    const name = '"Your prize: http: / / evil. example/ win\' Bcc: x @ evil. ex…"'
    assert.equal(mail.subject, `You have a payment of $10.00 from ${name}`)
    assert.ok(mail.text.startsWith(`You have a payment of $10.00 from ${name}. Choose`), mail.text)
    const links = mail.text.match(/\S+:\/\/\S+|www\.\S+|\S+\.example\b/g) ?? []
    assert.ok(links.length === 2 && links.every((link) => link.startsWith(service.baseUrl)), links.join())
  })

  test('has the headers for one-click unsubscribing, and an HTML part', async (t) => {
    const server = await startMailServer(t)
    const mailServer = { url: server.url, from: 'Remit <remit@example.com>', allowsPlaintext: true }
    const service = await start(t, { mailServer })
    const mailer = createMailer(mailServer)
    t.after(() => mailer.close())
    const logo = png(16, 8).toString('base64')
    await service.sender.put('/v3/user', { user: { business_name: 'Ada & "Sons"' }, brand: { logo } })
    await pay(service.sender, emailsOf(1))
    await inviteAll(service)
    await sendDueMails(service.deps, mailer)
    const [message] = server.messages
    assert.match(message?.data ?? '', /Content-Type: image\/png.*Content-ID: <[^>]+>/is, 'the logo is attached')
    assert.match(message?.data ?? '', /src=3D"cid:|src="cid:/, 'nothing is loaded from other sites')
    const raw = JSON.stringify(message).replace(/\\r\\n\s+/g, ' ')
    assert.match(raw, /List-Unsubscribe: ?<http:\/\/[^>]+\/unsubscribe\/[\w-]+>/)
    assert.match(raw, /List-Unsubscribe-Post: List-Unsubscribe=One-Click/)
    assert.match(raw, /multipart\/alternative.*text\/plain.*text\/html/)
  })
})

suite('the limit of new recipients', () => {
  test('delays further mail until the next day, notifies the owner once, and refuses no payment', async (t) => {
    const service = await start(t, { newRecipientsADay: 3 })
    const emails = emailsOf(5)
    const ids = await pay(service.sender, emails)
    await inviteAll(service)
    assert.equal(await countMails(service, emails), 3)
    assert.deepEqual(
      (await auditOf(service)).map(([action]) => action),
      ['recipient_mail_limited'],
    )
    const known = (await service.deps.sql<{ recipient: string }[]>`select recipient from mails`)[0]?.recipient as string
    await pay(service.sender, [known])
    await inviteAll(service)
    assert.equal(await countMails(service, [known]), 2, 'a known recipient is not new')
    assert.equal((await service.sender.get(`/v3/check/${ids[4]}`)).body.status, 'UNPAID')

    service.realClock.advance(DAY)
    await inviteAll(service)
    assert.equal(await countMails(service, emails), 6)
  })

  test('counts each mail when several workers send many at the same time', async (t) => {
    const service = await start(t, { newRecipientsADay: 7 })
    const senders = [service.sender, await newSender(service), await newSender(service)]
    const emails = emailsOf(20)
    await Promise.all(emails.map((recipient, index) => sendPayment(senders[index % 3] as Api, { recipient })))
    await Promise.all([inviteAll(service), inviteAll(service), inviteAll(service)])
    await inviteAll(service)
    assert.equal(await countMails(service, emails), 7)
    const other = await newSender(service, (await service.newOwner()).api)
    const theirs = emailsOf(2)
    await pay(other, theirs)
    await inviteAll(service)
    assert.equal(await countMails(service, theirs), 2, 'another platform has its own limit')
  })

  test('does not apply if the operator has verified the owner, but applies if a trigger did', async (t) => {
    for (const [canTriggerOutcomes, expected] of [
      [false, 4],
      [true, 1],
    ] as const) {
      const service = await start(t, { newRecipientsADay: 1, canTriggerOutcomes })
      await service.deps.sql`update users set status = 'VERIFIED' where platform_id = id`
      const emails = emailsOf(4)
      await pay(service.sender, emails)
      await inviteAll(service)
      assert.equal(await countMails(service, emails), expected)
    }
  })
})

test('one recipient gets at most ten mails a day from a platform, and twenty from all platforms', async (t) => {
  const service = await start(t)
  const [email] = emailsOf(1) as [string]
  await pay(
    service.sender,
    Array.from({ length: 12 }, () => email),
  )
  await inviteAll(service)
  assert.equal(await countMails(service, [email]), 10)
  for (const expected of [20, 20]) {
    const other = await newSender(service, (await service.newOwner()).api)
    await pay(
      other,
      Array.from({ length: 12 }, () => email),
    )
    await inviteAll(service)
    assert.equal(await countMails(service, [email]), expected)
  }
  service.realClock.advance(3 * DAY)
  await sweep(service.deps, 'sweep recipient links')
  assert.equal((await service.deps.sql`select 1 from mail_addresses`).length, 0)
})

test('limits apply and are reported in the same way, whether or not the recipient has an account here', async (t) => {
  const service = await start(t, { newRecipientsADay: 1 })
  const holder = await service.newOwner()
  const stories: unknown[] = []
  for (const recipient of [holder.email, newEmail()]) {
    const story: unknown[] = []
    for (const known of [recipient, newEmail()]) {
      const platform = await service.newOwner()
      const sender = await newSender(service, platform.api)
      // Ten mails to one recipient are enough to reach the limit. After one recipient, another one is new.
      const [id] = (await pay(sender, known === recipient ? Array.from({ length: 9 }, () => known) : [known])) as [
        string,
      ]
      await pay(sender, known === recipient ? [] : [recipient])
      await inviteAll(service)
      const notified: number[] = []
      for (let count = 0; count < 3; count++) notified.push((await sender.post(`/v3/check/notify/${id}`)).status)
      const { body } = await platform.api.get('/v3/audit?q=recipient_mail')
      story.push(
        notified,
        body.audit.map(({ action }: { action: string }) => action),
      )
    }
    stories.push(story)
  }
  assert.deepEqual(stories[1], [
    [204, 204, 204],
    ['recipient_mail_limited'],
    [204, 204, 204],
    ['recipient_mail_limited'],
  ])
  assert.deepEqual(stories[0], stories[1])
  assert.equal(await countMails(service, [holder.email]), 0)
})

suite('a waiting mail', () => {
  test('counts toward the four per day when it is requested, and not again when it is sent', async (t) => {
    const service = await start(t, { newRecipientsADay: 2 })
    const holder = await service.newOwner()
    await pay(service.sender, emailsOf(2))
    await inviteAll(service)
    const stories = await Promise.all(
      [holder.email, newEmail()].map(async (recipient) => {
        const [id] = (await pay(service.sender, [recipient])) as [string]
        return { recipient, id, notify: () => service.sender.post(`/v3/check/notify/${id}`) }
      }),
    )
    await inviteAll(service)
    for (const { notify } of stories) assert.equal((await notify()).status, 204)
    service.realClock.advance(15 * 3_600)
    await inviteAll(service)
    const answers: unknown[][] = []
    for (const { notify } of stories) {
      const codes: unknown[] = []
      for (let count = 0; count < 4; count++) codes.push((await notify()).body?.code ?? 'sent')
      answers.push(codes)
    }
    assert.deepEqual(answers[0], ['sent', 'sent', 'notify_limit_reached', 'notify_limit_reached'])
    assert.deepEqual(answers[1], answers[0])
    const outside = stories[1]?.recipient as string
    assert.equal(await countMails(service, [outside]), 3)
    assert.deepEqual(await countMails(service, [holder.email]), 0)
  })

  test('is not sent again when the sender requests another one in the meantime', async (t) => {
    const service = await start(t, { newRecipientsADay: 1 })
    const [first, email] = emailsOf(2).sort() as [string, string] // the order in which they are mailed
    const [, id] = (await pay(service.sender, [first, email])) as [string, string]
    await inviteAll(service)
    service.realClock.advance(15 * 3_600)
    assert.equal((await service.sender.post(`/v3/check/notify/${id}`)).status, 204)
    await inviteAll(service)
    assert.equal(await countMails(service, [email]), 1)
  })
})

suite('a recipient that refuses further mail', () => {
  test('gets mail from no platform, and senders cannot see that it unsubscribed', async (t) => {
    const service = await start(t)
    const other = await newSender(service, (await service.newOwner()).api)
    const [refusing, taking] = emailsOf(2) as [string, string]
    const [id] = (await pay(service.sender, [refusing])) as [string]
    await inviteAll(service)
    const [mail] = (await mailsTo(service, refusing)) as [{ subject: string; text: string }]
    const path = unsubscribePath(mail.text)
    const asked = await fetch(`${service.baseUrl}${path}`)
    assert.deepEqual([asked.status, asked.headers.get('cache-control')], [200, 'no-store'])
    for (const body of ['', 'x', 'List-Unsubscribe=', 'action=']) {
      assert.equal((await unsubscribe(service, path, body)).status, 400, body)
    }
    assert.equal((await service.deps.sql`select 1 from mail_suppressions`).length, 0, 'opening the link is not enough')
    assert.equal((await unsubscribe(service, path)).status, 200)
    assert.equal((await unsubscribe(service, path)).status, 200)

    const stories = await Promise.all(
      [refusing, taking].map(async (recipient) => {
        const made = await other.post('/v3/check/digital', { amount: 10, name: 'Somebody', recipient })
        await inviteAll(service)
        const notified: unknown[] = []
        for (let count = 0; count < 4; count++) {
          const { status, body } = await other.post(`/v3/check/notify/${made.body.id}`)
          notified.push([status, body?.code])
        }
        const read = await other.get(`/v3/check/${made.body.id}`)
        return { status: made.status, fields: Object.keys(made.body), notified, read: read.body.status }
      }),
    )
    assert.deepEqual(stories[0], stories[1])
    assert.deepEqual(await auditOf(service), [])
    assert.deepEqual([await countMails(service, [refusing]), await countMails(service, [taking])], [1, 4])

    const [, token] = /\/pay\/([A-Za-z0-9]{40})$/m.exec(mail.text) as unknown as [string, string]
    service.secrets.add(token)
    assert.equal((await service.sender.post(`/v3/check/notify/${id}`)).status, 204)
    assert.equal((await openLink(service, token).read()).status, 200, 'its existing link stays valid')

    assert.equal((await unsubscribe(service, path, 'action=resume')).status, 200)
    await pay(service.sender, [refusing])
    await inviteAll(service)
    assert.equal(await countMails(service, [refusing]), 2)
  })

  test('is visible to an owner that the operator has verified', async (t) => {
    const service = await start(t, { canTriggerOutcomes: false })
    await service.deps.sql`update users set status = 'VERIFIED' where platform_id = id`
    const [email] = emailsOf(1) as [string]
    await pay(service.sender, [email])
    await inviteAll(service)
    const [row] = await service.deps.sql<{ contentSealed: Buffer }[]>`select content_sealed from mails`
    const { text } = JSON.parse(service.deps.keyRing.openText(row?.contentSealed as Buffer, 'mail'))
    await unsubscribe(service, unsubscribePath(text))
    const [id] = (await pay(service.sender, [email])) as [string]
    await inviteAll(service)
    assert.deepEqual(await auditOf(service), [['recipient_mail_refused', id]])
  })

  test('needs the link of its mail', async (t) => {
    const service = await start(t)
    for (const path of ['/unsubscribe/abc', `/unsubscribe/${Buffer.from('ada@example.com').toString('base64url')}`]) {
      assert.equal((await unsubscribe(service, path)).status, 404)
      const opened = await fetch(`${service.baseUrl}${path}`)
      assert.deepEqual([opened.status, opened.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
      assert.match(await opened.text(), /<h1>This link does not work<\/h1>/)
    }
    assert.equal((await service.deps.sql`select 1 from mail_suppressions`).length, 0)
  })
})
