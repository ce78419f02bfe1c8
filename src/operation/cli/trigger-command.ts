import { randomBytes, randomInt } from 'node:crypto'
import { join } from 'node:path'
import { readIfThere, writePrivateFile } from '../../foundation/lib/files/files.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { SANDBOX_RETURN_CODES } from '../../money/rail/return-code-rules.ts'
import type { Connection } from './client/connection.ts'
import type { CommandFlags } from './command-flags.ts'
import { type ApiAnswer, callService, findOwnerClient, Refusal } from './owner-client.ts'

/** A test event. `run` triggers it and returns the id of its subject. */
type Trigger = { says: string; run(client: Connection, returnCode: string | undefined): Promise<string> }

/** All events that can be triggered, in the order of the list. */
export const triggers: Record<string, Trigger> = {
  'payment.in_process': { says: 'a check is deposited', run: payment('IN_PROCESS') },
  'payment.paid': { says: 'a payment is paid', run: payment('PAID') },
  'payment.failed': { says: 'a payment fails (--return-code R01, R02 …)', run: payment('FAILED') },
  'payment.refunded': { says: 'a payment is returned to the sender', run: payment('REFUNDED') },
  'payment.printed': { says: 'the recipient prints a check', run: payment('PRINTED') },
  'payment.mailed': { says: 'a check is mailed', run: payment('MAILED') },
  'payment.void': { says: 'the sender voids a payment', run: payment('VOID') },
  'payment.expired': { says: 'a payment expires', run: payment('EXPIRED') },
  'bank.pending': { says: 'micro-deposits are released to a bank account', run: bank('PENDING') },
  'bank.verified': { says: 'a bank account is verified', run: bank('VERIFIED') },
  'user.pending': { says: 'a user submits its details', run: user('PENDING') },
  'user.verified': { says: 'a user is verified', run: user('VERIFIED') },
  'user.suspended': { says: 'a user is suspended', run: user('SUSPENDED') },
  'user.closed': { says: 'a user is closed', run: user('CLOSED') },
  'wallet.funded': { says: 'a wallet is funded (PREFUND_ACCOUNT)', run: fundedWallet },
}

/** Triggers an event in a sandbox or demo through its API, or lists the events. @throws StartProblem */
export async function runTrigger(flags: CommandFlags, names: string[]): Promise<number> {
  const [name, ...others] = names
  if (name === undefined) return printLines(['Run remit trigger EVENT with one of these events:', '', ...triggerList()])
  const trigger = Object.hasOwn(triggers, name) ? triggers[name] : undefined
  if (!trigger || others.length > 0) {
    throw new StartProblem(`Unknown event "${names.join(' ')}". Choose one of these:\n\n${triggerList().join('\n')}`)
  }
  const returnCode = flags.returnCode
  if (returnCode !== undefined && !SANDBOX_RETURN_CODES.includes(returnCode as never)) {
    throw new StartProblem(`--return-code must be one of ${SANDBOX_RETURN_CODES.join(', ')}.`)
  }
  if (returnCode !== undefined && name !== 'payment.failed' && name !== 'payment.refunded') {
    throw new StartProblem('--return-code works only with payment.failed and payment.refunded.')
  }
  const id = await trigger.run(await findOwnerClient(flags, 'trigger'), returnCode)
  return printLines([flags.json ? JSON.stringify({ trigger: name, id }) : `${name}  ${id}`])
}

const triggerList = (): string[] => Object.entries(triggers).map(([name, { says }]) => `  ${name.padEnd(20)}${says}`)

function printLines(lines: string[]): number {
  console.log(lines.join('\n'))
  return 0
}

/** Returns a trigger that sends a check between two users and moves it to a status. */
function payment(status: string): Trigger['run'] {
  return async (client, returnCode) => {
    const { sender, recipient } = await findParties(client)
    const order = { amount: 12.5, name: 'Trigger Recipient', recipient, description: 'remit trigger' }
    const { id } = await callService(client, ['POST', '/v3/check/digital', order], { credential: sender })
    const outcome = { status, ...(returnCode && { options: { return_code: returnCode } }) }
    await callService(client, ['PUT', `/v3/check/webhook/${id}`, outcome], { credential: sender })
    return id
  }
}

/** Returns a trigger that adds a bank to a new user. */
function bank(status: 'PENDING' | 'VERIFIED'): Trigger['run'] {
  return async (client) => {
    const { credential } = await makeUser(client)
    return addBank(client, credential, status)
  }
}

function user(status: string): Trigger['run'] {
  return async (client) => {
    const { id, credential } = await makeUser(client)
    await callService(client, ['PUT', '/v3/user/webhook', { status }], { credential })
    return id
  }
}

async function fundedWallet(client: Connection): Promise<string> {
  const { credential } = await makeUser(client)
  const { id } = await callService(client, ['POST', '/v3/account/wallet', { name: 'Trigger' }], { credential })
  await callService(client, ['POST', `/v3/sandbox/wallet/${id}/fund`, { amount: 100 }], { credential })
  return id
}

type NewUser = { id: string; userId: string; credential: string }

async function makeUser(client: Connection): Promise<NewUser> {
  const userId = `trigger-${randomBytes(6).toString('hex')}`
  const { id, key, secret } = await callService(client, ['POST', '/v3/user', { user_id: userId, name: 'Trigger User' }])
  return { id, userId, credential: `${key}:${secret}` }
}

/** Returns a bank to add. Test account numbers with a special effect begin with 9, so this number does not. */
const newBank = () => ({
  routing: '021000021',
  account: String(randomInt(1_000_000_000, 8_999_999_999)),
  type: 'CHECKING',
  name: 'Trigger',
})

/** Adds a bank. @returns its id */
async function addBank(client: Connection, credential: string, status: 'PENDING' | 'VERIFIED'): Promise<string> {
  const call = (...request: Parameters<typeof callService>[1]): Promise<ApiAnswer> =>
    callService(client, request, { credential })
  const { id } = await call('POST', '/v3/bank', newBank())
  await call('POST', '/v3/bank/release', { account: id })
  if (status === 'VERIFIED') await call('POST', '/v3/bank/verify', { account: id, amount_1: 0.07, amount_2: 0.15 })
  return id
}

/** The parties of test payments. `sender` is the credential of a user with a verified bank, `recipient` the user_id of another user. */
type Parties = { sender: string; recipient: string }

/** Returns the parties that are stored next to `sandbox.json`, if they still work. Otherwise, creates new ones. */
async function findParties(client: Connection): Promise<Parties> {
  const path = client.file && join(client.dataDir, 'sandbox-trigger.json')
  const known = path ? parseParties(await readIfThere(path)) : null
  if (known && (await canSend(client, known))) return known
  const [sender, recipient] = [await makeUser(client), await makeUser(client)]
  await addBank(client, sender.credential, 'VERIFIED')
  const parties = { sender: sender.credential, recipient: recipient.userId }
  if (path) await writePrivateFile(path, `${JSON.stringify(parties, null, 2)}\n`)
  return parties
}

function parseParties(text: string | null): Parties | null {
  try {
    const { sender, recipient } = JSON.parse(text ?? '')
    return typeof sender === 'string' && typeof recipient === 'string' ? { sender, recipient } : null
  } catch {
    return null
  }
}

/** Returns whether both parties still exist. The sandbox may have been reset, and anyone may have deleted them. */
async function canSend(client: Connection, { sender, recipient }: Parties): Promise<boolean> {
  try {
    const { banks } = await callService(client, ['GET', '/v3/bank'], { credential: sender })
    const { users } = await callService(client, ['GET', `/v3/user/list?q=${encodeURIComponent(recipient)}`])
    const isThere = users.some(({ user_id }: { user_id: string }) => user_id === recipient)
    return isThere && banks.some((one: ApiAnswer) => one.default && one.status === 'VERIFIED')
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
