import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Config, type Flags, readConfig } from '../app/config.ts'
import type { FirstOwnerFile } from '../app/first-owner.ts'
import { startAll } from '../app/start.ts'
import { readIfThere } from '../lib/files/files.ts'
import { StartProblem } from '../lib/start-problem.ts'

const WEBHOOK_TIMEOUT_MS = 10_000
const READY_TIMEOUT_MS = 5_000

/**
 * Plays the main job of the service against the sandbox of the data directory, which it starts when it is not running:
 * a check from one new user to another, with every webhook received and its signature checked.
 *
 * @returns the exit code: 0 only if every step held
 */
export async function runDemo(flags: Flags): Promise<number> {
  const config = readConfig(flags)
  const running = await findRunning(config)
  const started = running ? null : await startSandbox(config)
  try {
    const owner = running ?? (await findRunning(config))
    if (!owner) throw new StartProblem('The sandbox does not answer.')
    await play(owner, createNarrator())
    return 0
  } catch (error) {
    console.error(`\nThe story broke off: ${(error as Error).message}`)
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
    return null // Nothing answers there, or the file is damaged: a start writes it anew.
  }
}

function startSandbox(config: Config) {
  console.log('No sandbox is running here: starting one for the time of this story.\n')
  const sandbox = config.environments.filter(({ settings }) => settings.name === 'sandbox')
  if (sandbox.length === 0) throw new StartProblem('The demo needs the environment sandbox.')
  const environments = sandbox.map((environment) => ({ ...environment, port: 0 }))
  return startAll({ ...config, environments, logLevel: 'warn' }, ['http', 'worker'])
}

type Narrator = (line: string) => void

/** The fields of answers that the story needs. */
type Answer = { id: string; key: string; secret: string; webhook_key: string; status: string; amount: number }

/** Prints lines with the seconds since the beginning. */
function createNarrator(): Narrator {
  const begin = performance.now()
  return (line) => console.log(`${((performance.now() - begin) / 1000).toFixed(3).padStart(7)} s  ${line}`)
}

async function play(owner: FirstOwnerFile, tell: Narrator): Promise<void> {
  const call = createClient(owner.base_url, tell)
  const ownerAuth = `${owner.key}:${owner.secret}`
  const tag = Date.now().toString(36)

  tell('The platform makes a user for the sender, and one for the recipient.')
  const alice = await call(ownerAuth, 'POST', '/v3/user', { user_id: `alice-${tag}`, name: 'Alice Sender' })
  const bob = await call(ownerAuth, 'POST', '/v3/user', { user_id: `bob-${tag}`, name: 'Bob Recipient' })
  const aliceAuth = `${alice.key}:${alice.secret}`
  const bobAuth = `${bob.key}:${bob.secret}`

  tell('Alice wants to hear of every change of status; a new API key shows the key that signs.')
  const { webhook_key: webhookKey } = await call(aliceAuth, 'POST', '/v3/user/api_key', { name: 'demo' })
  const receiver = await startReceiver(webhookKey, tell)
  try {
    await call(aliceAuth, 'PUT', '/v3/user', { developer: { webhook_uri: receiver.url } })

    tell('She adds a bank, has two micro-deposits sent, and verifies it by their amounts.')
    const bank = await call(aliceAuth, 'POST', '/v3/bank', newBank('1234567890'))
    expect(bank.status === 'DEPOSIT_ONLY', `the bank is ${bank.status}`)
    await call(aliceAuth, 'POST', '/v3/bank/release', { account: bank.id })
    await call(aliceAuth, 'POST', '/v3/bank/verify', { account: bank.id, amount_1: 0.07, amount_2: 0.15 })

    tell('She sends Bob a check for $125.50.')
    const order = { amount: 125.5, name: 'Bob Recipient', recipient: `bob-${tag}`, description: 'Invoice 42' }
    const check = await call(aliceAuth, 'POST', '/v3/check/digital', order)
    expect(check.status === 'UNPAID', `the check is ${check.status}`)

    tell('Bob deposits it into his bank.')
    const bobsBank = await call(bobAuth, 'POST', '/v3/bank', newBank('9876543210'))
    await call(bobAuth, 'POST', `/v3/check/deposit/${check.id}`, { account: bobsBank.id })
    await receiver.next({ id: check.id, status: 'IN_PROCESS', type: 'CHECK', deposit_option: 'ACH' })

    tell('The sandbox lets the money arrive.')
    await call(aliceAuth, 'PUT', `/v3/check/webhook/${check.id}`, { status: 'PAID' })
    await receiver.next({ id: check.id, status: 'PAID', type: 'CHECK', deposit_option: 'ACH' })

    const paid = await call(bobAuth, 'GET', `/v3/check/${check.id}`)
    expect(paid.status === 'PAID' && paid.amount === 125.5, `the check is ${paid.status}`)
    tell('Every step held.')
  } finally {
    receiver.stop()
  }
}

const newBank = (account: string) => ({ routing: '021000021', account, type: 'CHECKING' })

function expect(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

function createClient(baseUrl: string, tell: Narrator) {
  return async (authorization: string, method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    tell(`  ${method} ${path} → ${response.status}`)
    expect(response.ok, `${method} ${path} answered ${response.status} ${text}`)
    return JSON.parse(text || '{}')
  }
}

type PaymentEvent = { id: string; status: string; type: string; deposit_option: string }

/** A receiver of webhooks as a platform would write it: it believes nothing before the signature is checked. */
async function startReceiver(webhookKey: string, tell: Narrator) {
  const events: PaymentEvent[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const isAuthentic = isSigned(String(request.headers.signature), body, webhookKey)
      response.writeHead(isAuthentic ? 204 : 401).end()
      tell(`  webhook, signature ${isAuthentic ? 'holds' : 'is WRONG'}: ${body}`)
      if (isAuthentic) events.push(JSON.parse(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))

  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/webhooks`,
    stop: () => server.close(),
    /** Waits for the next event and compares it. */
    next: async (expected: PaymentEvent) => {
      const deadline = Date.now() + WEBHOOK_TIMEOUT_MS
      while (events.length === 0 && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 5))
      const event = JSON.stringify(events.shift())
      expect(event === JSON.stringify(expected), `expected the webhook ${JSON.stringify(expected)}, got ${event}`)
    },
  }
}

/** The four steps of specification.md 7.3: the signing key; the body with the nonce behind it; HMAC-SHA-256 in hex; compare. */
function isSigned(header: string, body: string, key: string): boolean {
  const [, nonce, signature] = /^nonce=(.*),signature=(.*)$/.exec(header) ?? []
  const message = `${body}${nonce}`
  const digest = createHmac('sha256', key).update(message).digest('hex')
  return digest === signature
}
