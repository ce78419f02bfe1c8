import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { sendPayment, triggerStatus } from './support/payments.ts'
import { startReceiver } from './support/receiver.ts'
import { addBank, addVerifiedBank, startTestService } from './support/service.ts'
import {
  attemptsOf,
  deliveryStatuses,
  isAuthentic,
  newPayee,
  newSender,
  nonceOf,
  readWebhookKey,
  setWebhook,
} from './support/webhooks.ts'

// The content, signature and receivers of webhooks. Retries are tested in webhook-delivery.test.ts.

const service = await startTestService({ after })

suite('signature', () => {
  test('the receiver of the specification accepts the published example, and nothing that differs from it', () => {
    const key = '335b5728e25b47e88995fce207bff380'
    const body = '{"status": "PAID", "id": "ed0af5fb335c47dd8eb53199ba50f5c4", "type": "CHECK"}'
    const digest = '4ee9758fc0bceb3ca1a2fe397fbd125364cfffdb04296fa118dab9778a4b3ce3'
    const headers = { signature: `nonce=1243549809,signature=${digest}` }
    assert.equal(isAuthentic({ headers, body }, key), true)
    assert.equal(isAuthentic({ headers, body: body.replaceAll(' ', '') }, key), false)
    assert.equal(isAuthentic({ headers, body }, key.toUpperCase()), false)
    assert.equal(isAuthentic({ headers: { signature: `nonce=1243549808,signature=${digest}` }, body }, key), false)
  })

  test('the four steps of specification.md 7.3 verify a webhook only with the key of the user who set the URL', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await service.deliverWebhooks()
    const [received] = receiver.received
    assert.ok(received)
    assert.equal(received.headers['content-type'], 'application/json')
    assert.deepEqual(JSON.parse(received.body), { id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' })
    assert.equal(isAuthentic(received, await readWebhookKey(sender)), true)
    assert.equal(isAuthentic(received, await readWebhookKey(service.owner)), false)
    assert.equal(isAuthentic({ ...received, body: `${received.body} ` }, await readWebhookKey(sender)), false)
  })

  test("a Standard Webhooks library also accepts it, although the platform's time is far from the real one", async (t) => {
    service.clock.advance(-400 * 24 * 60 * 60)
    const before = Math.floor(Date.now() / 1000)
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await service.deliverWebhooks()
    service.clock.advance(400 * 24 * 60 * 60)
    const { headers, body } = receiver.received[0] as (typeof receiver.received)[0]
    const secretOf = (key: string) => `whsec_${Buffer.from(key).toString('base64')}`
    const library = new Webhook(secretOf(await readWebhookKey(sender)))
    assert.deepEqual(library.verify(body, headers as Record<string, string>), JSON.parse(body))
    const timestamp = Number(headers['webhook-timestamp'])
    assert.ok(timestamp >= before && timestamp <= Date.now() / 1000, `${timestamp} is not the time of the delivery`)
    const ofAnother = new Webhook(secretOf(await readWebhookKey(service.owner)))
    assert.throws(() => ofAnother.verify(body, headers as Record<string, string>))
  })

  test('each attempt has its own nonce, and the same bytes and id', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const key = await readWebhookKey(sender)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
    for (const seconds of [0, 30, 60, 120]) {
      service.clock.advance(seconds)
      await service.deliverWebhooks()
    }
    assert.equal(receiver.received.length, 4)
    assert.ok(receiver.received.every((received) => isAuthentic(received, key)))
    assert.equal(new Set(receiver.received.map(nonceOf)).size, 4)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('the webhook key stays the same when API keys change', async () => {
    const user = await service.newUser()
    const first = (await user.post('/v3/user/api_key', { name: 'one' })).body
    const second = (await user.post('/v3/user/api_key', { name: 'two' })).body
    assert.match(first.webhook_key, /^[0-9a-f]{32}$/)
    assert.equal(second.webhook_key, first.webhook_key)
    await user.del(`/v3/user/api_key/${first.id}`)
    assert.equal(await readWebhookKey(user), first.webhook_key)
  })
})

suite('events', () => {
  test('creating a payment sends nothing, and each change of its status does', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 0)
    for (const status of ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED']) {
      await triggerStatus(sender, id, status)
      await service.deliverWebhooks()
    }
    assert.deepEqual(
      receiver.events().map(({ status }) => status),
      ['IN_PROCESS', 'PAID', 'FAILED', 'REFUNDED'],
    )
    assert.ok(receiver.events().every((event) => event.id === id && event.deposit_option === 'ACH'))
  })

  test('a payment into an account of the recipient is IN_PROCESS by ACH at once, and reports it', async (t) => {
    const receiver = await startReceiver(t)
    const [sender, payee] = [await newSender(service), await newPayee(service)]
    await setWebhook(sender, receiver.url)
    const { id, status } = await sendPayment(sender, { recipient: { id: payee.id, account: payee.bankId } })
    assert.equal(status, 'IN_PROCESS')
    await service.deliverWebhooks()
    assert.deepEqual(receiver.events(), [{ id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' }])
  })

  test('a void or an expiry of a payment without a deposit has no deposit_option, not even null', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const [voided, expired] = [await sendPayment(sender), await sendPayment(sender)]
    await sender.del(`/v3/check/${voided.id}`)
    await triggerStatus(sender, expired.id, 'EXPIRED')
    await service.deliverWebhooks()
    assert.deepEqual(
      new Set(receiver.received.map(({ body }) => body)),
      new Set([
        `{"id":"${voided.id}","status":"VOID","type":"CHECK"}`,
        `{"id":"${expired.id}","status":"EXPIRED","type":"CHECK"}`,
      ]),
    )
  })

  test('a printed and a mailed check name their rail', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'PRINTED')
    await service.deliverWebhooks()
    await triggerStatus(sender, (await sendPayment(sender)).id, 'MAILED')
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.events().map(({ status, deposit_option }) => [status, deposit_option]),
      [
        ['PRINTED', 'PRINT'],
        ['IN_PROCESS', 'MAIL'],
        ['MAILED', 'MAIL'],
      ],
    )
  })

  test('a refused change sends nothing', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'PAID')
    await service.deliverWebhooks()
    assert.equal((await sender.del(`/v3/check/${id}`)).status, 400)
    assert.equal((await sender.put(`/v3/check/webhook/${id}`, { status: 'VOID' })).status, 400)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 2)
  })

  test('two changes in one millisecond arrive in their order, for each of forty payments', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const payments = await Promise.all(Array.from({ length: 40 }, () => sendPayment(sender)))
    await Promise.all(payments.map(({ id }) => triggerStatus(sender, id, 'REFUNDED')))
    await service.deliverWebhooks()
    for (const { id } of payments) {
      const statuses = receiver.events().flatMap((event) => (event.id === id ? [event.status] : []))
      assert.deepEqual(statuses, ['IN_PROCESS', 'FAILED', 'REFUNDED'])
    }
  })

  test('the retry of an event delays neither later events of its payment nor other payments', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    const [first, other] = [await sendPayment(sender), await sendPayment(sender)]
    receiver.answer = 503
    await triggerStatus(sender, first.id, 'IN_PROCESS')
    await service.deliverWebhooks()
    receiver.answer = 200
    await triggerStatus(sender, first.id, 'PAID')
    await service.deliverWebhooks()
    await triggerStatus(sender, other.id, 'IN_PROCESS')
    await service.deliverWebhooks()
    service.clock.advance(29)
    await service.deliverWebhooks()
    service.clock.advance(1)
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.events().map(({ id, status }) => [id, status]),
      [
        [first.id, 'IN_PROCESS'],
        [first.id, 'PAID'],
        [other.id, 'IN_PROCESS'],
        [first.id, 'IN_PROCESS'],
      ],
    )
  })
})

suite('who is told', () => {
  test('sender, recipient and their owner, each signed with the key of the user who set the URL', async (t) => {
    const [atSender, atPayee, atOwner] = [await startReceiver(t), await startReceiver(t), await startReceiver(t)]
    const owner = (await service.newOwner()).api
    const [sender, payee] = [await newSender(service, owner), await newPayee(service, owner)]
    await setWebhook(sender, atSender.url)
    await setWebhook(payee, atPayee.url)
    await setWebhook(owner, atOwner.url)
    await sendPayment(sender, { recipient: { id: payee.id, account: payee.bankId } })
    await service.deliverWebhooks()
    for (const [receiver, user] of [
      [atSender, sender],
      [atPayee, payee],
      [atOwner, owner],
    ] as const) {
      assert.equal(receiver.received.length, 1)
      const key = await readWebhookKey(user)
      assert.ok(receiver.received.every((received) => isAuthentic(received, key)))
    }
    const bodies = [atSender, atPayee, atOwner].map(({ received }) => received[0]?.body)
    assert.equal(new Set(bodies).size, 1)
  })

  test('no other: neither another user of the platform nor another platform', async (t) => {
    const receiver = await startReceiver(t)
    const stranger = await service.newOwner()
    await setWebhook(await service.newUser(), receiver.url)
    await setWebhook(stranger.api, receiver.url)
    const sender = await newSender(service)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'PAID')
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 0)
  })

  test('the recipient on another platform, for every change', async (t) => {
    const receiver = await startReceiver(t)
    const other = await service.newOwner()
    await setWebhook(other.api, receiver.url)
    const sender = await newSender(service)
    const { id } = await sendPayment(sender, { recipient: other.email })
    const account = await addBank(other.api)
    await service.applyOutbox()
    assert.equal((await other.api.post(`/v3/check/deposit/${id}`, { account })).status, 201)
    await triggerStatus(sender, id, 'PAID')
    await service.deliverWebhooks()
    assert.deepEqual(
      receiver.events().map(({ status }) => status),
      ['IN_PROCESS', 'PAID'],
    )
    assert.ok(receiver.received.every((received) => isAuthentic(received, other.webhookKey)))
  })

  test('the same URL of two users gets each event twice, with two keys', async (t) => {
    const receiver = await startReceiver(t)
    const owner = (await service.newOwner()).api
    const sender = await newSender(service, owner)
    await setWebhook(sender, receiver.url)
    await setWebhook(owner, receiver.url)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
    await service.deliverWebhooks()
    const keys = [await readWebhookKey(sender), await readWebhookKey(owner)]
    assert.equal(receiver.received.length, 2)
    for (const key of keys) {
      assert.equal(receiver.received.filter((received) => isAuthentic(received, key)).length, 1)
    }
  })

  test('an owner that sends from its own bank is notified once', async (t) => {
    const receiver = await startReceiver(t)
    const owner = (await service.newOwner()).api
    await setWebhook(owner, receiver.url)
    await addVerifiedBank(owner)
    await triggerStatus(owner, (await sendPayment(owner)).id, 'IN_PROCESS')
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, 1)
  })
})

suite('webhook_uri', () => {
  test('may be https everywhere and http at localhost, with at most 256 characters; a refusal names the field', async () => {
    const user = await service.newUser()
    const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'x')
    for (const url of ['https://example.com/hook', 'http://localhost:9/hook', ofLength(256), null]) {
      const { status, text } = await user.put('/v3/user', { developer: { webhook_uri: url } })
      assert.deepEqual([status, text], [200, '{}'], String(url))
    }
    for (const url of ['http://example.com', 'https://a:b@example.com/', 'https://10.0.0.1/', ofLength(257), '', 7]) {
      const { status, body } = await user.put('/v3/user', { developer: { webhook_uri: url } })
      assert.equal(status, 400, String(url))
      assert.ok(body.errors['developer.webhook_uri'], String(url))
    }
  })

  test('where local webhooks are off, http and localhost are refused, and one set before gets nothing', async (t) => {
    const receiver = await startReceiver(t)
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'IN_PROCESS')
    const { databaseUrl, keyRing } = service
    const strict = await startTestService(t, { databaseUrl, keyRing, settings: { allowsLocalWebhooks: false } })
    for (const url of [receiver.url, 'https://localhost/', 'https://127.0.0.1/']) {
      const answer = await strict.as(sender.credential).put('/v3/user', { developer: { webhook_uri: url } })
      assert.equal(answer.status, 400, url)
    }
    strict.clock.advance(24 * 60 * 60)
    await strict.deliverWebhooks()
    assert.equal(receiver.received.length, 0)
    const [attempt] = await attemptsOf(strict.deps.sql, sender.id)
    assert.deepEqual([attempt?.outcome, attempt?.error], ['unreachable', 'the URL must be an https URL'])
  })

  test('a change moves the retries to the new URL, and null fails pending deliveries', async (t) => {
    const [before, after] = [await startReceiver(t), await startReceiver(t)]
    before.answer = 500
    const sender = await newSender(service)
    await setWebhook(sender, before.url)
    const { id } = await sendPayment(sender)
    await triggerStatus(sender, id, 'IN_PROCESS')
    await service.deliverWebhooks()
    await setWebhook(sender, after.url)
    service.clock.advance(30)
    await service.deliverWebhooks()
    assert.deepEqual([before.received.length, after.received.length], [1, 1])
    assert.equal(before.received[0]?.body, after.received[0]?.body)

    after.answer = 500
    await triggerStatus(sender, id, 'PAID')
    await service.deliverWebhooks()
    await setWebhook(sender, null)
    assert.deepEqual(await deliveryStatuses(service.deps.sql, sender.id), ['DELIVERED', 'FAILED'])
    await triggerStatus(sender, id, 'FAILED')
    service.clock.advance(24 * 60 * 60)
    await service.deliverWebhooks()
    assert.deepEqual([before.received.length, after.received.length], [1, 2])
  })

  test('a deleted user gets no more events', async (t) => {
    const receiver = await startReceiver(t)
    receiver.answer = 500
    const sender = await newSender(service)
    await setWebhook(sender, receiver.url)
    await triggerStatus(sender, (await sendPayment(sender)).id, 'VOID')
    await service.deliverWebhooks()
    assert.equal((await service.owner.del(`/v3/user/${sender.id}`)).status, 200)
    const countBefore = receiver.received.length
    service.clock.advance(24 * 60 * 60)
    await service.deliverWebhooks()
    assert.equal(receiver.received.length, countBefore)
  })
})
