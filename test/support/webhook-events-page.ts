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

/** The page with every webhook event: from the tables of the program, and with bodies that a service sent. */
export async function webhookEventsPage(databaseUrl: string): Promise<string> {
  const bodies = await recordBodies(databaseUrl)
  return [
    '# Webhook events',
    '',
    'This page lists every webhook event, with its names in the API, in the dashboard and in `remit trigger`, and the body of each type.',
    '[Webhooks](webhooks.md) explains how to receive them. `npm run generate` writes this page from the tables of the program.',
    '',
    '## All events',
    '',
    '`type` and `status` are in the body. The dashboard has names for people. `npx remit-payments trigger NAME` causes an event in the sandbox.',
    'Other events follow from the calls of the API.',
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

function sectionOf(type: EventType, bodies: Map<string, string>): string[] {
  const { summary } = webhookDocument[type].post
  const { about, plural } = wordsOf(type)
  const body = bodies.get(type)
  if (body === undefined) throw new Error(`no event of type ${type} was sent`)
  return [`## ${type}`, '', `${summary}. In the dashboard: *${plural}*. ${about}.`, '', '```json', body, '```', '']
}

/** Causes an event of each type on a service. @returns the last body by type, with ids that are the same each time */
async function recordBodies(databaseUrl: string): Promise<Map<string, string>> {
  const ends: (() => unknown)[] = []
  try {
    const service = await startTestService({ after: (end) => void ends.unshift(end) }, { databaseUrl })
    await service.owner.post('/v3/webhook/listener', {})
    await causeEvents(service)
    const { body } = await service.owner.get('/v3/webhook/event')
    const events: { type: string; body: string }[] = body.events.toReversed()
    return new Map(events.map((event) => [event.type, withFixedIds(event.body)]))
  } finally {
    for (const end of ends) await end()
  }
}

const withFixedIds = (body: string): string =>
  body.replaceAll(/"(\w+)":"[0-9a-f]{32}"/g, (_whole, name) => `"${name}":"${hash('md5', name)}"`)

async function causeEvents(service: TestService): Promise<void> {
  const alice = await service.newUser('alice')
  const bank = await addVerifiedBank(alice)
  await triggerStatus(alice, (await sendPayment(alice)).id, 'PAID')
  await alice.put('/v3/user/webhook', { status: 'VERIFIED' })
  const { body: wallet } = await alice.post('/v3/account/wallet', { name: 'Payouts' })
  await alice.post(`/v3/sandbox/wallet/${wallet.id}/fund`, { amount: 100 })
  const request = { amount: 250, name: 'Carol', recipient: 'carol@example.com', description: 'Painting' }
  await alice.del(`/v3/invoice/${(await alice.post('/v3/invoice', request)).body.id}`)
  const rent = { amount: 1850, name: 'Elm Street', recipient: 'rent@elm.example', interval: 'MONTHLY' }
  await alice.del(`/v3/subscription/${(await alice.post('/v3/subscription/check', rent)).body.id}`)
  const address = { name: 'Alice Sender', line_1: '500 Market St', city: 'San Francisco', state: 'CA', zip: '94105' }
  const order = { account: bank, number: 5001, mail_type: 'USPS_FIRST_CLASS', recipient: address }
  await alice.del(`/v3/checkbook/${(await alice.post('/v3/checkbook', order)).body.id}`)
  const { body: mailbox } = await alice.post('/v3/mailbox', {})
  await alice.post(`/v3/sandbox/mailbox/${mailbox.id}/mail`, { sender: 'Dana Supplier LLC', recipient: 'Alice Sender' })
}
