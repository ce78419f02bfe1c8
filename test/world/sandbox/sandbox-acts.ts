import type { Deps } from '../../../src/foundation/db/deps.ts'
import { createFailures } from '../../../src/foundation/db/step-failures.ts'
import { SANDBOX_RETURN_CODES } from '../../../src/money/rail/return-code-rules.ts'
import { advanceClocks, doDueWork } from '../../../src/operation/scheduler/due-work.ts'
import { applyOutbox } from '../../../src/operation/scheduler/outbox-work.ts'
import { PAYMENT_STATUSES } from '../../../src/payments/payment/payment-status.ts'
import { type CrashPoint, crashing, isCrash } from '../../support/crash.ts'
import { ask, attempt } from '../actors/requests.ts'
import type { Kind } from '../history.ts'
import { keep } from '../world.ts'
import { check, coverageOf, rest } from './sandbox-checks.ts'
import { type Person, type Platform, people, type Sandbox, type Sent, startSandbox } from './sandbox-world.ts'

// The acts in a sandbox. The cents of an amount choose the outcome of a payment (docs/money.md, "Magic values of sandbox and demo").

type Act = (sandbox: Sandbox) => Promise<string>

const acts: Record<string, readonly [weight: number, act: Act]> = {
  send: [8, send],
  deposit: [6, deposit],
  voidOne: [2, voidOne],
  fund: [3, fund],
  trigger: [3, trigger],
  payCard: [2, payCard],
  spend: [2, spend],
  replaceCard: [0.5, replaceCard],
  settleDebt: [2, settleDebt],
  advance: [7, advance],
  workOnce: [2, workOnce],
  dieAtWork: [3, dieAtWork],
  deliver: [3, deliver],
  // not drawn: at the start of a history, and at the end of each chapter
  tour: [0, tour],
  rest: [0, rest],
}

export const sandbox: Kind<Sandbox> = {
  name: 'sandbox',
  file: 'sandbox/sandbox-acts.ts',
  acts,
  first: ['tour'],
  stepsPerChapter: 150,
  start: startSandbox,
  act: (world, name) => {
    const [, act] = acts[name] as (typeof acts)[string]
    return act(world)
  },
  check,
  coverageOf,
}

/** A payment over each rail, and one for each status. */
async function tour(sandbox: Sandbox): Promise<string> {
  const [payer, payee] = people(sandbox) as [Person, Person]
  const pay = async (recipient: unknown, more: object = {}): Promise<string> => {
    const body = { amount: 10, name: 'Recipient', account: payer.accounts.wallet, recipient, ...more }
    const { status, text, body: made } = await payer.api.post('/v3/check/digital', body)
    keep('everybody can be paid', status === 201 ? [] : [text])
    sandbox.payments.push({ id: made.id, payer, payee })
    return made.id
  }
  await payer.api.post(`/v3/sandbox/wallet/${payer.accounts.wallet}/fund`, { amount: 1_000 })
  for (const account of Object.values(payee.accounts)) await pay({ id: payee.name, account })
  await pay({ id: payee.name, account: payee.accounts.bank }, { amount: 10.62 }) // is returned and then refunded
  const overRtp = await pay(payee.name, { deposit_options: ['RTP'] })
  await payee.api.post(`/v3/check/deposit/${overRtp}`, { account: payee.accounts.bank })
  await payee.api.post(`/v3/check/print/${await pay(payee.name)}`)
  await payer.api.del(`/v3/check/${await pay(payee.name)}`)
  await payer.api.put(`/v3/check/webhook/${await pay(payee.name)}`, { status: 'MAILED' })
  await pay(payee.name) // expires
  return 'all rails'
}

const CENTS = [0, 0, 0, 0, 61, 62, 63, 64, 65, 66, 71, 72, 73, 74, 81, 82, 83] as const

function payeeOf({ dice, platforms }: Sandbox, payer: Person): Person {
  const isElsewhere = dice.chance(0.3)
  if (!isElsewhere) return dice.pick(payer.platform.people.filter((one) => one !== payer)) as Person
  const other = platforms.find((one) => one !== payer.platform) as Platform
  return other.people.at(-1) as Person
}

/** Pays from the bank or the wallet: to a user, to a known account, over RTP only, by mail, or to a person without an account. */
async function send(sandbox: Sandbox): Promise<string> {
  const { dice } = sandbox
  const payer = dice.pick(people(sandbox)) as Person
  const payee = payeeOf(sandbox, payer)
  const isHere = payee.platform === payer.platform
  const kind = dice.one(['later', 'later', 'known', 'rtp', 'mail', 'outside'] as const)
  const isFromWallet = kind === 'rtp' || dice.chance(0.5)
  const amount = dice.between(10, 40) + dice.one(CENTS) / 100
  const account = isFromWallet ? { account: payer.accounts.wallet } : {}
  const order = { amount, name: 'Recipient', ...account }
  const known = dice.pick(Object.values(payee.accounts))
  const recipient = kind === 'known' && isHere ? { id: payee.recipient, account: known } : payee.recipient
  const address = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }
  const answer =
    kind === 'mail'
      ? await ask(sandbox, payer.api, { path: '/v3/check/physical', body: { ...order, recipient: address } })
      : await ask(sandbox, payer.api, {
          path: '/v3/check/digital',
          body: {
            ...order,
            recipient: kind === 'outside' ? 'outside@example.com' : recipient,
            ...(kind === 'rtp' && { deposit_options: ['RTP'] }),
          },
        })
  if (answer.status !== 201) return `${payer.name} ${answer.body.code}`
  sandbox.payments.push({ id: answer.body.id, payer, payee: ['mail', 'outside'].includes(kind) ? null : payee })
  return `${payer.name} ${kind} ${amount}`
}

const pickPayment = ({ dice, payments }: Sandbox): Sent | undefined => dice.pick(payments.slice(-20))

/** Deposits into an account of any kind, or prints the check. */
async function deposit(sandbox: Sandbox): Promise<string> {
  const { payee, id } = pickPayment(sandbox) ?? {}
  if (!payee) return 'none'
  const kind = sandbox.dice.pick([...Object.keys(payee.accounts), 'print']) as string
  const { status, body } =
    kind === 'print'
      ? await ask(sandbox, payee.api, { path: `/v3/check/print/${id}` })
      : await ask(sandbox, payee.api, { path: `/v3/check/deposit/${id}`, body: { account: payee.accounts[kind] } })
  return `${payee.name} ${kind} ${status < 300 ? status : body.code}`
}

async function voidOne(sandbox: Sandbox): Promise<string> {
  const payment = pickPayment(sandbox)
  if (!payment) return 'none'
  const { status } = await ask(sandbox, payment.payer.api, { method: 'del', path: `/v3/check/${payment.id}` })
  return `${status}`
}

async function fund(sandbox: Sandbox): Promise<string> {
  const { name, api, accounts } = sandbox.dice.pick(people(sandbox)) as Person
  const amount = sandbox.dice.between(5, 300)
  const { status } = await ask(sandbox, api, { path: `/v3/sandbox/wallet/${accounts.wallet}/fund`, body: { amount } })
  return `${name} ${amount} ${status}`
}

/** A developer requests a status at once. */
async function trigger(sandbox: Sandbox): Promise<string> {
  const { dice } = sandbox
  const payment = pickPayment(sandbox)
  if (!payment) return 'none'
  const wanted = dice.pick(PAYMENT_STATUSES)
  const code = dice.chance(0.5) ? dice.pick(SANDBOX_RETURN_CODES) : undefined
  const body = { status: wanted, ...(code && { options: { return_code: code } }) }
  const path = `/v3/check/webhook/${payment.id}`
  const { status } = await ask(sandbox, payment.payer.api, { method: 'put', path, body })
  return `${wanted} ${code ?? ''} ${status}`
}

/** Pays to a virtual card. Some of these payments are returned later, when the money may be spent. */
async function payCard(sandbox: Sandbox): Promise<string> {
  const { dice } = sandbox
  const payer = dice.pick(people(sandbox)) as Person
  const payee = dice.pick(payer.platform.people.filter((one) => one !== payer && one.recipient === one.name)) as Person
  const recipient = { id: payee.name, account: payee.accounts.vcc }
  const amount = dice.between(10, 40) + dice.one(CENTS) / 100
  const request = { amount, name: 'Recipient', account: payer.accounts.wallet, recipient }
  const { isDone, body } = await attempt(sandbox, payer.api, 'card paid', { path: '/v3/check/digital', body: request })
  if (isDone) sandbox.payments.push({ id: body.id, payer, payee })
  return `${payer.name} ${isDone ? amount : body.code}`
}

/** Spends money of a virtual card, or rarely all of it. */
async function spend(sandbox: Sandbox): Promise<string> {
  const { dice, spentCents } = sandbox
  const { api, accounts } = dice.pick(people(sandbox)) as Person
  const cardId = accounts.vcc as string
  const all = dice.chance(0.3) ? await balanceOf(api, cardId) : 0
  const amount = all > 0 ? all : dice.between(1, 30)
  const path = `/v3/sandbox/vcc/${cardId}/spend`
  const { isDone } = await attempt(sandbox, api, 'spent', { path, body: { amount } })
  if (isDone) spentCents.set(cardId, (spentCents.get(cardId) ?? 0) + Math.round(amount * 100))
  return `${amount} ${isDone}`
}

/** Deletes a virtual card and issues another one. The service refuses this while the card holds or owes money. */
async function replaceCard(sandbox: Sandbox): Promise<string> {
  const { name, api, accounts } = sandbox.dice.pick(people(sandbox)) as Person
  const path = '/v3/account/vcc'
  const before = await balanceOf(api, accounts.vcc as string)
  const request = { method: 'del', path: `${path}/${accounts.vcc}` } as const
  const { isDone, hasDied, body } = await attempt(sandbox, api, 'card deleted', request)
  keep('a card that holds or owes money is not deleted', isDone && before !== 0 ? [`${name} has ${before}`] : [])
  if (!isDone && !(hasDied && body.code === 'destination_not_found')) return `${name} ${body.code}`
  accounts.vcc = (await api.post(path, {})).body.id
  return `${name} has another card`
}

/** Returns the dollars on a card. */
async function balanceOf(api: Person['api'], cardId: string): Promise<number> {
  const { vccs } = (await api.get('/v3/account/vcc')).body
  return Number(vccs.find(({ id }: { id: string }) => id === cardId)?.balance ?? 0)
}

async function settleDebt(sandbox: Sandbox): Promise<string> {
  const { name, api } = sandbox.dice.pick(people(sandbox)) as Person
  const amount = sandbox.dice.chance(0.5) ? { amount: sandbox.dice.between(1, 20) } : undefined
  const { status } = await ask(sandbox, api, { path: '/v3/sandbox/receivable/settle', body: amount })
  return `${name} ${status}`
}

const passes: ((deps: Deps) => Promise<number>)[] = [advanceClocks, doDueWork, applyOutbox]

async function moveClock({ dice, platforms }: Sandbox): Promise<string> {
  const { owner } = dice.pick(platforms) as Platform
  const duration = dice.one([`PT${dice.between(1, 400)}H`, 'PT12H', 'P1D', 'next_banking_day'])
  const { status } = await owner.put('/v3/sandbox/clock', { advance: duration })
  return `${duration} ${status}`
}

/** Does all work that is due. */
export async function workAll({ deps }: Sandbox): Promise<void> {
  const own = { ...deps, failures: createFailures() }
  for (const pass of passes) while ((await pass(own)) > 0);
}

async function advance(sandbox: Sandbox): Promise<string> {
  const moved = await moveClock(sandbox)
  await workAll(sandbox)
  return moved
}

/** Runs one random pass. */
async function workOnce({ deps, dice }: Sandbox): Promise<string> {
  const pass = dice.pick(passes) as (typeof passes)[number]
  await pass({ ...deps, failures: createFailures() })
  return pass.name
}

/** Crashes the process in one of the passes. */
async function dieAtWork(sandbox: Sandbox): Promise<string> {
  const { dice, service } = sandbox
  const moved = await moveClock(sandbox)
  const point = dice.one<CrashPoint>(['before_commit', 'after_commit', { afterStatements: dice.between(0, 40) }])
  const dying = crashing(service.deps, point)
  for (const pass of passes) {
    try {
      await pass(dying)
    } catch (error) {
      if (!isCrash(error)) throw error
      return `${moved}, ${pass.name} ${JSON.stringify(point)}`
    }
  }
  return `${moved}, survived`
}

export async function deliver({ service, receiver, nonces }: Sandbox): Promise<string> {
  await service.deliverWebhooks(nonces)
  keep('each change is told once and in order', receiver.problems)
  return 'delivered'
}
