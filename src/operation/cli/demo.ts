import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { Remit, type ResponseEvent, type WebhookBody, webhooks } from '#sdk'
import { readIfThere } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { type Config, type Flags, readConfig } from '../app/config.ts'
import type { FirstOwnerFile } from '../app/first-owner.ts'
import { startAll } from '../app/start.ts'

const WEBHOOK_TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 5_000

/**
 * Sends a check between two new users in the sandbox of the data directory. Starts the sandbox if it is not running. Receives every webhook
 * and checks its signature.
 *
 * @returns the exit code: 0 only if every step succeeded
 */
export async function runDemo(flags: Flags): Promise<number> {
  const config = readConfig(flags)
  const running = await findRunning(config)
  const started = running ? null : await startSandbox(config)
  try {
    const owner = running ?? (await findRunning(config))
    if (!owner) throw new StartProblem('The sandbox does not respond.')
    await play(owner, createNarrator())
    return 0
  } catch (error) {
    console.error(`\nThe demo failed: ${(error as Error).message}`)
    return 1
  } finally {
    await started?.stop()
  }
}

async function findRunning({ dataDir }: Config): Promise<FirstOwnerFile | null> {
  const text = await readIfThere(join(dataDir, 'sandbox.json'))
  if (text === null) return null
  try {
    const owner = JSON.parse(text) as FirstOwnerFile
    const { ok } = await fetch(`${owner.base_url}/readyz`, { signal: AbortSignal.timeout(READY_TIMEOUT_MS) })
    return ok ? owner : null
  } catch {
    return null // The sandbox is not running, or its file is damaged. The next start writes the file again.
  }
}

function startSandbox(config: Config) {
  console.log('No sandbox is running. Starting one for this demo.\n')
  const sandbox = config.environments.filter(({ settings }) => settings.name === 'sandbox')
  if (sandbox.length === 0) throw new StartProblem('The demo needs the sandbox. Add it to REMIT_ENVIRONMENTS.')
  const environments = sandbox.map((environment) => ({ ...environment, port: 0 }))
  return startAll({ ...config, environments, logLevel: 'warn' }, ['http', 'worker'])
}

type Narrator = (line: string) => void

/** Returns a function that prints lines with the seconds since the start. */
function createNarrator(): Narrator {
  const begin = performance.now()
  return (line) => console.log(`${((performance.now() - begin) / 1000).toFixed(3).padStart(7)} s  ${line}`)
}

async function play(owner: FirstOwnerFile, tell: Narrator): Promise<void> {
  const onResponse = ({ method, path, status }: ResponseEvent) => tell(`  ${method} ${path} → ${status ?? 'no answer'}`)
  const remit = new Remit({ baseUrl: owner.base_url, key: owner.key, secret: owner.secret, hooks: { onResponse } })
  const tag = Date.now().toString(36)

  tell('The platform creates two users: a sender and a recipient.')
  const alice = remit.as(await remit.users.create({ user_id: `alice-${tag}`, name: 'Alice Sender' }))
  const bob = remit.as(await remit.users.create({ user_id: `bob-${tag}`, name: 'Bob Recipient' }))

  tell('Alice subscribes to webhooks. A new API key comes with the signing key.')
  const { webhook_key: webhookKey } = await alice.apiKeys.create({ name: 'demo' })
  const receiver = await startReceiver(webhookKey, tell)
  try {
    await alice.profile.update({ developer: { webhook_uri: receiver.url } })

    tell('Alice adds a bank account and verifies it with two micro-deposits.')
    const bank = await alice.banks.add(newBank('1234567890'))
    expect(bank.status === 'DEPOSIT_ONLY', `the bank is ${bank.status}`)
    await alice.banks.release(bank.id)
    await alice.banks.verify({ account: bank.id, amount_1: 0.07, amount_2: 0.15 })

    tell('Alice sends Bob a check for $125.50.')
    const order = { amount: 125.5, name: 'Bob Recipient', recipient: `bob-${tag}`, description: 'Invoice 42' }
    const check = await alice.payments.sendDigital(order)
    expect(check.status === 'UNPAID', `the check is ${check.status}`)

    tell('Bob deposits the check into his bank account.')
    const bobsBank = await bob.banks.add(newBank('9876543210'))
    await bob.payments.deposit(check.id, { account: bobsBank.id })
    await receiver.next({ id: check.id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' })

    tell('The sandbox settles the payment.')
    await alice.sandbox.setPaymentStatus(check.id, { status: 'PAID' })
    await receiver.next({ id: check.id, status: 'PAID', type: 'CHECK', deposit_option: 'ACH' })

    const paid = await bob.payments.get(check.id)
    expect(paid.status === 'PAID' && paid.amount === 125.5, `the check is ${paid.status}`)
    tell('Done. Every step succeeded.')
  } finally {
    receiver.stop()
  }
}

const newBank = (account: string) => ({ routing: '021000021', account, type: 'CHECKING' as const })

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

/** Starts a webhook receiver that checks the signature before it uses an event, as a platform should. */
async function startReceiver(webhookKey: string, tell: Narrator) {
  const events: WebhookBody[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const verified = await webhooks.verify(body, request.headers, webhookKey).catch(() => null)
    response.writeHead(verified ? 204 : 401).end()
    tell(`  webhook, signature ${verified ? 'valid' : 'INVALID'}: ${body}`)
    if (verified) events.push(verified.event)
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/webhooks`,
    stop: () => server.close(),
    /** Waits for the next event and checks that it is the expected one. */
    next: async (expected: WebhookBody) => {
      const deadline = Date.now() + WEBHOOK_TIMEOUT_MS
      while (events.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
      const event = JSON.stringify(events.shift())
      expect(event === JSON.stringify(expected), `expected the webhook ${JSON.stringify(expected)}, got ${event}`)
    },
  }
}
