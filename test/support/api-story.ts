import { createHash } from 'node:crypto'
import type { ApiExample, ApiExamples } from '../../src/foundation/http/reference/document-types.ts'
import type { Answer, Api } from './api.ts'
import { type FakeClock, fakeClock } from './clock.ts'
import { JPEG } from './images.ts'
import { startReceiver } from './receiver.ts'
import { startTestService } from './service.ts'
import { newMember } from './team.ts'
import { waitUntil } from './wait-until.ts'

// Calls every operation of the API on a running service, and records the first request and answer of each as an example for the
// API reference. Ids, secrets and times are replaced, so that two recordings are identical.

const ACCOUNT = '640193827465'
const SECOND_ACCOUNT = '640193827473'
const CARD = '4242424242424242'

/** The client that plays the story, based on the one that all tests use. */
export type Through = (api: Api, baseUrl: string) => Api

/** @returns the examples by operation, sorted by operation id */
export async function recordApiExamples(databaseUrl: string, through: Through = (api) => api): Promise<ApiExamples> {
  const ends: (() => unknown)[] = []
  const lifetime = { after: (end: () => unknown) => void ends.push(end) }
  try {
    const realClock = fakeClock()
    const service = await startTestService(lifetime as never, { databaseUrl, realClock })
    const story = await playApiStory(service, { lifetime, realClock, through })
    return story.examples()
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

type Lifetime = { after(end: () => unknown): void }

/** Plays the story on the first platform of a running service, whose clocks advance with each call. */
export async function playApiStory(
  service: Service,
  { lifetime, realClock, through }: { lifetime: Lifetime; realClock: FakeClock; through: Through },
): Promise<Story> {
  // Rows created at the same moment have no order.
  const tick = () => [service.clock, realClock].forEach((clock) => void clock.advance(1))
  const receiver = await startReceiver(lifetime as never)
  receiver.answer = (response) => void response.writeHead(200).end('received')
  const { body: document } = await service.as('').get('/openapi.json')
  const story = new Story(document.paths, {
    receiverUrl: receiver.url,
    tick,
    through: (api) => through(api, service.baseUrl),
  })
  await playStory(story, service, receiver.url)
  return story
}

type Service = Awaited<ReturnType<typeof startTestService>>

async function playStory(story: Story, service: Service, receiverUrl: string): Promise<void> {
  const owner = story.by(service.owner)
  await owner.post('/v3/webhook/endpoint', { url: receiverUrl, name: 'Ledger', event_types: ['CHECK', 'BANK'] })
  await owner.get('/v3/request/settings')
  await owner.put('/v3/request/settings', { keeps_bodies: true })
  const alice = await newUser(story, service, { user_id: 'alice', name: 'Alice Sender' })
  const bob = await newUser(story, service, { user_id: 'bob', name: 'Bob Recipient' })
  await service.owner.post('/v3/user', { user_id: 'erin', name: 'Erin Recipient' })
  await playUsers(owner, alice)
  for (const prefix of ['/v3/account/bank', '/v3/bank']) await playBanks(alice, prefix)
  await playWallets(alice)
  for (const [kind, body] of Object.entries(destinations)) await playDestination(bob, `/v3/account/${kind}`, body)
  await playVirtualCards(alice, bob, service)
  await playDirectory(alice)
  await playCheckbooks(alice)
  await playMailboxes(alice)
  await playPayments(alice, bob)
  await playInvoices(alice, bob)
  await playApprovalPolicy(story, owner, service)
  await playWebhooks(owner, service)
  await playSandbox(owner, alice, service)
}

async function newUser(story: Story, service: Service, body: object): Promise<Player> {
  const { key, secret, id } = (await story.by(service.owner).post('/v3/user', body)).body
  return Object.assign(story.by(service.as(`${key}:${secret}`)), { id })
}

async function playUsers(owner: Player, alice: Player): Promise<void> {
  await owner.get('/v3/user/list')
  await owner.get('/v3/attention')
  await alice.put('/v3/user', {
    user: { first_name: 'Alice', last_name: 'Sender', dob: '1986-04-12', phone: '+12025550123' },
    merchant: {
      address: { line_1: '500 Market St', city: 'San Francisco', state: 'CA', zip: '94105', country: 'US' },
      website: 'https://alice.example',
    },
    brand: { slogan: 'Paid on time', reply_to: 'billing@alice.example' },
    developer: { webhook_uri: null },
    payment: { expiration: 90 },
  })
  await alice.get('/v3/user')
  await owner.get(`/v3/user/${alice.id}`)
  await alice.post('/v3/user/signature', { signature: JPEG.toString('base64') })
  const { body: key } = await alice.post('/v3/user/api_key', { name: 'Accounting', expiration_date: '2027-01-31' })
  await alice.get('/v3/user/api_key')
  await alice.del(`/v3/user/api_key/${key.id}`)
  const { body: replacement } = await owner.post(`/v3/user/${alice.id}/api_key`, { name: 'Replacement' })
  await owner.del(`/v3/user/${alice.id}/api_key/${replacement.id}`)
  await owner.put(`/v3/user/${alice.id}/limit`, { payment: 5_000, day: 10_000 })
  await owner.get('/v3/limit', { user: alice.id as string })
  await owner.get('/v3/search', { q: 'alice' })
  const { body: carol } = await owner.post('/v3/user', { user_id: 'carol', name: 'Carol Former' })
  await owner.del(`/v3/user/${carol.id}`)
  await alice.post('/v3/webhook/key', {})
}

async function playBanks(alice: Player, prefix: string): Promise<void> {
  const { body: bank } = await alice.post(prefix, {
    routing: '021000021',
    account: prefix === '/v3/bank' ? ACCOUNT : SECOND_ACCOUNT,
    type: 'CHECKING',
    name: 'Operating account',
  })
  await alice.post(`${prefix}/release`, { account: bank.id })
  await alice.post(`${prefix}/verify`, { account: bank.id, amount_1: 0.07, amount_2: 0.15 })
  await alice.put(`${prefix}/${bank.id}`, { name: 'Payroll', default: true })
  await alice.get(`${prefix}/${bank.id}`)
  await alice.get(prefix)
  await alice.del(`${prefix}/${bank.id}`)
  const { body: list } = await alice.get(`${prefix}/institutions`)
  await alice.post(`${prefix}/iav`, {
    institution_id: list.institutions[0].id,
    username: 'user_good',
    password: 'pass_good',
  })
  await alice.post(`${prefix}/iav/plaid`, { processor_token: 'processor-sandbox-good' })
}

async function playWallets(alice: Player): Promise<void> {
  const { body: wallet } = await alice.post('/v3/account/wallet', { name: 'Payouts' })
  await alice.post(`/v3/sandbox/wallet/${wallet.id}/fund`, { amount: 2500 })
  await alice.put(`/v3/account/wallet/${wallet.id}`, { name: 'Weekly payouts' })
  await alice.get(`/v3/account/wallet/${wallet.id}`)
  await alice.get('/v3/account/wallet')
  await alice.get(`/v3/account/wallet/${wallet.id}/transaction`)
  const { body: empty } = await alice.post('/v3/account/wallet', { name: 'Unused' })
  await alice.del(`/v3/account/wallet/${empty.id}`)
}

const destinations = {
  card: { card_number: CARD, expiration_date: '2029-08', name: 'Bob’s card' },
  paypal: { username: 'bob@example.com' },
  venmo: { username: '@bob-recipient' },
  interac: { username: 'bob@example.ca' },
  wire: { account: 'DE89370400440532013000', routing: 'DEUTDEFF500', type: 'BUSINESS', name: 'Frankfurt' },
}

async function playDestination(bob: Player, url: string, given: object): Promise<void> {
  const { body: added } = await bob.post(url, given)
  await bob.put(`${url}/${added.id}`, { name: 'Renamed' })
  await bob.get(`${url}/${added.id}`)
  await bob.get(url)
  await bob.del(`${url}/${added.id}`)
}

async function playVirtualCards(alice: Player, bob: Player, service: Service): Promise<void> {
  const url = '/v3/account/vcc'
  const { body: card } = await bob.post(url, { email: 'bob@example.com', phone: '+12025550143' })
  const { body: wallet } = await alice.post('/v3/account/wallet', { name: 'Rewards' })
  await service.as(alice.credential as string).post(`/v3/sandbox/wallet/${wallet.id}/fund`, { amount: 100 })
  await service.as(alice.credential as string).post('/v3/check/digital', {
    amount: 40,
    name: 'Bob Recipient',
    description: 'Reward',
    account: wallet.id,
    recipient: { id: 'bob', account: card.id },
  })
  service.clock.advance(60)
  await service.doDueWork()
  await bob.put(`${url}/${card.id}`, { name: 'Online purchases', default: true })
  const { body: spent } = await bob.post(`/v3/sandbox/vcc/${card.id}/spend`, { amount: 12.5, description: 'Books' })
  await bob.get(`${url}/${card.id}/transaction`)
  await bob.get(`${url}/${card.id}/transaction/${spent.id}`)
  await bob.get(url)
  const { body: unused } = await bob.post(url, {})
  await bob.del(`${url}/${unused.id}`)
}

async function playDirectory(alice: Player): Promise<void> {
  const { body: entry } = await alice.post('/v3/directory', {
    name: 'Dana Supplier',
    email: 'dana@example.com',
    address: { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' },
  })
  const url = `/v3/directory/${entry.id}`
  await alice.put(url, { name: 'Dana Supplier LLC' })
  const bank = { routing: '021000021', account: SECOND_ACCOUNT, type: 'BUSINESS', name: 'Operating account' }
  await alice.post(`${url}/account/bank`, bank)
  const { body: card } = await alice.post(`${url}/account/card`, { card_number: CARD, expiration_date: '2029-08' })
  await alice.get('/v3/directory')
  await alice.get(url)
  await alice.del(`${url}/account/${card.id}`)
  await alice.del(url)
}

async function playCheckbooks(alice: Player): Promise<void> {
  const { body: bank } = await alice.post('/v3/bank', {
    routing: '021000021',
    account: SECOND_ACCOUNT,
    type: 'CHECKING',
  })
  await alice.post('/v3/bank/release', { account: bank.id })
  await alice.post('/v3/bank/verify', { account: bank.id, amount_1: 0.07, amount_2: 0.15 })
  const recipient = { name: 'Alice Sender', line_1: '500 Market St', city: 'San Francisco', state: 'CA', zip: '94105' }
  const order = { account: bank.id, number: 5001, mail_type: 'USPS_FIRST_CLASS', recipient }
  const { body: book } = await alice.post('/v3/checkbook', order)
  await alice.get(`/v3/checkbook/${book.id}`)
  await alice.get(`/v3/checkbook/${book.id}/tracking`)
  await alice.get('/v3/checkbook')
  await alice.del(`/v3/checkbook/${book.id}`)
  await alice.del(`/v3/bank/${bank.id}`)
}

async function playMailboxes(alice: Player): Promise<void> {
  const { body: mailbox } = await alice.post('/v3/mailbox', {})
  await alice.get('/v3/mailbox')
  const url = `/v3/mailbox/${mailbox.id}`
  await alice.get(url)
  const check = {
    routing: '021000021',
    account: SECOND_ACCOUNT,
    number: '1042',
    amount: 75.25,
    name: 'Dana Supplier LLC',
  }
  const letter = { sender: 'Dana Supplier LLC', recipient: 'Alice Sender', tags: ['refund'], checks: [check] }
  const { body: received } = await alice.post(`/v3/sandbox/mailbox/${mailbox.id}/mail`, letter)
  await alice.get(`${url}/mail`)
  await alice.get(`${url}/mail/${received.id}`)
  await alice.get(`${url}/mail/${received.id}/attachment`)
}

async function playApprovals(alice: Player, { digital, physical }: { digital: object; physical: object }) {
  const attachment = { filename: 'invoice-42.jpg', content: JPEG.toString('base64') }
  const { body: prepared } = await alice.post('/v3/approval/digital', { ...digital, attachment })
  const { body: other } = await alice.post('/v3/approval/physical', physical)
  await alice.put(`/v3/approval/${prepared.id}`, { amount: 130, description: 'Invoice 42, corrected' })
  await alice.get(`/v3/approval/${prepared.id}`)
  await alice.get(`/v3/approval/${prepared.id}/attachment`)
  await alice.get('/v3/approval')
  await alice.post('/v3/approval/release', { id: prepared.id })
  await alice.del(`/v3/approval/${other.id}`)
}

async function playBatches(alice: Player, file: object[]): Promise<void> {
  await alice.get('/v3/batch/template')
  await alice.post('/v3/batch/preview', { file: [...file, { ...file[0], routing_number: '021000021' }] })
  const { body: batch } = await alice.post('/v3/batch', { name: 'Suppliers in May', file })
  const { body: replaced } = await alice.put(`/v3/batch/${batch.id}`, {
    name: 'Suppliers in May',
    file,
    mail_type: 'OVERNIGHT',
  })
  await alice.get('/v3/batch')
  await alice.get(`/v3/batch/${batch.id}`)
  await alice.post(`/v3/batch/${batch.id}/release`, { version: replaced.version })
  await alice.get(`/v3/batch/${batch.id}/row`)
  const { body: other } = await alice.post('/v3/batch', { name: 'Suppliers in June', file })
  await alice.post(`/v3/batch/${other.id}/reject`, { reason: 'The file of May was uploaded again.' })
  const { body: third } = await alice.post('/v3/batch', { name: 'Suppliers in June', file })
  await alice.del(`/v3/batch/${third.id}`)
}

/** The owner's key was created by no member, so a member with an own key approves. */
async function playApprovalPolicy(story: Story, owner: Player, service: Service): Promise<void> {
  const small = { min_amount: 0, new_payee: false, rail: null, source: 'API', approvals: 0 }
  await owner.put('/v3/approval/policy', { dual_control: true, rules: [small] })
  await owner.get('/v3/approval/policy')
  const { user } = (await service.owner.get('/v3/user')).body
  const first = await newMember(service, user.id, 'owner', { name: 'Olive Owner', email: 'olive@example.com' })
  const second = await newMember(service, user.id, 'admin', { name: 'Adam Admin', email: 'adam@example.com' })
  const { body: key } = await second.browser.post('/v3/user/api_key', {})
  const admin = story.by(service.as(`${key.id}:${key.secret}`))
  const order = { amount: 12_500, name: 'Dana Supplier', recipient: 'dana@example.com' }
  const { body: prepared } = await owner.post('/v3/approval/digital', order)
  const seen = await service.owner.get(`/v3/approval/${prepared.id}`)
  await admin.post(`/v3/approval/${prepared.id}/approve`, { version: JSON.parse(seen.headers.get('etag') as string) })
  await admin.post(`/v3/approval/${prepared.id}/reject`, { reason: 'The invoice was paid already.' })
  const row = { name: 'Dana Supplier', amount: 31, address: { type: 'email', address: 'dana@example.com' } }
  const { body: batch } = await owner.post('/v3/batch', { name: 'Suppliers in May', file: [row] })
  await admin.post(`/v3/batch/${batch.id}/approve`, { version: batch.version })
  const propose = async (): Promise<string> =>
    (await first.browser.put('/v3/approval/policy', { dual_control: false, rules: [] })).body.proposal.id
  await admin.del(`/v3/approval/policy/proposal/${await propose()}`)
  await admin.post('/v3/approval/policy/confirm', { id: await propose() })
}

/** After the other payments, because lists show the newest ones. */
async function playInvoices(alice: Player, bob: Player): Promise<void> {
  const attachment = { filename: 'painting.jpg', content: JPEG.toString('base64') }
  const order = { amount: 250, name: 'Alice Sender', recipient: 'alice', description: 'Painting of the office' }
  const items = [{ description: 'Painting', quantity: 2.5, unit_price: 100, tax_rate: 0 }]
  const terms = { due_date: '2026-12-31', terms: 'Pay within 30 days.', items }
  const { body: sent } = await bob.post('/v3/invoice', { ...order, ...terms, attachment })
  const { body: other } = await bob.post('/v3/invoice', { ...order, amount: 80, number: 'A-7' })
  await alice.get(`/v3/invoice/${sent.id}/attachment`)
  const { body: prepared } = await alice.post('/v3/approval/invoice', { id: sent.id, amount: 250 })
  await alice.del(`/v3/approval/${prepared.id}`)
  await alice.post('/v3/invoice/payment', { id: sent.id, amount: 250 })
  await bob.get(`/v3/invoice/${sent.id}`)
  await bob.get(`/v3/invoice/${sent.id}/details`)
  await bob.get('/v3/invoice')
  const { body: outside } = await bob.post('/v3/invoice', { ...order, recipient: 'dana@example.com' })
  await bob.post(`/v3/invoice/notify/${outside.id}`, {})
  await bob.del(`/v3/invoice/${other.id}`)
}

async function playSubscriptions(alice: Player): Promise<void> {
  const { body: rent } = await alice.post('/v3/subscription/check', {
    amount: 1850,
    name: 'Elm Street Properties',
    recipient: 'rent@elmstreet.example',
    description: 'Rent',
    interval: 'MONTHLY',
    duration: 12,
    start_date: '2026-03-31',
  })
  await alice.put(`/v3/subscription/${rent.id}`, { skipped: [4] })
  await alice.get(`/v3/subscription/${rent.id}`)
  await alice.get(`/v3/subscription/${rent.id}/run`)
  await alice.put(`/v3/subscription/${rent.id}/run`, { number: 5, skipped: true })
  await alice.get('/v3/subscription')
  await alice.del(`/v3/subscription/${rent.id}`)
  await alice.post('/v3/subscription/invoice', {
    amount: 80,
    name: 'Bob Recipient',
    recipient: 'bob',
    description: 'Cleaning',
    interval: 'WEEKLY',
  })
}

async function playPayments(alice: Player, bob: Player): Promise<void> {
  const { body: bank } = await alice.post('/v3/bank', { routing: '021000021', account: ACCOUNT, type: 'CHECKING' })
  await alice.post('/v3/bank/release', { account: bank.id })
  await alice.post('/v3/bank/verify', { account: bank.id, amount_1: 0.07, amount_2: 0.15 })
  const order = { amount: 125.5, name: 'Bob Recipient', recipient: 'bob@example.com', description: 'Invoice 42' }
  const advice = [{ id: 'INV-42', date: '2026-02-27', amount: 125.5, description: 'Consulting' }]
  const { body: sent } = await alice.post('/v3/check/digital', { ...order, remittance_advice: advice })
  const postal = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
  const { body: mailed } = await alice.post('/v3/check/physical', {
    amount: 80,
    name: 'Bob Recipient',
    recipient: postal,
    mail_type: 'USPS_FIRST_CLASS',
  })
  await alice.post('/v3/check/direct', {
    amount: 40,
    name: 'Dana Supplier',
    recipient: 'dana@example.com',
    account_number: SECOND_ACCOUNT,
    routing_number: '021000021',
    account_type: 'CHECKING',
  })
  await playApprovals(alice, { digital: order, physical: { ...order, recipient: postal } })
  const address = { type: 'physical', address: postal }
  const bobRow = {
    name: 'Bob Recipient',
    amount: 20.5,
    address: { type: 'email', address: 'bob@example.com' },
    description: 'May',
  }
  await alice.post('/v3/check/csv', {
    file: [bobRow, { name: 'Dana Supplier', amount: 31, address, number: 5001 }],
    mail_type: 'USPS_FIRST_CLASS',
  })
  await playBatches(alice, [bobRow, { name: 'Dana Supplier', amount: 31, address }])
  await playSubscriptions(alice)
  await alice.post('/v3/check/preview', order)
  await alice.post(`/v3/check/notify/${sent.id}`, {})
  await alice.post(`/v3/check/${sent.id}/verification`, {})
  await alice.get(`/v3/check/${sent.id}/verification`)
  await alice.get(`/v3/check/${mailed.id}/tracking`)
  await alice.put(`/v3/check/webhook/${mailed.id}`, { status: 'MAILED' })
  await alice.del(`/v3/check/${sent.id}`)

  const { body: account } = await bob.post('/v3/bank', {
    routing: '011000015',
    account: SECOND_ACCOUNT,
    type: 'CHECKING',
  })
  const attachment = { filename: 'invoice-43.jpg', content: JPEG.toString('base64') }
  const { body: received } = await alice.post('/v3/check/digital', { ...order, recipient: 'bob', attachment })
  await bob.get(`/v3/check/${received.id}/attachment`)
  await bob.post(`/v3/check/deposit/${received.id}`, { account: account.id })
  await bob.get(`/v3/check/${received.id}/deposit`)
  await bob.get(`/v3/check/${received.id}`)
  await bob.get('/v3/check')
  await alice.put(`/v3/check/webhook/${received.id}`, { status: 'FAILED', options: { return_code: 'R01' } })
  await bob.get(`/v3/check/${received.id}/fail`)
  await bob.get('/v3/return_code/R01')
  await alice.get(`/v3/payment/${received.id}`)
  await alice.get(`/v3/payment/${received.id}/timeline`)
  await alice.get(`/v3/payment/${received.id}/copy.pdf`)
  await alice.get(`/v3/payment/${received.id}/image`)
  await alice.get(`/v3/payment/${received.id}/receipt.pdf`)
  const search = {
    ...{
      user: alice.id as string,
      direction: 'OUTGOING',
      status: 'FAILED',
      rail: 'ACH',
      min_amount: '100',
      max_amount: '200',
      q: 'Bob',
    },
    ...{ start_date: '2026-02-01', end_date: '2026-03-31' },
  }
  await alice.get('/v3/payment', { ...search, per_page: '25' })
  await alice.get('/v3/export', { ...search, type: 'payment' })
  await alice.get('/v3/balance', { user: alice.id as string })
  await alice.get('/v3/stats', {
    metric: 'success_rate',
    group: 'rail',
    start_date: '2026-02-01',
    end_date: '2026-03-31',
  })
  await alice.get('/v3/stats/summary', { user: alice.id as string })

  const claim = {
    amount: 60,
    recipients: [
      { name: 'Bob Recipient', recipient: 'bob' },
      { name: 'Erin Recipient', recipient: 'erin', endorse_only: false },
    ],
    description: 'Insurance claim 7',
  }
  await alice.post('/v3/approval/multi', claim)
  const { body: shared } = await alice.post('/v3/check/multi', claim)
  await bob.post(`/v3/check/endorse/${shared.id}`, { name: 'Bob Recipient', signature: null })

  const { body: printable } = await alice.post('/v3/check/digital', { ...order, deposit_options: ['PRINT'] })
  await alice.post(`/v3/check/print/${printable.id}`, {})

  const { body: paid } = await alice.post('/v3/check/digital', {
    ...order,
    recipient: { id: 'bob', account: account.id },
  })
  await alice.put(`/v3/check/webhook/${paid.id}`, { status: 'PAID' })
  await alice.put(`/v3/check/webhook/${paid.id}`, { status: 'FAILED', options: { return_code: 'R01' } })
  await alice.post('/v3/sandbox/receivable/settle', { amount: 125.5 })
}

async function playWebhooks(owner: Player, service: Service): Promise<void> {
  await service.deliverWebhooks()
  const { body: list } = await owner.get('/v3/webhook/endpoint')
  const endpoint = list.endpoints[0].id
  await owner.get(`/v3/webhook/endpoint/${endpoint}`)
  await owner.post(`/v3/webhook/endpoint/${endpoint}/test`, {})
  await owner.get('/v3/webhook/source')
  const { body: events } = await owner.get('/v3/webhook/event')
  const event = events.events.find(({ type }: { type: string }) => type === 'CHECK').id
  await owner.get(`/v3/webhook/event/${event}`)
  await owner.get('/v3/webhook/delivery', { status: 'DELIVERED' })
  await owner.get(`/v3/webhook/delivery/${event}/${endpoint}`)
  await owner.post(`/v3/webhook/delivery/${event}/${endpoint}/replay`, {})
  await owner.post('/v3/webhook/replay', { since: '2026-03-01 00:00:00', endpoint })
  await owner.put(`/v3/webhook/endpoint/${endpoint}`, { event_types: ['CHECK'] })
  await owner.del(`/v3/webhook/endpoint/${endpoint}`)
  const { body: listener } = await owner.post('/v3/webhook/listener', { event_types: ['CHECK'] })
  await owner.post(`/v3/webhook/listener/${listener.id}`, { results: [], wait_seconds: 0 })
  await owner.del(`/v3/webhook/listener/${listener.id}`)
}

async function playSandbox(owner: Player, alice: Player, service: Service): Promise<void> {
  await owner.get('/v3/audit')
  const sought = { path: '/v3/check/physical', status: '2xx' }
  const log = () => service.owner.get(`/v3/request?${new URLSearchParams(sought)}`)
  await waitUntil('the request was logged', async () => (await log()).body.requests.length > 0)
  const { body: list } = await owner.get('/v3/request', sought)
  await owner.get(`/v3/request/${list.requests.at(-1).id}`)
  await owner.get('/v3/sandbox/clock')
  await owner.put('/v3/sandbox/clock', { advance: 'P3D' })
  await alice.put('/v3/user/webhook', { status: 'VERIFIED' })
}

type Player = {
  id?: string
  credential?: string
  get(path: string, query?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  del(path: string): Promise<Answer>
}

type Operations = Record<string, Record<string, { operationId: string }>>

type StoryOptions = { receiverUrl: string; tick: () => void; through: (api: Api) => Api }

class Story {
  readonly #operations: Operations
  readonly #met = new Map<string, ApiExample>()
  readonly #steady: StableValues
  readonly #tick: () => void
  readonly #through: (api: Api) => Api

  constructor(operations: Operations, { receiverUrl, tick, through }: StoryOptions) {
    this.#operations = operations
    this.#tick = tick
    this.#through = through
    this.#steady = new StableValues(receiverUrl)
  }

  by(given: Api): Player {
    const api = this.#through(given)
    const tell = async (method: 'get' | 'post' | 'put' | 'del', path: string, body?: unknown, query?: object) => {
      this.#tick()
      const search = query ? `?${new URLSearchParams(query as Record<string, string>)}` : ''
      const answer = await (body === undefined ? api[method](path + search) : api[method](path + search, body as never))
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
      this.#keep(method === 'del' ? 'delete' : method, path, { query, body, answer: answer.body })
      return answer
    }
    return {
      credential: api.credential,
      get: (path, query) => tell('get', path, undefined, query),
      post: (path, body) => tell('post', path, body),
      put: (path, body) => tell('put', path, body),
      del: (path) => tell('del', path),
    }
  }

  #keep(
    method: string,
    path: string,
    { query, body, answer }: { query?: object | undefined; body: unknown; answer: unknown },
  ) {
    for (const [template, methods] of Object.entries(this.#operations)) {
      const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
      const values = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path)?.slice(1)
      const { operationId } = methods[method] ?? {}
      // /v3/user/list is not a user.
      if (!values || operationId === undefined || (path !== template && path in this.#operations)) continue
      const params = Object.fromEntries(names.map((name, index) => [name, values[index]]))
      const example = this.#steady.value({
        ...(names.length > 0 && { params }),
        ...(query && { query }),
        ...(body !== undefined && { body }),
        ...(answer !== null && { answer }),
      }) as ApiExample
      if (!this.#met.has(operationId)) this.#met.set(operationId, example)
    }
  }

  examples(): ApiExamples {
    return Object.fromEntries([...this.#met].sort(([a], [b]) => (a < b ? -1 : 1)))
  }
}

const MAX_ROWS = 2
const MAX_IMAGE_LENGTH = 64

/** Replaces values that differ between runs by similar, stable values. */
class StableValues {
  readonly #receiverUrl: string
  readonly #standIns = new Map<string, string>()

  constructor(receiverUrl: string) {
    this.#receiverUrl = receiverUrl
  }

  value(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) {
      const shown = value.every((item) => typeof item === 'object' && !Array.isArray(item)) ? MAX_ROWS : value.length
      return value.slice(0, shown).map((item) => this.value(item))
    }
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [this.#text(name, ''), this.value(member, name)]),
      )
    }
    if (name === 'duration_ms') return 42
    return typeof value === 'string' ? this.#text(value, name) : value
  }

  #text(text: string, name: string): string {
    if (name === 'address' && text === '127.0.0.1') return '203.0.113.7'
    if (name === 'account' && /^\d{12}$/.test(text)) return ACCOUNT // of a wallet: derived from its id
    if (name === 'card_number') return CARD.slice(-text.length) // a virtual card: random
    if (name === 'cvv') return '123'
    if (name === 'webhook-key-id') return hex(name).slice(0, 16)
    if (name === 'user_agent') return 'curl/8.5.0'
    if (name === 'image') return text.slice(0, MAX_IMAGE_LENGTH)
    if (/^[A-Za-z0-9]{40}$/.test(text)) return this.#standIn(text, 'secret', 40)
    return text
      .replaceAll(/Owner-\d+-\d+/g, 'Example Company')
      .replaceAll(this.#receiverUrl, 'https://ledger.example/webhooks')
      .replaceAll(new URL(this.#receiverUrl).host, 'ledger.example')
      .replaceAll(/http:\/\/localhost:\d+/g, 'https://payments.example')
      .replaceAll(/nonce=\d+,signature=[0-9a-f]{64}/g, `nonce=1243509849,signature=${hex('signature').repeat(2)}`)
      .replaceAll(/v1,[A-Za-z0-9+/]{43}=/g, `v1,${Buffer.from(hex('v1')).toString('base64').slice(0, 43)}=`)
      .replaceAll(/\b[0-9a-f]{32}\b/g, (id) => this.#standIn(id, 'id', 32))
      .replaceAll(/(?<=PMB )\d{8}/g, '48210377')
      .replaceAll(/(?<=ends in )[0-9a-f]{4}$/g, (end) => this.#endOf(name, end))
  }

  /** A name that ends in the last digits of its id belongs to this id. Other ids may end in the same digits. */
  #endOf(id: string, end: string): string {
    return id.endsWith(end) ? this.#standIn(id, 'id', 32).slice(-4) : end
  }

  #standIn(text: string, kind: string, length: number): string {
    const known = this.#standIns.get(text)
    if (known) return known
    const standIn = hex(`${kind} ${this.#standIns.size}`).padEnd(length, hex(kind)).slice(0, length)
    this.#standIns.set(text, standIn)
    return standIn
  }
}

const hex = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)
