import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/foundation/db/connect.ts'
import { putInbound } from '../support/ach.ts'
import { type Api, createApi } from '../support/api.ts'
import { collectSecrets } from '../support/secrets.ts'
import type { Installation, Result, Running } from './installation.ts'

// Checks production on one installation: it starts, remit doctor finds nothing, a check is paid through the folder of a
// bank, and SIGTERM loses nothing. ACH entries are sent only on banking days, so the payment is a printed check from a
// wallet, which works on each day.

const CHECK_ACCOUNT = '000555006789'
const REQUESTS = 150
/** The time in which the service must end after SIGTERM. */
const STOP_LIMIT_MS = 10_000
const PATIENCE_MS = 180_000

/** A bank with a folder that carries all rails, in `connections.json`. */
const bank = {
  connections: [
    {
      id: 'first',
      transport: { type: 'folder', path: 'FOLDER' },
      zone: 'America/New_York',
      accounts: [{ id: 'checks', routing: '091000019', number_file: 'checks.number' }],
      ach: {
        destination: '091000019',
        destination_name: 'FIRST EXAMPLE BANK',
        origin: '1123456789',
        origin_name: 'EXAMPLE PAYMENTS INC',
        company_name: 'EXAMPLE PAYMENTS',
        company_id: '1123456789',
        odfi: '091000019',
        windows: ['12:00', '17:00'],
        acknowledgements: 'none',
      },
      checks: {
        account: 'checks',
        company_name: 'Example Payments Inc.',
        bank_name: 'First Example Bank',
        acknowledgements: 'none',
      },
    },
  ],
  rails: { ACH: 'first', MAIL: 'first', PRINT: 'first' },
}

export type Given = {
  installation: Installation
  /** The public URL, behind a proxy with TLS. */
  baseUrl: string
  /** The URL of the service behind the proxy. */
  localUrl: string
  ownerUrl: string
  report(line: string): void
}

/** The files of `connections.json`, by name. */
export const bankFilesOf = ({ paths }: Installation): Record<string, string> => ({
  'connections.json': JSON.stringify(bank, null, 2).replace('FOLDER', `${paths.data}/first`),
  'checks.number': CHECK_ACCOUNT,
})

export async function runStory(given: Given): Promise<void> {
  const { installation, report } = given
  expectCode(await installation.migrate(), 0)
  report('migrated as the owner of the tables')

  const service = await startReady(given)
  const owner = await createVerifiedOwner(given)
  await expectCleanDoctor(given)
  await payPrintedCheck(given, owner)
  const ids = await loadUntilStopped(given, { owner, service })

  const second = await startReady(given)
  await expectAllAccepted(given, { owner, ids })
  await expectCleanDoctor(given)
  expectCode(await installation.run(['verify-ledger']), 0)
  report('verify-ledger: the books add up')
  assert.deepEqual(new Set(await second.stop()), new Set([0]))
}

const expectCode = ({ code, stdout, stderr }: Result, expected: number): string => {
  assert.equal(code, expected, `${stdout}\n${stderr}`)
  return stdout
}

async function startReady({ installation, localUrl, report }: Given): Promise<Running> {
  const begin = performance.now()
  const running = await installation.start()
  try {
    await eventually('the service is ready', async () => {
      const answer = await fetch(`${localUrl}/readyz`).catch(() => null)
      return answer?.status === 200
    })
  } catch (error) {
    throw new Error(`the service did not get ready: ${await running.output()}`, { cause: error })
  }
  report(`ready after ${seconds(begin)} s`)
  return running
}

/** @property wallet the id of a wallet with money */
type Owner = { api: Api; wallet: string }

async function createVerifiedOwner(given: Given): Promise<Owner> {
  const { installation, baseUrl } = given
  const email = 'you@example.com'
  const created = await installation.run(['owner', 'create', '--email', email, '--name', 'Your Company'])
  const { key, secret } = JSON.parse(expectCode(created, 0))
  const limits = ['--payment', '2000', '--day', '100000', '--month', '1000000']
  expectCode(await installation.run(['user', 'verify', '--owner', email]), 0)
  expectCode(await installation.run(['user', 'limits', '--owner', email, ...limits]), 0)
  const api = createApi(baseUrl, `${key}:${secret}`, collectSecrets())
  return { api, wallet: await fundedWallet(given, api) }
}

async function expectCleanDoctor({ installation, report }: Given): Promise<void> {
  const { code, stdout } = await installation.run(['doctor', '--json'])
  const { findings } = JSON.parse(stdout) as { findings: { id: string; status: string; found: string }[] }
  const bad = findings.filter(({ status }) => status !== 'ok')
  assert.deepEqual([code, bad], [0, []])
  report(`remit doctor: ${findings.length} findings, all ok`)
}

/** A printed check is sent to the bank in a list, and returns in its list of paid checks. */
async function payPrintedCheck(given: Given, { api, wallet }: Owner): Promise<void> {
  const begin = performance.now()
  const payee = await newUser(given, api)
  const order = { amount: 12.5, name: 'Grace Hopper', recipient: payee.userId, account: wallet }
  const { id } = expectStatus(await api.post('/v3/check/digital', order), 201)
  expectStatus(await payee.api.post(`/v3/check/print/${id}`, {}), 200)
  const statusOf = async () => (await api.get(`/v3/check/${id}`)).body.status
  assert.equal(await statusOf(), 'PRINTED')

  const folder = join(given.installation.dataFolder, 'first')
  const list = await carryOut(folder, /^issue-.*\.csv$/)
  const [, number] = /^\d+,(\d+),[^,]+,12\.50,/m.exec(list) ?? assert.fail(`no check of 12.50 is in: ${list}`)
  const day = new Date().toISOString().slice(0, 10)
  await putInbound(folder, 'paid-1.csv', `account,number,amount,date\n${CHECK_ACCOUNT},${number},12.50,${day}\n`)
  await eventually('the check is PAID', async () => (await statusOf()) === 'PAID')
  given.report(`a check went through the folder of the bank and is PAID, after ${seconds(begin)} s`)
}

/** The operator's job takes a file to the bank. @returns its content */
async function carryOut(folder: string, pattern: RegExp): Promise<string> {
  const outbound = join(folder, 'outbound')
  const waiting = async () => (await readdir(outbound).catch(() => [])).filter((name) => pattern.test(name))
  await eventually(`a file ${pattern} is in outbound/`, async () => (await waiting()).length > 0)
  const [name] = await waiting()
  const content = await readFile(join(outbound, name as string), 'utf8')
  await rename(join(outbound, name as string), join(outbound, 'sent', name as string))
  return content
}

/** Books money into a wallet, because debits take days. @returns the id of the wallet */
async function fundedWallet({ ownerUrl }: Given, api: Api): Promise<string> {
  const { id } = expectStatus(await api.post('/v3/account/wallet', { name: 'Cash' }), 201)
  await query(
    ownerUrl,
    `select post_transfers_v1(
      platform_id,
      json_build_array(json_build_object(
        'id', id, 'mode', 'post', 'debit', 'world', 'credit', 'wallet:${id}', 'cents', 100000, 'reason', 'fund'
      )),
      null, null, now()
    ) from wallets where name = 'Cash'`,
  )
  return id
}

async function newUser({ baseUrl }: Given, by: Api): Promise<{ api: Api; userId: string }> {
  const userId = `payee-${randomUUID()}`
  const { key, secret } = expectStatus(await by.post('/v3/user', { user_id: userId, name: 'Grace Hopper' }), 201)
  return { api: createApi(baseUrl, `${key}:${secret}`, collectSecrets()), userId }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer can be anything
function expectStatus({ status, body, text }: { status: number; body: any; text: string }, expected: number) {
  assert.equal(status, expected, text)
  return body
}

/** Sends payments until the service has ended. @returns the Idempotency-Key of each, with the id if it was accepted */
async function loadUntilStopped(
  { report }: Given,
  { owner, service }: { owner: Owner; service: Running },
): Promise<Map<string, string | null>> {
  const ids = new Map<string, string | null>()
  const sent = Array.from({ length: REQUESTS }, async () => {
    const key = randomUUID()
    ids.set(key, null)
    // The proxy cuts connections to a service that has ended.
    const answer = await sendPayment(owner, key).catch(() => null)
    if (answer === null || answer.status === 503) return
    ids.set(key, expectStatus(answer, 201).id)
  })
  await Promise.race([
    Promise.all(sent),
    eventually('some payments are accepted', () => accepted(ids) >= REQUESTS / 10),
  ])
  const begin = performance.now()
  const codes = await service.stop()
  const ms = performance.now() - begin
  await Promise.all(sent)
  assert.deepEqual(new Set(codes), new Set([0]), await service.output())
  assert.ok(ms < STOP_LIMIT_MS, `it ended after ${ms} ms`)
  report(`SIGTERM during ${REQUESTS} payments: ended after ${seconds(begin)} s with code 0, ${accepted(ids)} answered`)
  return ids
}

const accepted = (ids: Map<string, string | null>): number => [...ids.values()].filter((id) => id !== null).length

const sendPayment = ({ api, wallet }: Owner, idempotencyKey: string) => {
  const order = { amount: 1, name: 'Ada Lovelace', recipient: 'ada@example.com', account: wallet }
  return api.post('/v3/check/digital', order, { idempotencyKey })
}

/** Checks that each repeated request returns the payment of the first one, and that none exists twice. */
async function expectAllAccepted(
  { ownerUrl, report }: Given,
  { owner, ids }: { owner: Owner; ids: Map<string, string | null> },
): Promise<void> {
  const found = new Set<string>()
  for (const [key, id] of ids) {
    const body = expectStatus(await sendPayment(owner, key), 201)
    if (id !== null) assert.equal(body.id, id, 'an accepted payment was lost')
    found.add(body.id)
  }
  assert.equal(found.size, ids.size)
  const [row] = await query<{ count: number }>(ownerUrl, 'select count(*)::integer as count from payments')
  assert.equal(row?.count, ids.size + 1) // the printed check
  report(`after the next start: no payment is lost, and none exists twice (${ids.size})`)
}

async function query<Row extends object>(url: string, text: string): Promise<Row[]> {
  const sql = connect(url, { max: 1, applicationName: 'test' })
  try {
    return (await sql.unsafe(text)) as unknown as Row[]
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function eventually(what: string, isTrue: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isTrue()); await sleep(50))
    if (performance.now() > end) throw new Error(`waited in vain until ${what}`)
}

const seconds = (begin: number): string => ((performance.now() - begin) / 1_000).toFixed(1)
