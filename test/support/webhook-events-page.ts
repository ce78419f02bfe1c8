import { hash } from 'node:crypto'
import { webhookDocument } from '../../src/operation/app/webhook-document.ts'
import { triggers } from '../../src/operation/cli/trigger-command.ts'
import { EVENT_TYPES, type EventType } from '../../src/webhook/event/event-rules.ts'
import { eventTypes, paymentEventTitle } from '../../web/src/pages/webhooks/event-words.ts'
import { sendPayment, triggerStatus } from './payments.ts'
import { addVerifiedBank, startTestService, type TestService } from './service.ts'

/** The nouns of `remit trigger`. */
const TRIGGER_NOUNS: Record<string, EventType> = {
  payment: 'CHECK',
  bank: 'BANK',
  user: 'USER',
  wallet: 'PREFUND_ACCOUNT',
}

/** Returns the page with every webhook event, from the tables of the program and with bodies that a service sent. */
export async function webhookEventsPage(databaseUrl: string): Promise<string> {
  const bodies = await recordBodies(databaseUrl)
  return [
    '# Webhook events',
    '',
    'This page lists every webhook event, with its names in the API, in the dashboard and in `remit trigger`, and the thin and the full body of each type.',
    '[Webhooks](webhooks.md) explains how to receive them. `npm run generate` writes this page from the tables of the program.',
    '',
    '## All events',
    '',
    '`type` and `status` are in the body. The dashboard has names for people. `npx remit-payments trigger NAME` causes an event in the sandbox.',
    'Other events follow from the calls of the API. `event`, `date` and `object` are only in full bodies, which an endpoint chooses',
    '([Full bodies](webhooks.md#full-bodies)).',
    '',
    '| `type` | `status` | Dashboard | Trigger |',
    '|---|---|---|---|',
    ...EVENT_TYPES.flatMap(rowsOf),
    '',
    ...EVENT_TYPES.flatMap((type) => sectionOf(type, bodies)),
  ].join('\n')
}

function rowsOf(type: EventType): string[] {
  const name = wordsOf(type).event
  return statusesOf(type).map((status) => {
    const title = type === 'CHECK' && status ? paymentEventTitle(status) : name
    const trigger = triggerOf(type, status)
    return `| \`${type}\` | ${status ? `\`${status}\`` : ''} | ${title} | ${trigger ? `\`${trigger}\`` : ''} |`
  })
}

const wordsOf = (type: EventType) => {
  const words = eventTypes.find((one) => one.type === type)
  if (!words) throw new Error(`the dashboard has no words for ${type}`)
  return words
}

/** The statuses that a body can have. A wallet has a balance and no status. */
function statusesOf(type: EventType): (string | null)[] {
  const { properties } = webhookDocument[type].post.requestBody.content['application/json'].schema
  const { status } = properties as { status?: { enum?: string[] } }
  return status?.enum ?? [null]
}

function triggerOf(type: EventType, status: string | null): string | undefined {
  return Object.keys(triggers).find((name) => {
    const [noun = '', what = ''] = name.split('.')
    return TRIGGER_NOUNS[noun] === type && (status === null || what.toUpperCase() === status)
  })
}

function sectionOf(type: EventType, bodies: Map<EventType, Bodies>): string[] {
  const { summary } = webhookDocument[type].post
  const { plural } = wordsOf(type)
  const example = bodies.get(type)
  if (example === undefined) throw new Error(`no event of type ${type} was sent`)
  return [
    `## ${type}`,
    '',
    `${summary}. The dashboard lists these events as *${plural}*.`,
    '',
    '```json',
    example.thin,
    '```',
    '',
    'The full body:',
    '',
    '```json',
    JSON.stringify(JSON.parse(example.full), null, 2),
    '```',
    '',
  ]
}

type Bodies = { thin: string; full: string }

/** Causes an event of each type on a service. @returns the last bodies by type, with ids that are the same each time */
async function recordBodies(databaseUrl: string): Promise<Map<EventType, Bodies>> {
  const ends: (() => unknown)[] = []
  try {
    const service = await startTestService({ after: (end) => void ends.unshift(end) }, { databaseUrl })
    const { body: listener } = await service.owner.post('/v3/webhook/listener', { body_format: 'FULL' })
    await causeEvents(service)
    const bodies = new Map<EventType, Bodies>()
    for (const full of await takeBodies(service, listener.id)) {
      const [thin = ''] = full.split(',"event":"')
      bodies.set(JSON.parse(full).type, { thin: `${withFixedIds(thin)}}`, full: withFixedIds(full) })
    }
    return bodies
  } finally {
    for (const end of ends) await end()
  }
}

/** Returns all due bodies of a listener, in the order of each object. */
async function takeBodies({ owner }: TestService, listenerId: string): Promise<string[]> {
  const bodies: string[] = []
  let results: object[] = []
  for (;;) {
    const { body } = await owner.post(`/v3/webhook/listener/${listenerId}`, { results })
    const deliveries: { event: string; attempt: number; body: string }[] = body.deliveries
    if (deliveries.length === 0) return bodies
    bodies.push(...deliveries.map((delivery) => delivery.body))
    results = deliveries.map(({ event, attempt }) => ({
      event,
      attempt,
      outcome: 'acknowledged',
      status: 204,
      duration_ms: 5,
    }))
  }
}

/** Replaces values that differ between services: ids, and the last digits of accounts. */
const withFixedIds = (body: string): string =>
  body
    .replaceAll(/"(\w+)":"[0-9a-f]{32}"/g, (_whole, name) => `"${name}":"${hash('md5', name)}"`)
    .replaceAll(/("account":"\**)\d{4}"/g, (_whole, start) => `${start}6789"`)

/** The owner causes all events except those of a user, so that the full bodies have their objects. */
async function causeEvents(service: TestService): Promise<void> {
  const { owner } = service
  const alice = await service.newUser('alice')
  await alice.put('/v3/user/webhook', { status: 'VERIFIED' })
  const bank = await addVerifiedBank(owner)
  await triggerStatus(owner, (await sendPayment(owner)).id, 'PAID')
  const { body: wallet } = await owner.post('/v3/account/wallet', { name: 'Payouts' })
  await owner.post(`/v3/sandbox/wallet/${wallet.id}/fund`, { amount: 100 })
  const request = { amount: 250, name: 'Carol', recipient: 'carol@example.com', description: 'Painting' }
  await owner.del(`/v3/invoice/${(await owner.post('/v3/invoice', request)).body.id}`)
  const rent = { amount: 1850, name: 'Elm Street', recipient: 'rent@elm.example', interval: 'MONTHLY' }
  await owner.del(`/v3/subscription/${(await owner.post('/v3/subscription/check', rent)).body.id}`)
  const address = { name: 'Alice Sender', line_1: '500 Market St', city: 'San Francisco', state: 'CA', zip: '94105' }
  const order = { account: bank, number: 5001, mail_type: 'USPS_FIRST_CLASS', recipient: address }
  await owner.del(`/v3/checkbook/${(await owner.post('/v3/checkbook', order)).body.id}`)
  const { body: mailbox } = await owner.post('/v3/mailbox', {})
  await owner.post(`/v3/sandbox/mailbox/${mailbox.id}/mail`, { sender: 'Dana Supplier LLC', recipient: 'Alice Sender' })
}
