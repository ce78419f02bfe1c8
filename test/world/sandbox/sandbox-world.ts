import type { Api } from '../../support/api.ts'
import { refuseSecondPlatform } from '../../support/one-platform.ts'
import { addVerifiedBank, startTestService } from '../../support/service.ts'
import { setWebhook } from '../../support/webhooks.ts'
import { createBytes } from '../dice.ts'
import { type Life, type Lifetime, startLife, timeless } from '../world.ts'

// The sandbox. All rails are simulated, and each platform has its own clock.

/** `recipient`: the address by which payers pay this person. `accounts`: by kind. */
export type Person = { name: string; recipient: string; api: Api; platform: Platform; accounts: Record<string, string> }

export type Platform = { id: string; email: string; owner: Api; people: Person[] }

/** `payee`: the user who may deposit it. Null: a person without an account. */
export type Sent = { id: string; payer: Person; payee: Person | null }

/** `spentCents`: by virtual card. */
export type Sandbox = Life & {
  platforms: Platform[]
  payments: Sent[]
  statuses: Map<string, string>
  spentCents: Map<string, number>
}

/** Starts a sandbox with two platforms. No transaction may write rows of both. */
export async function startSandbox(t: Lifetime, seed: number): Promise<Sandbox> {
  const random = createBytes(seed)
  const service = await startTestService(t, {
    settings: timeless,
    random,
    isRealTimeSimulated: true,
    verifiesBooks: true,
  })
  readClocksAlways(service.deps)
  await refuseSecondPlatform(service.ownerSql)
  const life = await startLife(t, service, seed)
  const sandbox: Sandbox = { ...life, platforms: [], payments: [], statuses: new Map(), spentCents: new Map() }
  for (let platform = 0; platform < 2; platform++) await addPlatform(sandbox)
  return sandbox
}

/**
 * The service keeps the clock of a platform for a moment of real time, and the ids of one clock and millisecond are consecutive. Without it,
 * ids do not depend on the speed of the machine.
 */
function readClocksAlways({ clocks }: Life['deps']): void {
  const { of: read } = clocks
  clocks.of = (platformId) => {
    clocks.forget(platformId)
    return read(platformId)
  }
}

async function addPlatform(sandbox: Sandbox): Promise<void> {
  const { service, platforms } = sandbox
  const { api: owner, id, email } = await service.newOwner(`Platform ${platforms.length}`)
  const platform: Platform = { id, email, owner, people: [] }
  platforms.push(platform)
  for (let index = 0; index < 2; index++) {
    const name = `u${platforms.length}${index}`
    const api = await service.newUser(name, owner)
    await addPerson(sandbox, { name, recipient: name, api, platform })
  }
  await addPerson(sandbox, { name: `o${platforms.length}`, recipient: email, api: owner, platform })
}

let numbers = 50_000_000_000

const wire = { name: 'Payee', type: 'CHECKING' }

/** Adds one account of each kind. */
const kinds: Record<string, () => object> = {
  wallet: () => ({ name: 'Cash' }),
  card: () => ({ card_number: '4242424242424242', expiration_date: '2099-12' }),
  paypal: () => ({ username: 'payee@example.com' }),
  venmo: () => ({ username: '+14155552671' }),
  interac: () => ({ username: 'payee@example.ca' }),
  wire: () => ({ ...wire, routing: '021000021', account: String(++numbers) }),
  abroad: () => ({ ...wire, routing: 'DEUTDEFF', account: 'DE89370400440532013000', country: 'DE' }),
  vcc: () => ({}),
}

async function addPerson({ service, receiver }: Sandbox, given: Omit<Person, 'accounts'>): Promise<void> {
  const { name, api, platform } = given
  await api.put('/v3/user', { payment: { expiration: 10 } })
  const account = String(++numbers)
  service.secrets.add(account)
  const accounts: Person['accounts'] = { bank: await addVerifiedBank(api, account) }
  for (const [kind, bodyOf] of Object.entries(kinds)) {
    const path = `/v3/account/${kind === 'abroad' ? 'wire' : kind}`
    const { status, body, text } = await api.post(path, bodyOf())
    if (status !== 201) throw new Error(text)
    accounts[kind] = body.id
  }
  await api.post(`/v3/sandbox/wallet/${accounts.wallet}/fund`, { amount: 500 })
  await setWebhook(api, receiver.urlOf(name))
  platform.people.push({ ...given, accounts })
}

export const people = ({ platforms }: Sandbox): Person[] => platforms.flatMap((one) => one.people)
