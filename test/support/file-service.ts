import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeExchangeFolders } from '../../src/connections/exchange/exchange-folder-actions.ts'
import type { Connection, Connections } from '../../src/foundation/core/connections.ts'
import type { EnvironmentSettings, OperatorBank } from '../../src/foundation/core/environment.ts'
import { newMasterKey, parseMasterKeys } from '../../src/foundation/core/seal.ts'
import { nextAchWindow } from '../../src/foundation/lib/banking-day.ts'
import type { Random } from '../../src/foundation/lib/ids.ts'
import { readAchFiles, writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import type { NachaOrigin } from '../../src/money/ach/format/nacha-origin-rules.ts'
import { achHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import {
  type Acknowledged,
  achFolder,
  connection,
  connectionsOf,
  exchange,
  fileSettings,
  origin,
  putInbound,
  readOutbound,
  type SentEntry,
  upload,
} from './ach.ts'
import type { Api } from './api.ts'
import type { FakeClock } from './clock.ts'
import { assertBooks } from './money.ts'
import { sendPayment } from './payments.ts'
import { webhookBodies } from './rows.ts'
import { addBank, addVerifiedBank, startTestService, type TestUser } from './service.ts'

type Lifetime = { after(end: () => Promise<void>): void }

export const DAY = 24 * 3_600

/** The address at which mailboxes receive mail, in the tests that set it. */
export const mailboxAddress = {
  line_1: '1 Lockbox Way',
  city: 'Austin',
  state: 'TX',
  zip: '78701',
  country: 'US',
} as const

type Options = {
  own?: Partial<NachaOrigin>
  acknowledgements?: Acknowledged
  /** The account that checks are drawn on. Without it, there are no paper checks. */
  operatorBank?: OperatorBank
  statements?: Connection['statements']
  virtualAccounts?: Connection['virtualAccounts']
  /** Replaces the one connection with an exchange folder. */
  connections?: { current(): Connections }
  /** Additional properties of the connection with an exchange folder. */
  connectionsFrom?(first: Connection): { current(): Connections }
  settings?: Partial<EnvironmentSettings>
  masterKey?: string
  random?: Random
  isRealTimeSimulated?: boolean
  /**
   * A running service whose database, exchange folder and time the new service takes over, like a restart with other
   * master keys.
   */
  former?: { databaseUrl: string; folder: string; clock: FakeClock }
}

/** Production with an exchange folder. The test acts as the transfer job and the bank. */
export async function startFileService(
  t: Lifetime,
  {
    own = {},
    acknowledgements = { ach: 'none', paper: 'none' },
    operatorBank,
    statements = null,
    virtualAccounts = null,
    settings,
    masterKey = newMasterKey(),
    connections,
    connectionsFrom = (one) => connectionsOf([one]),
    random,
    isRealTimeSimulated = false,
    former,
  }: Options = {},
) {
  const folder = former?.folder ?? (await achFolder(t))
  const first = connection({
    origin: { ...origin, ...own },
    folder,
    acknowledgements,
    statements,
    virtualAccounts,
    ...(operatorBank && { operatorBank }),
  })
  const service = await startTestService(t, {
    environment: 'production',
    settings: { ...fileSettings, stateFolder: folder, ...settings },
    connections: connections ?? connectionsFrom(first),
    keyRing: parseMasterKeys(masterKey),
    verifiesBooks: true,
    isRealTimeSimulated,
    ...(random && { random }),
    ...(former && { databaseUrl: former.databaseUrl }),
  })
  const { deps, clock, doDueWork } = service
  if (former) clock.advance((former.clock.now().getTime() - clock.now().getTime()) / 1000)
  await makeExchangeFolders(folder)

  const write = async () => {
    while ((await writeAchFiles(deps, achHooks)) > 0);
    await exchange(deps)
  }
  /** The transfer job sends all files to the bank. */
  const transmit = async () => {
    const names = await upload(folder)
    await exchange(deps)
    return names
  }
  /** Advances to the next cut-off and does all work due until then. */
  const openWindow = async () => {
    const window = nextAchWindow(new Date(clock.now().getTime() + 1))
    clock.advance((window.getTime() - clock.now().getTime()) / 1000)
    await exchange(deps)
    await doDueWork()
    await write()
    await transmit()
    clock.advance(1)
  }
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY)
      await exchange(deps)
      await doDueWork()
    }
  }
  const assertLedger = () => assertBooks(deps)
  /** Writes a file from the bank. */
  const receive = async (name: string, content: string | Buffer) => {
    await putInbound(folder, name, content)
    await readAchFiles(deps, achHooks)
  }
  const sent = async (): Promise<SentEntry[]> => (await readOutbound(folder)).flatMap(({ entries }) => entries)
  const reports = async () => {
    const names = (await readdir(join(folder, 'inbound/set-aside'))).filter((name) => name.endsWith('.report.txt'))
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'inbound/set-aside', name), 'utf8')))
    return texts.join('\n')
  }
  const list = (place: string) => readdir(join(folder, place))
  return {
    ...service,
    masterKey,
    folder,
    connection: first,
    write,
    transmit,
    openWindow,
    passDays,
    assertLedger,
    receive,
    sent,
    reports,
    list,
  }
}

export type FileService = Awaited<ReturnType<typeof startFileService>>

/** A sender with a verified bank, and a recipient with a bank for deposits. Their micro-deposits are already sent. */
export async function newPair({ newUser, openWindow }: FileService) {
  const [sender, recipient] = [await newUser(), await newUser()]
  await addVerifiedBank(sender)
  const account = await addBank(recipient)
  await openWindow()
  return { sender, recipient, account }
}

export type Pair = Awaited<ReturnType<typeof newPair>>

export const pay = async ({ sender, recipient, account }: Pair, amount: number, more: object = {}): Promise<string> =>
  (await sendPayment(sender, { amount, recipient: { id: recipient.userId, account }, ...more })).id

export const statusOf = async (user: Api, id: string): Promise<string> =>
  (await user.get(`/v3/check/${id}`)).body.status

export const statusesOf = async ({ deps }: FileService, id: string) =>
  (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)

/** The legs of a payment: purpose, status, and whether they wait for the operator. */
export const legsOf = async ({ deps }: FileService, id: string) => {
  const rows = await deps.sql<{ purpose: string; status: string; isHeld: boolean }[]>`
    select purpose, status, held_at is not null as is_held from legs where subject_id = ${id} order by created_at, id
  `
  return rows.map(({ purpose, status, isHeld }) => [purpose, status, isHeld])
}

/** Advances until a payment's money is sent to the recipient. @returns the credit entry */
export async function untilPaid(service: FileService, user: TestUser, id: string, cents: number): Promise<SentEntry> {
  for (let window = 0; window < 20 && (await statusOf(user, id)) !== 'PAID'; window++) await service.openWindow()
  const push = (await service.sent()).find((entry) => entry.cents === cents && /^[23]2$/.test(entry.code))
  assert.ok(push)
  return push
}

/** The audit entries of an action, newest first: the actor and the subject. */
export const auditOf = async ({ owner }: Pick<FileService, 'owner'>, action: string): Promise<string[]> => {
  const { audit } = (await owner.get('/v3/audit')).body
  return audit
    .filter((one: { action: string }) => one.action === action)
    .map((one: { actor: string; subject: string }) => `${one.actor} ${one.subject}`)
}
