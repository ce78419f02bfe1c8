import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { readApiExamples } from '../src/operation/app/api-examples.ts'
import { achFolder, connection, connectionsOf } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { apiDocument, findOperation, resolved, responseOf } from './support/documented.ts'
import { JPEG } from './support/images.ts'
import { sendPayment, triggerStatus } from './support/payments.ts'
import {
  createDice,
  type KnownObjects,
  nounOf,
  operationsOf,
  type RandomRequest,
  randomRequest,
} from './support/random-requests.ts'
import { startReceiver } from './support/receiver.ts'
import { seedFrom } from './support/seed.ts'
import { addBank, addVerifiedBank, startTestService, type TestService } from './support/service.ts'

// Sends random requests based on openapi.json. Every answer must be one that the document describes, and never a 5xx.
// `npm run random-requests` sends 40,000; `REQUEST_SEED` repeats a run.

const COUNT = Number(process.env.REQUEST_COUNT ?? 280)
const SEED = seedFrom('REQUEST_SEED')
/** Requests suspend users, revoke keys and delete objects. Then a new platform is created. */
const REQUESTS_OF_A_WORLD = 250

const receiver = await startReceiver({ after })
const sandbox = await startTestService({ after })
/** Uses production's settings, and stand-ins for external parties: the folder of the bank, a receiver, an operator. */
const production = await startTestService(
  { after },
  {
    environment: 'production',
    settings: { microDepositCents: [7, 15] },
    connections: connectionsOf([
      connection({
        folder: await achFolder({ after }),
        operatorBank: {
          companyName: 'Remit Inc',
          bankName: 'First Bank',
          routingNumber: '091000019',
          accountNumber: '7700112299',
          fractionalRouting: null,
          firstCheckNumber: 1,
        },
      }),
    ]),
  },
)
const ajv = new Ajv2020({ strict: false, schemas: [{ $id: 'document', components: apiDocument.components }] })
const examples = readApiExamples()

/** Generated account numbers of a wallet are not secret, so they do not come from the test client. */
async function makeWallet(service: TestService, credential: string): Promise<string> {
  const post = async (path: string, body: string) => {
    const headers = { 'content-type': 'application/json' }
    return (await send(service, { method: 'POST', path, headers, body }, credential)).text
  }
  const { id } = JSON.parse(await post('/v3/account/wallet', '{}'))
  if (service === sandbox) await post(`/v3/sandbox/wallet/${id}/fund`, '{"amount":100000}')
  return id
}

const MAILED_TO = { name: 'Alice', line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }

/** A card of Bob with money from Alice's wallet, and the institutions. Sandbox only. */
async function makeSimulated({ alice, bob, wallet }: { alice: Api; bob: Api; wallet: string }) {
  const { body: mailbox } = await bob.post('/v3/mailbox', {})
  const { body: letter } = await bob.post(`/v3/sandbox/mailbox/${mailbox.id}/mail`, { sender: 'Carol' })
  const { body: card } = await bob.post('/v3/account/vcc', {})
  await sendPayment(alice, { amount: 500, account: wallet, recipient: { id: 'bob', account: card.id } })
  sandbox.clock.advance(60)
  await sandbox.doDueWork()
  const { body: list } = await bob.get(`/v3/account/vcc/${card.id}/transaction`)
  const { body: places } = await bob.get('/v3/bank/institutions')
  return [
    ['vcc', [card.id]],
    ['mailbox', [mailbox.id]],
    ['item', [letter.id]],
    ['transaction', list.transactions.map(({ id }: { id: string }) => id)],
    ['institution', places.institutions.map(({ id }: { id: string }) => id)],
  ] as [string, string[]][]
}

/** `first`: the ids at the beginning, which stay known. */
type World = { callers: Record<string, string>; around: KnownObjects; first: Map<string, string[]> }

async function newWorld(service: TestService): Promise<World> {
  const isSandbox = service === sandbox
  const { api: owner, id: ownerId } = await service.newOwner()
  const make = async (userId: string) => {
    const { body } = await owner.post('/v3/user', { user_id: userId, name: `Name of ${userId}` })
    return { ...service.as(`${body.key}:${body.secret}`), id: body.id as string, key: body.key as string }
  }
  const [alice, bob] = [await make('alice'), await make('bob')]
  if (!isSandbox) await service.deps.sql`update users set status = 'VERIFIED' where platform_id = ${ownerId}`
  const bank = await addVerifiedBank(alice)
  const otherBank = await addBank(bob)
  await bob.post('/v3/bank/release', { account: otherBank })
  const wallet = await makeWallet(service, alice.credential)
  await alice.post('/v3/user/signature', { signature: JPEG.toString('base64') })
  const { body: endpoint } = await owner.post('/v3/webhook/endpoint', { url: receiver.url })
  const newBanks = [await addBank(alice), await addBank(bob)]
  const debtorBank = await addVerifiedBank(owner)
  const failed = await sendPayment(owner, { recipient: { id: 'bob', account: otherBank } })
  if (isSandbox) {
    await triggerStatus(owner, failed.id, 'PAID')
    await triggerStatus(owner, failed.id, 'FAILED', { return_code: 'R01' })
  }
  const checks = [
    failed,
    await sendPayment(alice, { recipient: 'bob', attachment: JPEG.toString('base64') }),
    await sendPayment(alice, { recipient: { id: 'bob', account: otherBank } }),
    await sendPayment(alice, { recipient: 'dave@example.com', account: isSandbox ? wallet : bank }),
    await sendPayment(alice, { recipient: 'bob', deposit_options: ['PRINT'] }),
  ]
  const order = { account: bank, number: 900_001, mail_type: 'OVERNIGHT', recipient: MAILED_TO }
  const { body: book } = await alice.post('/v3/checkbook', order)
  const approval = { amount: 10, name: 'Recipient', recipient: 'dave@example.com' }
  const approvals = [
    await alice.post('/v3/approval/digital', approval),
    await alice.post('/v3/approval/digital', approval),
  ]
  const row = { name: 'Recipient', amount: 10, address: { type: 'email', address: 'dave@example.com' } }
  const { body: batch } = await alice.post('/v3/batch', { name: 'Batch', file: [row] })
  const invoice = { amount: 10, name: 'Payer', recipient: 'bob', description: 'Painting' }
  const invoices = [await alice.post('/v3/invoice', invoice), await alice.post('/v3/invoice', invoice)]
  const weekly = { ...approval, interval: 'WEEKLY', start_date: '2030-01-01' }
  const { body: subscription } = await alice.post('/v3/subscription/check', weekly)
  const { body: entry } = await alice.post('/v3/directory', { name: 'Payee' })
  const saved = { card_number: '4242424242424242', expiration_date: '2099-12' }
  const { body: entryAccount } = await alice.post(`/v3/directory/${entry.id}/account/card`, saved)
  await service.deliverWebhooks()
  const { body: events } = await owner.get('/v3/webhook/event')
  const ids = new Map([
    ['user', [alice.id, bob.id, ownerId]],
    ['api_key', [alice.key, bob.key]],
    ['bank', [bank, otherBank, debtorBank, ...newBanks]],
    ['wallet', [wallet]],
    ['check', checks.map(({ id }) => id)],
    ['endpoint', [endpoint.id]],
    ...(isSandbox ? await makeSimulated({ alice, bob, wallet }) : []),
    ['checkbook', [book.id]],
    ['subscription', [subscription.id]],
    ['approval', approvals.map(({ body }) => body.id)],
    ['batch', [batch.id]],
    ['invoice', invoices.map(({ body }) => body.id)],
    ['directory', [entry.id]],
    ['account', [entryAccount.id]],
    ['event', events.events.map(({ id }: { id: string }) => id)],
  ])
  const callers = {
    owner: owner.credential,
    alice: alice.credential,
    bob: bob.credential,
    nobody: '',
    'a wrong secret': `${alice.key}:${'x'.repeat(40)}`,
    'a wrong token': 'Bearer unknown',
  }
  return { callers, around: { ids, webhookUrl: receiver.url }, first: new Map(ids) }
}

const validators = new Map<object, ValidateFunction>()

const compile = (schema: object): ValidateFunction =>
  ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')))

/** Returns how an answer differs from the document, or null if it matches. */
function problemOf(
  { method, path }: RandomRequest,
  { status, type, text }: { status: number; type: string; text: string },
) {
  if (status >= 500) return 'failed'
  const address = new URL(path, sandbox.baseUrl).pathname // fetch resolves `..`
  const operation = findOperation(method, address)
  const isNoOperation =
    !operation || (address in apiDocument.paths && !(method.toLowerCase() in apiDocument.paths[address]))
  if (isNoOperation) return [404, 405].includes(status) ? null : 'is not an answer of an operation'
  const response = responseOf(operation, status)
  if (!response) return 'has a status that the document does not name'
  if (!response.content) return text === '' ? null : 'has a body'
  const described = response.content[type.split(';', 1)[0] as string]
  if (!described) return `is of the type ${type}`
  if (/^(application\/pdf|image\/png|text\/csv)/.test(type)) return null
  const validate = validators.get(described.schema) ?? compile(described.schema)
  validators.set(described.schema, validate)
  return validate(JSON.parse(text)) ? null : ajv.errorsText(validate.errors)
}

async function send(service: TestService, request: RandomRequest, credential: string) {
  const response = await fetch(service.baseUrl + request.path, {
    method: request.method,
    headers: { ...request.headers, ...(credential && { authorization: credential }) },
    ...(request.body !== undefined && { body: request.body }),
  })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

/** Remembers created objects for later requests. */
function learn({ around: { ids }, first }: World, { path }: RandomRequest, text: string): void {
  const { id } = JSON.parse(text)
  if (typeof id !== 'string') return
  const [known, learned] = [first.get(nounOf(path)) ?? [], ids.get(nounOf(path)) ?? []]
  ids.set(nounOf(path), [...known, ...learned.slice(known.length).slice(-3), id])
}

/** In each environment, one request at a time and several at a time. */
const runs = [
  { name: 'sandbox', service: sandbox, count: COUNT, atATime: 1 },
  { name: 'sandbox', service: sandbox, count: COUNT / 2, atATime: 8 },
  { name: 'production', service: production, count: COUNT / 2, atATime: 8 },
]

const known = ['owner', 'alice', 'bob']
const names = [...known, ...known, ...known, ...known, 'nobody', 'a wrong secret', 'a wrong token']

for (const { name: environment, service, count, atATime } of runs) {
  test(`${count} requests to ${environment} based on openapi.json, ${atATime} at a time, cause no 5xx and no undocumented answer`, async (t) => {
    const dice = createDice(SEED)
    const document = await fetch(`${service.baseUrl}/openapi.json`)
    const served = (await document.json()) as { paths: object }
    const operations = operationsOf({ paths: resolved(served.paths, served) })
    let world = await newWorld(service)
    let left = REQUESTS_OF_A_WORLD
    const problems = new Map<string, string>()
    const met = new Map<number, number>()
    const succeeded = new Set<string>()

    async function requestOne(index: number): Promise<void> {
      const operation = operations[index % operations.length] as (typeof operations)[number]
      const name = dice.pick(names)
      const { callers, around } = world
      const request = randomRequest(dice, operation, { examples, around })
      const answer = await send(service, request, callers[name] as string)
      const problem = problemOf(request, answer)
      met.set(answer.status, (met.get(answer.status) ?? 0) + 1)
      if (answer.status < 300) succeeded.add(operation.operationId)
      if (answer.status === 201 && answer.type.startsWith('application/json')) learn(world, request, answer.text)
      // A user that revoked its own key or was suspended cannot send more requests.
      if ((answer.status === 401 && known.includes(name)) || operation.operationId === 'triggerUserStatus') left = 0
      if (problem) {
        const told = `${name}: ${request.method} ${request.path} ${request.body?.slice(0, 500) ?? ''}\n  → ${answer.status} ${answer.text.slice(0, 500)}`
        problems.set(`${operation.operationId} ${answer.status} ${problem}`, told)
      }
    }

    for (let index = 0; index < count; index += atATime) {
      if (left <= 0) {
        world = await newWorld(service)
        left = REQUESTS_OF_A_WORLD
      }
      left -= atATime
      await Promise.all(Array.from({ length: Math.min(atATime, count - index) }, (_, nth) => requestOne(index + nth)))
    }
    t.diagnostic(
      `seed ${SEED}: ${[...met]
        .sort(([a], [b]) => a - b)
        .map(([status, count]) => `${count} of ${status}`)
        .join(', ')}`,
    )
    t.diagnostic(`${succeeded.size} of ${operations.length} operations succeeded at least once`)
    assert.deepEqual(
      [...problems].map(([problem, told]) => `${problem}\n  ${told}`),
      [],
    )
    const never = operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id))
    // With several at a time, one request deletes objects that another one names.
    if (count >= 20_000 && atATime === 1) assert.deepEqual(never, [], 'a long run calls every operation with success')
  })
}
