import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { JPEG, png } from './support/images.ts'
import { sendPayment } from './support/payments.ts'
import { addVerifiedBank, startTestService } from './support/service.ts'

// Images are decoded in a separate process, in turn, and only for callers who may send them.

const service = await startTestService({ after })
const { deps, newOwner, newUser } = service

/** 62 kB that decode to 32 MB. */
const LARGE = png(2_000, 2_000).toString('base64')

const order = (more: object = {}) => ({ amount: 1, name: 'Grace Hopper', recipient: 'grace@example.net', ...more })

async function newSender(owner = service.owner) {
  const user = await newUser(undefined, owner)
  await addVerifiedBank(user)
  return user
}

/** The header is valid, but the pixels are not. */
function brokenPng(width = 100, height = 100): Buffer {
  const image = png(width, height)
  image.fill(0xff, 60, image.length - 12)
  return image
}

test('this process is idle while large images are decoded', async () => {
  const sender = await newSender()
  await sender.post('/v3/check/digital', order({ attachment: png(2, 2).toString('base64') }))
  const before = performance.eventLoopUtilization()
  const images = Array.from({ length: 3 }, () => sender.post('/v3/check/digital', order({ attachment: LARGE })))
  const statuses = (await Promise.all(images)).map(({ status }) => status)
  assert.deepEqual(statuses, [201, 201, 201])
  const { utilization } = performance.eventLoopUtilization(before)
  assert.ok(utilization < 0.5, `busy for ${Math.round(utilization * 100)} % of the time`)
})

test('a platform with many images delays only itself: above its limit it gets 429, and other platforms get their turn', async () => {
  const [sender, other] = [await newSender(), await newSender((await newOwner()).api)]
  const order40 = Array.from({ length: 40 }, () => sender.post('/v3/check/digital', order({ attachment: LARGE })))
  await Promise.race(order40) // refused at once
  let unanswered = order40.length
  for (const one of order40) void one.then(() => unanswered--)
  const theirs = await other.post('/v3/check/digital', order({ attachment: LARGE }))
  assert.deepEqual([theirs.status, unanswered > 0], [201, true], 'before all images of the first platform are done')
  const answers = await Promise.all(order40)
  const refused = answers.filter(({ status }) => status !== 201)
  assert.ok(refused.length >= 30 && refused.length < 40, `${refused.length} refused`)
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.code, headers.get('retry-after')], [429, 'rate_limited', '2'])
  }
  const [{ count }] = (await deps.sql`select count(*)::int from payments where sender_id = ${sender.id}`) as [
    { count: number },
  ]
  assert.equal(count, answers.length - refused.length)
})

test('nothing is decoded for a refused payment', async () => {
  const [sender, poor] = [await newSender(), await newUser()]
  const attachment = brokenPng().toString('base64')
  const codeOf = async (by: typeof sender, more: object = {}) =>
    (await by.post('/v3/check/digital', order({ attachment, ...more }))).body.code
  assert.equal(await codeOf(sender), 'invalid_attachment')
  assert.equal(await codeOf(poor), 'no_verified_bank')
  assert.equal(await codeOf(sender, { recipient: 'nobody' }), 'invalid_recipient')
})

test('a repeated Idempotency-Key decodes nothing again, and a refused image uses none', async () => {
  const sender = await newSender()
  const [key, broken] = ['image-1', brokenPng().toString('base64')]
  const refused = await sender.post('/v3/check/digital', order({ attachment: broken }), { idempotencyKey: key })
  assert.equal(refused.body.code, 'invalid_attachment')
  const given = order({ attachment: png(20, 20).toString('base64') })
  const first = await sender.post('/v3/check/digital', given, { idempotencyKey: key })
  const second = await sender.post('/v3/check/digital', given, { idempotencyKey: key })
  assert.deepEqual([first.status, second.status, second.headers.get('idempotent-replayed')], [201, 201, 'true'])
  assert.equal(first.text, second.text)
  const [{ count }] = (await deps.sql`select count(*)::int from payments where sender_id = ${sender.id}`) as [
    { count: number },
  ]
  assert.equal(count, 1)
})

test('an image with too many pixels or bytes in its header is refused by the header', async () => {
  const sender = await newSender()
  const bomb = (depth: number, width: number, height: number) => {
    const image = png(2, 2)
    image.writeUInt32BE(width, 16)
    image.writeUInt32BE(height, 20)
    image[24] = depth
    return image.toString('base64')
  }
  const jpeg = Buffer.from(JPEG)
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(60_000, at + 5)
  jpeg.writeUInt16BE(60_000, at + 7)
  for (const attachment of [bomb(8, 30_000, 30_000), bomb(16, 4_900, 4_900), jpeg.toString('base64')]) {
    const { status, body } = await sender.post('/v3/check/digital', order({ attachment }))
    assert.deepEqual([status, body.errors], [400, { attachment: ['must have at most 25 million pixels'] }])
  }
})

test('an attachment is not decoded for a preview, and a preview does not wait for attachments', async () => {
  const [sender, other] = [await newSender(), await newSender((await newOwner()).api)]
  let unanswered = 0
  const images = Array.from({ length: 4 }, () => {
    unanswered++
    return sender.post('/v3/check/digital', order({ attachment: LARGE })).finally(() => unanswered--)
  })
  const broken = brokenPng().toString('base64')
  const preview = await other.post('/v3/check/preview', order({ attachment: broken }))
  assert.deepEqual([preview.status, unanswered > 0], [200, true])
  await Promise.all(images)
})

test('a signature that cannot be drawn is refused, and a drawable one is drawn', async () => {
  const sender = await newSender()
  const broken = await sender.post('/v3/user/signature', { signature: brokenPng().toString('base64') })
  assert.deepEqual([broken.status, broken.body.code], [400, 'invalid_signature_image'])
  const stored = await sender.post('/v3/user/signature', { signature: png(300, 100).toString('base64') })
  assert.equal(stored.status, 201)
  const { id } = await sendPayment(sender, { recipient: (await newUser()).userId })
  const printed = await sender.post(`/v3/check/print/${id}`)
  assert.equal(printed.status, 200)
})
