import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createFailures } from '../src/foundation/db/step-failures.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { decideUser } from '../src/people/user/operator-actions.ts'
import type { OperatorEvent } from '../src/people/user/operator-rules.ts'
import { bankFile } from './support/ach.ts'
import { fakeClock } from './support/clock.ts'
import { startFileService, untilPaid } from './support/file-service.ts'
import { breakRows } from './support/isolation.ts'
import { newEmail } from './support/login.ts'
import { newWallet } from './support/money.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { mailedToken, mailsTo, newBank, openLink, payNewRecipient, type RecipientPage } from './support/recipients.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'
import { newPayee, newSender, type Sender } from './support/webhooks.ts'

// A payee without an account gets mail when its payment is in transit, was returned, or needs another account.

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { clock, deps, baseUrl, doDueWork } = service

const HOUR = 3_600
const DAY = 24 * HOUR
const ADDRESS = { line_1: '1 Main St', city: 'San Francisco', state: 'CA', zip: '94105' }
const CARD = { card_number: '4242424242424242', expiration_date: '2099-12' }

const tellAll = async (given = deps) => {
  while ((await inviteRecipients(given, baseUrl)) > 0);
}

async function passDays(count: number): Promise<void> {
  for (let day = 0; day < count; day++) {
    clock.advance(DAY)
    await doDueWork()
    await tellAll()
  }
}

async function passDaysUntil(sender: Sender, id: string, status: string): Promise<void> {
  const hasIt = async () => (await sender.get(`/v3/check/${id}`)).body.status === status
  for (let day = 0; day < 30 && !(await hasIt()); day++) await passDays(1)
  assert.ok(await hasIt(), status)
}

/** Subjects of the mails to an address, oldest first, without amount and sender. */
async function told(email: string): Promise<string[]> {
  const mails = await mailsTo(service, email)
  for (const { text } of mails) service.secrets.add(/\/pay\/(\w{40})/.exec(text)?.[1] as string)
  return mails.map(({ subject }) => subject.replace(/ of \$\S+ from ".*"| for \$\S+ from ".*"/, '')).reverse()
}

const INVITED = 'You have a payment'
const ON_ITS_WAY = 'Your payment is on its way'
const PAID = 'Your payment was paid'
const MAILED = 'Your check is in the mail'
const ACCOUNT = 'Choose another account for your payment'
const ADDRESS_NEEDED = 'Your check was returned'
const FAILED = 'Your payment did not go through'
const STOPPED = 'Do not deposit your check'
const EXPIRED = 'Your payment expired'
const RETURNED = 'Your payment went back to the sender'

type Story = {
  what: string
  amount?: number
  fromWallet?: boolean
  act(payee: { page: RecipientPage; id: string; sender: Sender; email: string }): Promise<unknown>
  expected: string[]
}

const stories: Story[] = [
  {
    what: 'a payment into a bank account is in transit, and then paid, once each',
    act: async ({ page }) => {
      await page.deposit('bank', newBank())
      await passDays(12)
    },
    expected: [INVITED, ON_ITS_WAY, PAID],
  },
  {
    what: 'a payment to a card was paid',
    fromWallet: true,
    act: async ({ page }) => {
      await page.deposit('card', CARD)
      await passDays(1)
    },
    expected: [INVITED, PAID],
  },
  {
    what: 'a check is in the mail, and no mail when it is cashed',
    act: async ({ page }) => {
      await page.deposit('mail', ADDRESS)
      await passDays(20)
    },
    expected: [INVITED, MAILED],
  },
  {
    what: 'the account is closed, and then the outcome of the check that the payee chose instead',
    amount: 10.62,
    act: async ({ page, id, sender, email }) => {
      await page.deposit('bank', newBank())
      await passDaysUntil(sender, id, 'FAILED')
      const renewed = openLink(service, await mailedToken(service, email))
      assert.deepEqual((await renewed.read()).body.options, ['BANK', 'MAIL'])
      await renewed.deposit('mail', ADDRESS)
      await passDaysUntil(sender, id, 'MAILED')
    },
    expected: [INVITED, ON_ITS_WAY, PAID, ACCOUNT, MAILED],
  },
  {
    what: 'the payment was refunded to the sender after five days without another account',
    amount: 10.63,
    act: async ({ page, id, sender }) => {
      await page.deposit('bank', newBank())
      await passDaysUntil(sender, id, 'REFUNDED')
    },
    expected: [INVITED, ON_ITS_WAY, PAID, ACCOUNT, RETURNED],
  },
  {
    what: 'the bank of the sender did not pay',
    amount: 10.61,
    act: async ({ page, id, sender }) => {
      await page.deposit('bank', newBank())
      await passDaysUntil(sender, id, 'FAILED')
    },
    expected: [INVITED, ON_ITS_WAY, FAILED],
  },
  {
    what: 'no mail when the debit is returned after the payee was paid',
    amount: 10.64,
    act: async ({ page, id, sender }) => {
      await page.deposit('bank', newBank())
      await passDaysUntil(sender, id, 'FAILED')
    },
    expected: [INVITED, ON_ITS_WAY, PAID],
  },
  {
    what: 'a mailed check that came back',
    amount: 10.71,
    act: async ({ page, id, sender }) => {
      await page.deposit('mail', ADDRESS)
      await passDaysUntil(sender, id, 'FAILED')
    },
    expected: [INVITED, MAILED, ADDRESS_NEEDED],
  },
  {
    what: 'a mailed check was stopped',
    act: async ({ page, id, sender }) => {
      await page.deposit('mail', ADDRESS)
      await passDaysUntil(sender, id, 'MAILED')
      assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    },
    expected: [INVITED, MAILED, STOPPED],
  },
  {
    what: 'a printed check that was stopped',
    act: async ({ page, id, sender }) => {
      await page.print()
      assert.equal((await sender.del(`/v3/check/${id}`)).status, 200)
    },
    expected: [INVITED, STOPPED],
  },
  {
    what: 'no payout was chosen in time',
    act: async ({ id, sender }) => {
      clock.advance(DAY * 200)
      await passDaysUntil(sender, id, 'EXPIRED')
    },
    expected: [INVITED, EXPIRED],
  },
  {
    what: 'no mail about a payment that is voided before it was deposited',
    act: ({ id, sender }) => sender.del(`/v3/check/${id}`),
    expected: [INVITED],
  },
  {
    what: 'triggers of the sandbox: paid, returned, and refunded',
    act: async ({ id, sender }) => {
      await triggerStatus(sender, id, 'PAID')
      await tellAll()
      await triggerStatus(sender, id, 'FAILED', { return_code: 'R02' })
      await tellAll()
      await triggerStatus(sender, id, 'REFUNDED')
    },
    expected: [INVITED, PAID, ACCOUNT, RETURNED],
  },
  {
    what: 'only the current facts when several changes happened before the mail',
    act: async ({ id, sender }) => {
      await triggerStatus(sender, id, 'PAID')
      await triggerStatus(sender, id, 'FAILED', { return_code: 'R03' })
    },
    expected: [INVITED, ACCOUNT],
  },
  {
    what: 'no mail about a failure that the payee has already resolved',
    act: async ({ id, sender, page }) => {
      await triggerStatus(sender, id, 'FAILED', { return_code: 'R03' })
      assert.equal((await page.deposit('bank', newBank())).status, 200)
    },
    expected: [INVITED, ON_ITS_WAY],
  },
]

suite('a payee without an account gets a mail that', () => {
  for (const { what, amount = 10, fromWallet = false, act, expected } of stories) {
    test(what, async () => {
      const sender = await newSender(service, (await service.newOwner()).api)
      const account = fromWallet ? await newWallet(sender) : sender.bankId
      const paid = await payNewRecipient(service, sender, { amount, account })
      await act({ ...paid, sender })
      await tellAll()
      assert.deepEqual(await told(paid.email), expected)
      assert.equal((await paid.page.read()).status, 200, 'the first link is still good')
    })
  }
})

suite('a notice', () => {
  test('gives the reason and the deadline, as text and as HTML, and from the sender only its name', async () => {
    const sender = await newSender(service)
    await sender.put('/v3/user', { user: { business_name: 'Ada <b>& Sons' } })
    const { id, email } = await payNewRecipient(service, sender, { amount: 1_234.5, description: 'Invoice 7' })
    await triggerStatus(sender, id, 'FAILED', { return_code: 'R02' })
    await tellAll()
    const [mail] = await mailsTo(service, email)
    const token = await mailedToken(service, email)
    assert.equal(mail?.subject, 'Choose another account for your payment of $1,234.50 from "Ada <b>& Sons"')
    const [first, link, until, ...others] = (mail?.text ?? '').split('\n\n')
    assert.equal(
      first,
      'Your payment of $1,234.50 from "Ada <b>& Sons" was returned: the bank account is closed. Choose another account:',
    )
    assert.equal(link, `${baseUrl}/pay/${token}`)
    assert.match(
      until ?? '',
      /^You have until [A-Z]\w+ \d+, \d{4} \(Pacific Time\)\. After that, the money goes back to the sender\.$/,
    )
    assert.match(others.join('\n\n'), /do not forward .*To stop emails .*\/unsubscribe\/[\w-]+\n$/s)
    const [row] = await deps.sql<{ contentSealed: Buffer }[]>`
      select content_sealed from mails where recipient = ${email} order by created_at desc, id desc limit 1
    `
    const { html } = JSON.parse(deps.keyRing.openText(row?.contentSealed as Buffer, 'mail'))
    assert.ok(html.includes('>Ada &#60;b&#62;&#38; Sons</p>'), 'it starts with the name of the sender')
    assert.ok(html.includes('from &#34;Ada &#60;b&#62;&#38; Sons&#34; was returned: the bank account is closed.'), html)
    assert.ok(html.includes(`<a href="${baseUrl}/pay/${token}"`) && html.includes('>Choose another account</a>'), html)
    assert.ok(!`${html}${mail?.text}`.includes('Invoice 7'))
    await triggerStatus(sender, id, 'REFUNDED')
    await tellAll()
    const [refunded] = await mailsTo(service, email)
    assert.ok(refunded?.text.includes(`\n\nView payment:\n${baseUrl}/pay/${await mailedToken(service, email)}\n`))
  })

  test('is sent once for each of many payments, even by four workers', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const paid = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const email = newEmail()
        return { email, id: (await sendPayment(sender, { recipient: email })).id as string }
      }),
    )
    await tellAll()
    await Promise.all(paid.map(({ id }) => triggerStatus(sender, id, 'PAID')))
    await Promise.all(Array.from({ length: 4 }, () => tellAll()))
    await tellAll()
    for (const { email } of paid) assert.deepEqual(await told(email), [INVITED, PAID])
  })

  test('that cannot be written is retried, sent once, and delays no other', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const [broken, other] = [await payNewRecipient(service, sender), await payNewRecipient(service, sender)]
    for (const { id } of [broken, other]) await triggerStatus(sender, id, 'PAID')
    const repair = await breakRows(service.ownerSql, { table: 'mails', column: 'recipient', value: broken.email })
    const failing = { ...deps, failures: createFailures() }
    await tellAll(failing)
    assert.deepEqual([await told(broken.email), await told(other.email)], [[INVITED], [INVITED, PAID]])
    assert.equal((await broken.page.read()).status, 200)
    await repair()
    realClock.advance(10)
    await tellAll(failing)
    assert.deepEqual(
      [await told(broken.email), await told(other.email)],
      [
        [INVITED, PAID],
        [INVITED, PAID],
      ],
    )
  })

  test('is not sent to users and owners, or to phone numbers', async () => {
    const platform = await service.newOwner()
    const sender = await newSender(service, platform.api)
    const [payee, owner] = [await newPayee(service, platform.api), await service.newOwner()]
    const before = (await deps.sql`select 1 from mails`).length
    for (const recipient of [payee.userId, owner.email, '+14155552671']) {
      const { id } = await sendPayment(sender, { recipient })
      await triggerStatus(sender, id, 'PAID')
      await triggerStatus(sender, id, 'FAILED', { return_code: 'R02' })
    }
    await tellAll()
    assert.equal((await deps.sql`select 1 from mails`).length, before)
  })

  test('is not sent to a payee who refuses mail, and its link stays valid', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const { id, email, page } = await payNewRecipient(service, sender)
    const [mail] = await mailsTo(service, email)
    const [path] = /\/unsubscribe\/[\w-]+/.exec(mail?.text ?? '') ?? []
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = 'List-Unsubscribe=One-Click'
    assert.equal((await fetch(`${baseUrl}${path}`, { method: 'POST', headers, body })).status, 200)
    await triggerStatus(sender, id, 'PAID')
    await tellAll()
    assert.deepEqual([await told(email), (await page.read()).status], [[INVITED], 200])
  })

  test('above the limit per payee waits until the next day, and is then up to date', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const email = newEmail()
    const ids: string[] = []
    for (let count = 0; count < 10; count++) ids.push((await sendPayment(sender, { recipient: email })).id)
    await tellAll()
    await triggerStatus(sender, ids[0] as string, 'PAID')
    await tellAll()
    await triggerStatus(sender, ids[0] as string, 'FAILED', { return_code: 'R03' })
    await tellAll()
    assert.equal((await told(email)).length, 10)
    realClock.advance(DAY)
    await tellAll()
    assert.deepEqual((await told(email)).slice(10), [ACCOUNT])
  })

  test('of a suspended platform waits, and of a closed one is not sent', async () => {
    const { id: platformId, api } = await service.newOwner()
    const sender = await newSender(service, api)
    const [first, second] = [await payNewRecipient(service, sender), await payNewRecipient(service, sender)]
    const decide = (event: OperatorEvent) =>
      inTransaction(deps, (tx) => decideUser(tx, { platformId, userId: platformId }, event))
    await triggerStatus(sender, first.id, 'PAID')
    await decide('suspend')
    await tellAll()
    assert.deepEqual(await told(first.email), [INVITED])
    await decide('verify')
    realClock.advance(2 * HOUR)
    await tellAll()
    assert.deepEqual(await told(first.email), [INVITED, PAID])
    await triggerStatus(sender, second.id, 'PAID')
    await decide('close')
    await tellAll()
    assert.deepEqual(await told(second.email), [INVITED])
    assert.equal((await deps.sql`select 1 from waiting_invitations where platform_id = ${platformId}`).length, 0)
  })

  test('contains a link that shares the count of wrong PINs with earlier ones', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const { id, email, page } = await payNewRecipient(service, sender, { pin: { value: 'blue horse 7' } })
    await triggerStatus(sender, id, 'FAILED', { return_code: 'R02' })
    await tellAll()
    const renewed = openLink(service, await mailedToken(service, email))
    for (const link of [page, renewed, page, renewed, page]) assert.equal((await link.tryPin('wrong')).status, 400)
    for (const link of [page, renewed]) assert.equal((await link.tryPin('blue horse 7')).status, 429)
    assert.equal((await sender.post(`/v3/check/notify/${id}`)).status, 204)
    const newest = openLink(service, await mailedToken(service, email))
    assert.deepEqual([(await page.read()).status, (await renewed.read()).status], [404, 404])
    assert.equal((await newest.tryPin('blue horse 7')).status, 429)
    assert.deepEqual(await told(email), [INVITED, ACCOUNT, ACCOUNT])
  })

  test('reminds a payee once who has not chosen for seven days, and the earlier link stays valid', async () => {
    const sender = await newSender(service, (await service.newOwner()).api)
    const open = await payNewRecipient(service, sender)
    const chosen = await payNewRecipient(service, sender)
    assert.equal((await chosen.page.deposit('bank', newBank())).status, 200)
    realClock.advance(6 * DAY)
    await tellAll()
    assert.deepEqual(await told(open.email), [INVITED])
    realClock.advance(DAY)
    await tellAll()
    realClock.advance(30 * DAY)
    await tellAll()
    assert.deepEqual(await told(open.email), [INVITED, 'Reminder: you have a payment'])
    assert.deepEqual(await told(chosen.email), [INVITED, ON_ITS_WAY])
    for (const page of [open.page, openLink(service, await mailedToken(service, open.email))])
      assert.equal((await page.read()).body.options.length > 0, true)
  })
})

test('in production a notice is sent when the bank accepts the file, and when the payee’s bank returns the entry', async (t) => {
  const files = await startFileService(t)
  const sender = await files.newUser()
  await addVerifiedBank(sender)
  const email = newEmail()
  const { id } = await sendPayment(sender, { amount: 77, recipient: email })
  const toldThere = async () => {
    while ((await inviteRecipients(files.deps, files.baseUrl)) > 0);
    const rows = await files.deps.sql<{ contentSealed: Buffer }[]>`
      select content_sealed from mails where recipient = ${email} order by created_at, id
    `
    const mails = rows.map((row) => JSON.parse(files.deps.keyRing.openText(row.contentSealed, 'mail')))
    for (const { text } of mails) files.secrets.add(/\/pay\/(\w{40})/.exec(text)?.[1] as string)
    return mails as { subject: string; text: string }[]
  }
  const [invitation] = await toldThere()
  const page = openLink(files, /\/pay\/(\w{40})/.exec(invitation?.text ?? '')?.[1] as string)
  assert.equal((await page.deposit('bank', newBank())).status, 200)
  const push = await untilPaid(files, sender, id, 7_700)
  assert.deepEqual(
    (await toldThere()).map(({ subject }) => subject.replace(/ of .*"/, '')),
    [INVITED, PAID],
  )
  await files.receive('return.ach', bankFile([{ code: 'R03', trace: push.trace, direction: 'credit', cents: 7_700 }]))
  const [, , returned, ...others] = await toldThere()
  assert.equal(others.length, 0)
  assert.match(returned?.text ?? '', /was returned: the bank has no such account\. Choose another account:/)
  assert.deepEqual((await page.read()).body.options, ['BANK'])
})
