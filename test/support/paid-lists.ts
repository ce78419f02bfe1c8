import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PaidListLayout } from '../../src/foundation/core/check-layout.ts'
import type { EnvironmentSettings, OperatorBank } from '../../src/foundation/core/environment.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { inUndoneTransaction } from '../../src/foundation/db/transaction.ts'
import { writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { achHooks, legHandlers } from '../../src/operation/scheduler/leg-handlers.ts'
import { recordPaidList } from '../../src/payments/check/paid/paid-check-actions.ts'
import { readPaidList } from '../../src/payments/check/paid/paid-list-rules.ts'
import { readPaidChecks, writeCheckFiles } from '../../src/payments/check/printing/print-worker.ts'
import { drawnOn, exchange, putInbound, upload, withConnection } from './ach.ts'
import { DAY, startFileService } from './file-service.ts'

type Lifetime = Parameters<typeof startFileService>[0]

export const ACCOUNT = '000555006789'
export const FORMER_ACCOUNT = '5550001112'
const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

export const operatorBank: OperatorBank = {
  companyName: 'Remit Inc.',
  bankName: 'First Bank',
  routingNumber: '091000019',
  accountNumber: ACCOUNT,
  fractionalRouting: null,
  firstCheckNumber: 1001,
}

/** Production with outstanding checks, on 2026-03-02. The test acts as the printer and the bank. */
export async function startPaidService(t: Lifetime, settings: Partial<EnvironmentSettings> = {}) {
  const service = await startFileService(t, { operatorBank, settings })
  const { deps, clock, folder, doDueWork, newUser, secrets, assertLedger } = service
  for (const account of [ACCOUNT, FORMER_ACCOUNT]) secrets.add(account.replace(/^0+/, ''))
  const user = await newUser()
  const wallet: string = (await user.post('/v3/account/wallet', { name: 'Cash' })).body.id
  await deps.sql`select post_transfers_v1(
    platform_id, ${deps.sql.json([{ id: wallet, mode: 'post', debit: 'world', credit: `wallet:${wallet}`, cents: 100_000_00, reason: 'fund' }])},
    null, null, ${deps.clock.now()}
  ) from wallets where id = ${wallet}`

  const work = async (own: Deps = deps) => {
    await exchange(own)
    await doDueWork()
    while ((await writeAchFiles(own, achHooks)) > 0);
    while ((await writeCheckFiles(own, legHandlers)) > 0);
    await exchange(own)
    await upload(folder, /./)
    await exchange(own)
  }
  /** Mails a check. @returns the payment */
  const mail = async (amount: number): Promise<string> => {
    const order = { amount, name: 'Grace Hopper', recipient: ADDRESS, account: wallet }
    const { status, body, text } = await user.post('/v3/check/physical', order)
    assert.equal(status, 201, text)
    return body.id
  }
  /** Checks on an account, with consecutive numbers. @returns their payments */
  const issue = async (amounts: readonly number[], own: Partial<OperatorBank> = {}): Promise<string[]> => {
    const ids: string[] = []
    for (const amount of amounts) {
      ids.push(await mail(amount))
      await work(withConnection(deps, (one) => drawnOn(one, { ...operatorBank, ...own })))
    }
    return ids
  }
  const passDays = async (days: number) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY)
      await work()
    }
  }
  /** Writes a list of the bank and lets the worker read it. */
  const receive = async (name: string, content: string | Buffer) => {
    await putInbound(folder, name, content)
    await readPaidChecks(deps, legHandlers)
    await assertLedger()
  }
  /** The lists of checks for the bank. */
  const lists = async (name: RegExp) => {
    const names = (await service.list('outbound/sent')).filter((one) => name.test(one))
    return (await Promise.all(names.map((one) => readFile(join(folder, 'outbound/sent', one), 'utf8')))).join('\n')
  }
  const statusOf = async (id: string): Promise<string> => (await user.get(`/v3/check/${id}`)).body.status
  return { ...service, user, wallet, work, mail, issue, passDays, receive, lists, statusOf }
}

export type PaidService = Awaited<ReturnType<typeof startPaidService>>

/** The effects of a list: the checks that it pays, and the cases, as `kind line [bank] [check]`. */
export type ListResult = { paid: number[]; cases: string[]; remarks: number; report: string | null; isUsed: boolean }

/** Applies a list and rolls it back. */
export const tryList = (
  deps: Deps,
  bytes: Buffer,
  { name = 'paid-try.csv', layout = null }: { name?: string; layout?: PaidListLayout | null } = {},
): Promise<ListResult> =>
  inUndoneTransaction(deps, async (tx) => {
    const contentHash = createHash('sha256').update(bytes).digest()
    const file = { connectionId: 'first', name, contentHash, bytes, reading: readPaidList(bytes, layout), failed: [] }
    const outcome = await recordPaidList(tx, legHandlers, file)
    assert.ok(outcome)
    const [{ id } = { id: '' }] = await tx.sql<{ id: string }[]>`select id from paid_files where name = ${name}`
    const paid = await tx.sql<{ serial: number; status: string }[]>`
      select c.serial, p.status
      from paper_checks c
      join payments p on p.platform_id = c.platform_id and p.id = c.payment_id
      where c.paid_file_id = ${id}
      order by c.serial
    `
    assert.ok(paid.every(({ status }) => status === 'PAID' || status === 'VOID'))
    const cases = await tx.sql<
      { kind: string; line: number; isBankWide: boolean; serial: number | null; held: boolean }[]
    >`
      select b.kind, b.line, b.is_bank_wide, c.serial, l.held_at is not null as held
      from bank_cases b
      left join paper_checks c on c.platform_id = b.platform_id and c.leg_id = b.leg_id
      left join legs l on l.platform_id = b.platform_id and l.id = b.leg_id
      where b.inbound_file_id = ${id}
      order by b.line
    `
    for (const { serial, held } of cases) assert.equal(held, serial !== null, 'a named check is held')
    const exceptions = await tx.sql<{ kind: string; serial: number }[]>`
      select e.kind, c.serial
      from exceptions e
      join paper_checks c on c.platform_id = e.platform_id and c.leg_id = e.leg_id
      where e.closed_at is null
      order by c.serial
    `
    return {
      report: outcome.report,
      isUsed: outcome.isUsed,
      paid: paid.map(({ serial }) => serial),
      cases: [
        ...cases.map(({ kind, line, isBankWide, serial }) =>
          [kind, line, ...(isBankWide ? ['bank'] : []), ...(serial === null ? [] : [serial])].join(' '),
        ),
        ...exceptions.map(({ kind, serial }) => `${kind} ${serial}`),
      ],
      remarks: /Remarks on[\s\S]*?\n\n([\s\S]*?)\n\n/.exec(outcome.report ?? '')?.[1]?.split('\n').length ?? 0,
    }
  })

/**
 * Changes valid lists, and asserts after each that no check is lost: it is PAID, or a case holds its expiry, and no
 * other check is paid.
 *
 * @param given.numbers the checks in the valid lists
 * @param given.usedShare the minimum share of these checks that must be paid, so that most lists are used
 */
export async function assertNothingLost<Changed extends { what: string; bytes: Buffer }>(given: {
  rounds: number
  seed: number
  numbers: readonly number[]
  usedShare: number
  mutate(): Changed
  tryChanged(changed: Changed): Promise<{ paid: number[]; cases: string[] }>
}): Promise<void> {
  const { rounds, seed, numbers, usedShare, mutate, tryChanged } = given
  let paidCount = 0
  for (let round = 0; round < rounds; round++) {
    const changed = mutate()
    const context = () => `round ${round}, MUTATION_SEED=${seed}: ${changed.what}\n${changed.bytes.toString('latin1')}`
    const { paid, cases } = await tryChanged(changed).catch((error) => {
      throw new Error(context(), { cause: error })
    })
    paidCount += paid.length
    const isHeld = (number: number) => cases.some((one) => / bank\b/.test(one) || one.endsWith(` ${number}`))
    const lost = numbers.filter((number) => !paid.includes(number) && !isHeld(number))
    assert.deepEqual(lost, [], `${context()}\npaid ${paid.join(' ')}\ncases ${cases.join('; ')}`)
    assert.deepEqual(
      paid.filter((number) => !numbers.includes(number)),
      [],
      `a check that is not in the list was paid: ${context()}`,
    )
  }
  assert.ok(paidCount > rounds * numbers.length * usedShare, `most lists are still used: ${paidCount}`)
}
