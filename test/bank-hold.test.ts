import assert from 'node:assert/strict'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { findOpenBankCase, getBankCases, recordBankCase } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { StartProblem } from '../src/foundation/lib/start-problem.ts'
import { applyReadableFile } from '../src/money/ach/file/ach-decision-actions.ts'
import { readAchFiles } from '../src/money/ach/file/ach-file-worker.ts'
import { bankCommand } from '../src/operation/cli/bank-commands.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { achHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { type BankEntry, bankFile } from './support/ach.ts'
import { auditOf, type FileService, legsOf, newPair, pay, startFileService, statusOf } from './support/file-service.ts'
import { startPaidService } from './support/paid-lists.ts'

// The money and accounts that an open bank case holds, and the decisions that the operator makes about it with
// commands.

/** Debits of $10, $20 and $30 are at the bank. */
async function startWithDebits(t: TestContext, options?: Parameters<typeof startFileService>[1]) {
  const service = await startFileService(t, options)
  const pair = await newPair(service)
  const ids = [await pay(pair, 10), await pay(pair, 20), await pay(pair, 30)] as const
  await service.openWindow()
  const sent = await service.sent()
  const traceOf = (cents: number) => sent.find((entry) => entry.cents === cents)?.trace as string
  const returned = (cents: number, code = 'R01'): BankEntry => ({
    ...{ code, trace: traceOf(cents), direction: 'debit', cents, account: '730194826351', name: 'NUÑEZ' },
  })
  return { ...service, ...pair, ids, traceOf, returned }
}

/** The trace number of no entry, so that its case names no payment. */
const UNKNOWN_TRACE = '091000019999999'

type Service = Awaited<ReturnType<typeof startWithDebits>>

/** A file whose control record states another amount. */
const withWrongTotal = (text: string) =>
  text.replace(/^(9000001.{25}).{12}/m, (_, start: string) => `${start}000000000001`)

const command = ({ deps }: Pick<FileService, 'deps'>, verb: string, id: string, flags: CommandFlags = {}) =>
  exceptionCommand({ note: 'the bank said so', ...flags }, [verb, id])(deps)

const onlyCase = async ({ deps }: Pick<FileService, 'deps'>) => {
  const [one, ...others] = await getBankCases(deps)
  assert.ok(one)
  assert.equal(others.length, 0)
  return one
}

/** The email of the only owner. */
const ownerOf = async ({ deps }: Pick<FileService, 'deps'>) =>
  (await deps.sql<{ email: string }[]>`select email from logins limit 1`)[0]?.email as string

const statuses = ({ sender, ids }: Pick<Service, 'sender' | 'ids'>) =>
  Promise.all(ids.map((id) => statusOf(sender, id)))

const payouts = async ({ sent }: Pick<FileService, 'sent'>) =>
  (await sent()).filter(({ code, cents }) => /^[23]2$/.test(code) && cents >= 1_000).map(({ cents }) => cents)

const pass = async ({ openWindow }: Pick<FileService, 'openWindow'>, windows: number) => {
  for (let window = 0; window < windows; window++) await openWindow()
}

suite('a file that cannot be used', () => {
  test('holds the trust of all debits, and is shown with the held money; its readable entries can be applied', async (t) => {
    const service = await startWithDebits(t)
    const { deps, sender, recipient, returned, ids } = service
    await service.receive('returns.ach', withWrongTotal(bankFile([returned(1_000), returned(2_000), returned(3_000)])))
    await pass(service, 12)
    assert.deepEqual(await payouts(service), [])
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
    const { id, kind } = await onlyCase(service)
    assert.equal(kind, 'file_unread')
    assert.match(await exceptionCommand({}, ['list'])(deps), new RegExp(`${id}.*file_unread.*returns\\.ach`))
    const shown = JSON.parse(await exceptionCommand({}, ['show', id])(deps))
    assert.deepEqual(shown.held, [
      'the trust of 3 debits over first, of $60.00: their payouts wait',
      'the expiry of 0 checks drawn on first, of $0.00',
      'the acceptance of files that the bank does not acknowledge',
    ])
    assert.ok(shown.lines.some((line: string) => /^3: \*+6351 /.test(line)))
    assert.ok(!JSON.stringify(shown).includes('730194826351'), 'numbers are masked')
    assert.deepEqual(shown.commands, [
      `remit exceptions apply ${id} --note TEXT`,
      'remit files read returns.ach --again --by NAME --why TEXT',
      `remit exceptions close ${id} --note TEXT`,
    ])
    assert.equal((await sender.get('/v3/check')).status, 200, 'reads go on')
    const voided = await pay(service, 5)
    assert.equal((await sender.del(`/v3/check/${voided}`)).status, 200, 'voids go on')

    assert.match(await command(service, 'apply', id), /^3 of 3 entries were applied\. The case is closed\.$/)
    assert.deepEqual(await statuses(service), ['FAILED', 'FAILED', 'FAILED'])
    await pass(service, 8)
    assert.deepEqual(await payouts(service), [])
    assert.equal((await sender.get(`/v3/check/${ids[0]}/fail`)).body.code, 'R01')
    assert.equal((await recipient.get(`/v3/check/${ids[0]}`)).status, 200)
    await assert.rejects(
      command(service, 'apply', id),
      /already closed: 3 of 3 entries were applied\. the bank said so/,
    )
  })

  test('holds no payment again whose case is closed, if its entries are applied again after a crash', async (t) => {
    const service = await startWithDebits(t)
    const { deps, returned, ids } = service
    const other = { ...returned(2_000), cents: 2_001 }
    await service.receive('returns.ach', withWrongTotal(bankFile([returned(1_000), other])))
    const { id } = await onlyCase(service)
    const row = await inTransaction(deps, (tx) => findOpenBankCase(tx, id))
    assert.ok(row)
    await applyReadableFile(deps, achHooks, row)
    const ofEntry = (await getBankCases(deps)).find(({ paymentId }) => paymentId === ids[1])
    assert.deepEqual(await legsOf(service, ids[1]), [['payment_pull', 'SENT', true]])
    await command(service, 'close', ofEntry?.id ?? '')
    await command(service, 'apply', id)
    assert.equal((await getBankCases(deps)).length, 0)
    assert.deepEqual(await legsOf(service, ids[1]), [['payment_pull', 'SENT', false]])
  })

  test('is resolved by the right file, and debits without a return are paid out', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', withWrongTotal(bankFile([service.returned(1_000)])))
    await service.receive('right.ach', bankFile([service.returned(1_000)]))
    await pass(service, 8)
    assert.deepEqual(await payouts(service), [], 'until the operator has decided')
    const { id } = await onlyCase(service)
    assert.equal(await command(service, 'close', id), 'Closed.')
    await pass(service, 6)
    assert.deepEqual(await payouts(service), [2_000, 3_000])
    assert.deepEqual(await statuses(service), ['FAILED', 'PAID', 'PAID'])
  })

  test('holds debits while it is still in inbound/, whether it is growing or the worker is late', async (t) => {
    const service = await startWithDebits(t)
    await service.passDays(2)
    const path = join(service.folder, 'inbound', 'growing.ach')
    await writeFile(path, bankFile([service.returned(1_000)]))
    await service.passDays(8)
    await readAchFiles(service.deps, achHooks)
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
    const trusted = async () =>
      (await service.deps.sql`select from legs where status = 'TRUSTED' and purpose = 'payment_pull'`).length
    assert.equal(await trusted(), 0)
    await rm(path)
    await service.passDays(1)
    assert.equal(await trusted(), 3)
  })

  test('keeps our files from being accepted without an acknowledgment', async (t) => {
    const service = await startWithDebits(t)
    const status = async () =>
      (await service.deps.sql`select status from exchanges where name = '20260302-B'`)[0]?.status
    await service.receive('returns.ach', withWrongTotal(bankFile([service.returned(1_000)])))
    await service.passDays(5)
    assert.equal(await status(), 'TRANSMITTED')
    await command(service, 'close', (await onlyCase(service)).id)
    await service.passDays(1)
    assert.equal(await status(), 'ACCEPTED')
  })

  test('is read again after an update of the program', async (t) => {
    const service = await startWithDebits(t)
    const { deps } = service
    await service.receive('returns.ach', withWrongTotal(bankFile([service.returned(1_000)])))
    const decision = { again: true, by: 'Ada', why: 'a new reader' }
    const again = (name: string, flags: CommandFlags = decision) => filesCommand(flags, ['read', name])(deps)
    await assert.rejects(again('returns.ach'), /returns\.ach still cannot be read as a whole/)
    await assert.rejects(again('other.ach'), /No file with the name other\.ach could not be used/)
    await assert.rejects(again('returns.ach', {}), /are read automatically/)
    await assert.rejects(again('returns.ach', { again: true, by: 'Ada' }), /needs --by NAME and --why TEXT/)
    // The stored bytes are replaced by bytes that a better reader could use.
    const sealed = deps.keyRing.seal(Buffer.from(bankFile([service.returned(1_000)]), 'latin1'), 'inbound file')
    await deps.sql`update inbound_contents set content_sealed = ${sealed}`
    assert.equal(await again('returns.ach'), 'returns.ach was read again. 1 of 1 entries were applied.')
    assert.deepEqual(await statuses(service), ['FAILED', 'IN_PROCESS', 'IN_PROCESS'])
    assert.equal((await getBankCases(deps)).length, 0)
    const [{ resolution, closedBy } = {}] = await getBankCases(deps, { includesClosed: true })
    assert.deepEqual(
      [resolution, closedBy],
      ['The file was read again (a new reader). 1 of 1 entries were applied.', 'Ada'],
    )
    assert.deepEqual(await auditOf(service, 'bank_file_read_again'), ['operator returns.ach: Ada: a new reader'])
  })
})

suite('an entry that cannot be used', () => {
  test('is applied with the trace number and the code that the bank confirms', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: '09100001000OOO4' }]))
    await pass(service, 8)
    assert.deepEqual(await payouts(service), [], 'it may concern any debit')
    const { id } = await onlyCase(service)
    const refused = [
      [{}, /--trace must be the trace number of the entry as it was sent, 15 digits/],
      [{ trace: ['091000010000099'], code: 'R01' }, /No entry with the trace number 091000010000099 was sent/],
      [{ trace: [service.traceOf(1_000)], code: 'R00' }, /--code must be a return code/],
    ] as const
    for (const [flags, message] of refused) {
      await assert.rejects(command(service, 'apply', id, flags as CommandFlags), (error) => {
        assert.ok(error instanceof StartProblem)
        assert.match(error.message, message)
        return true
      })
    }
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'], 'nothing changed')
    await command(service, 'apply', id, { trace: [service.traceOf(1_000)], code: 'r01' })
    await pass(service, 12)
    assert.deepEqual(await statuses(service), ['FAILED', 'PAID', 'PAID'])
    assert.deepEqual(await payouts(service), [2_000, 3_000])
  })

  test('is not applied with the code of a message about a return, which no entry comes back with', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: UNKNOWN_TRACE }]))
    const { id } = await onlyCase(service)
    const kinds = { R61: 'dishonored', R68: 'dishonored', R73: 'contested' }
    for (const [code, kind] of Object.entries(kinds)) {
      const done = command(service, 'apply', id, { trace: [service.traceOf(1_000)], code })
      await assert.rejects(done, new RegExp(`${code} is not the return of an entry, but a ${kind} return`))
    }
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
  })

  test('is not applied to a recalled entry, because its payment was sent again under another trace number', async (t) => {
    const service = await startWithDebits(t)
    const trace = service.traceOf(1_000)
    const [file] = (await service.list('outbound/sent'))
      .filter((name) => name.endsWith('.ach'))
      .sort()
      .reverse()
    await filesCommand({ trace: [trace] }, ['reject', file as string])(service.deps)
    await service.openWindow()
    assert.equal((await service.sent()).filter(({ cents }) => cents === 1_000).length, 2)
    await service.receive('returns.ach', bankFile([service.returned(1_000)]))
    const { id } = await onlyCase(service)
    const done = command(service, 'apply', id, { trace: [trace], code: 'R01' })
    await assert.rejects(done, /The return cannot be applied: the entry was recalled/)
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
  })

  test('is not applied to an entry that was sent to another bank', async (t) => {
    const service = await startWithDebits(t)
    const { deps } = service
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: UNKNOWN_TRACE }]))
    const { id } = await onlyCase(service)
    await deps.sql`update exchanges set connection_id = 'second' where direction = 'out'`
    const done = command(service, 'apply', id, { trace: [service.traceOf(1_000)], code: 'R01' })
    await assert.rejects(done, /it names an entry that was sent to another bank, over the connection second/)
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
    await deps.sql`update exchanges set connection_id = 'first' where direction = 'out'`
  })

  test('is applied to one entry, and an option without an effect is refused', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: UNKNOWN_TRACE }]))
    const { id } = await onlyCase(service)
    const trace = [service.traceOf(1_000), service.traceOf(2_000)]
    await assert.rejects(async () => command(service, 'apply', id, { trace, code: 'R01' }), /Give --trace once/)
    const checked = command(service, 'apply', id, { trace: trace.slice(1), code: 'R01', number: '1001' })
    await assert.rejects(checked, /--number has no effect on this case \(entry_unread\)\. It takes --trace, --code\./)
    assert.deepEqual(await statuses(service), ['IN_PROCESS', 'IN_PROCESS', 'IN_PROCESS'])
  })

  test('is applied to one payment if two operators decide at the same time, with an entry in the audit trail', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: UNKNOWN_TRACE }]))
    const { id } = await onlyCase(service)
    const apply = (cents: number, by: string) =>
      command(service, 'apply', id, { trace: [service.traceOf(cents)], code: 'R01', by })
    const done = await Promise.allSettled([apply(1_000, 'Ada'), apply(2_000, 'Ada')])
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    const [refused] = done.flatMap((one) => (one.status === 'rejected' ? [one.reason.message] : []))
    assert.match(refused, /This exception is already closed: The entry with trace number \d+ came back with R01\./)
    assert.deepEqual((await statuses(service)).sort(), ['FAILED', 'IN_PROCESS', 'IN_PROCESS'])
    const [audited = '', ...others] = await auditOf(service, 'exception_applied')
    assert.match(audited, /^operator entry_unread \w+: Ada: The entry .* came back with R01\. the bank said so$/)
    assert.deepEqual(others, [])
  })

  test('is either applied or closed if two operators decide differently at the same time', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), trace: UNKNOWN_TRACE }]))
    const { id } = await onlyCase(service)
    const [applied, closed] = await Promise.allSettled([
      command(service, 'apply', id, { trace: [service.traceOf(1_000)], code: 'R01' }),
      command(service, 'close', id),
    ])
    assert.notEqual(applied.status, closed.status)
    const [status] = await statuses(service)
    assert.equal(status, applied.status === 'fulfilled' ? 'FAILED' : 'IN_PROCESS')
  })

  test('about incoming money holds nothing', async (t) => {
    const service = await startWithDebits(t)
    await service.receive('incoming.ach', bankFile([{ ...service.returned(1_000), trace: service.traceOf(2_000) }]))
    assert.equal((await onlyCase(service)).kind, 'entry_unread')
    await command(service, 'close', (await onlyCase(service)).id)
    await pass(service, 6)
    assert.deepEqual(await payouts(service), [1_000, 2_000, 3_000])
  })
})

suite('a refund', () => {
  test('is reported when it is sent, but not while a case holds the payment', async (t) => {
    const service = await startWithDebits(t)
    const { sender, ids, sent, traceOf } = service
    await pass(service, 8)
    const credit = (await sent()).find(({ code, cents }) => code === '22' && cents === 1_000)
    assert.ok(credit)
    await service.receive(
      'credit.ach',
      bankFile([{ code: 'R23', trace: credit.trace, direction: 'credit', cents: 1_000 }]),
    )
    for (const { id } of await getExceptions(service.deps, {})) await command(service, 'close', id)
    // The debit is also returned, with another amount.
    await service.receive(
      'debit.ach',
      bankFile([{ code: 'R10', trace: traceOf(1_000), direction: 'debit', cents: 1_001 }]),
    )
    const { id } = await onlyCase(service)
    await service.passDays(8)
    await pass(service, 2)
    const refunds = async () => (await sent()).filter(({ description }) => description === 'REFUND').length
    assert.deepEqual([await statusOf(sender, ids[0]), await refunds()], ['FAILED', 0])
    await command(service, 'close', id)
    await service.passDays(2)
    await pass(service, 2)
    assert.deepEqual([await statusOf(sender, ids[0]), await refunds()], ['REFUNDED', 1])
    await service.assertLedger()
  })
})

suite('a contested return', () => {
  test('holds the remaining legs of its payment until the operator has decided', async (t) => {
    const service = await startWithDebits(t)
    const { recipient, account, ids, returned } = service
    await service.receive('returns.ach', bankFile([returned(1_000)]))
    await pass(service, 6)
    assert.equal(await statusOf(service.sender, ids[0]), 'FAILED')
    await service.receive('contested.ach', bankFile([returned(1_000, 'R73')]))
    const { id, kind, paymentId, cents } = await onlyCase(service)
    assert.deepEqual([kind, paymentId, cents], ['return_contested', ids[0], 1_000])
    assert.equal((await recipient.post(`/v3/check/deposit/${ids[0]}`, { account })).status, 201)
    await pass(service, 2)
    const debits = async () =>
      (await service.sent()).filter(({ cents, code }) => cents === 1_000 && code === '27').length
    assert.equal(await debits(), 1, 'the second debit waits')
    await assert.rejects(command(service, 'apply', id), /Nothing can be applied for this case/)
    await command(service, 'close', id)
    await pass(service, 2)
    assert.equal(await debits(), 2)
  })
})

suite('a notification of change that cannot be read', () => {
  const UNREADABLE = '1221051551234567890'

  async function startWithChange(t: TestContext) {
    const service = await startWithDebits(t)
    const trace = service.traceOf(1_000)
    await service.receive(
      'changes.ach',
      bankFile([{ code: 'C03', trace, direction: 'debit', cents: 0, corrected: UNREADABLE }]),
    )
    const waiting = await pay(service, 40)
    await service.openWindow()
    const debit = async () => (await service.sent()).find(({ cents, code }) => cents === 4_000 && /^[23]7$/.test(code))
    assert.equal(await debit(), undefined, 'the next debit to the account waits')
    const { id, kind } = await onlyCase(service)
    assert.equal(kind, 'correction_unread')
    return { ...service, id, debit, waiting }
  }

  test('holds the next debit to the account until the right values are applied', async (t) => {
    const service = await startWithChange(t)
    const { id } = service
    const refused = [
      [{}, /--routing, --account or --type/],
      [{ routing: '123456789' }, /The account was not corrected/],
      [{ account: '12' }, /--account must be 4 to 17 digits/],
    ] as const
    for (const [flags, message] of refused) await assert.rejects(command(service, 'apply', id, flags), message)
    await command(service, 'apply', id, { routing: '122105155', account: '1234567890' })
    await service.openWindow()
    const { routing, account } = (await service.debit()) ?? {}
    assert.deepEqual([routing, account], ['122105155', '1234567890'])
    await pass(service, 6)
    assert.deepEqual(await payouts(service), [1_000, 2_000, 3_000, 4_000], 'other debits are not held')
  })

  test('is also resolved by a manual correction, which is audited and sends an event', async (t) => {
    const service = await startWithChange(t)
    const bank = (await service.sender.get('/v3/bank')).body.banks[0].id
    const owner = await ownerOf(service)
    const correct = bankCommand({ owner, bank, account: '1234567890', routing: '122105155', note: 'the bank wrote' }, [
      'correct',
    ])
    assert.equal(await correct(service.deps), 'Corrected. 1 open cases about this account are closed.')
    await service.openWindow()
    assert.equal((await service.debit())?.account, '1234567890')
    assert.equal((await getBankCases(service.deps)).length, 0)
  })

  test('releases the payment that only its case still held when the account is corrected by hand', async (t) => {
    const service = await startWithDebits(t)
    const { deps, ids, sender } = service
    await service.receive('returns.ach', bankFile([{ ...service.returned(1_000), cents: 1_100 }]))
    const [unread] = await getBankCases(deps)
    const change = { ...service.returned(1_000, 'C01'), cents: 0, corrected: '12345/' }
    await service.receive('changes.ach', bankFile([change]))
    await command(service, 'close', unread?.id as string)
    assert.equal((await onlyCase(service)).kind, 'correction_unread')
    const isHeld = async () => (await legsOf(service, ids[0]))[0]?.[2]
    assert.equal(await isHeld(), true)
    const [bank] = (await sender.get('/v3/bank')).body.banks
    const correction = {
      owner: await ownerOf(service),
      bank: bank?.id,
      account: '730194826352',
      note: 'the bank wrote',
    }
    assert.match(await bankCommand(correction, ['correct'])(deps), /1 open cases about this account are closed/)
    assert.equal(await isHeld(), false)
    await pass(service, 8)
    assert.equal(await statusOf(sender, ids[0]), 'PAID')
  })

  test('lets the debit go to the old account if the operator decides so', async (t) => {
    const service = await startWithChange(t)
    await command(service, 'close', service.id)
    await service.openWindow()
    assert.equal((await service.debit())?.routing, '021000021')
  })
})

test('no case is overlooked among a thousand others', async (t) => {
  const service = await startWithDebits(t)
  const { deps } = service
  const owner = await ownerOf(service)
  await inTransaction(deps, async (tx) => {
    const about = { kind: 'statement_line_unread', connectionId: 'first', source: 'statement', line: 1 } as const
    for (let number = 0; number < 1_001; number++)
      await recordBankCase(tx, {
        ...{ ...about, file: { id: newId(tx), name: 'statement' }, isBankWide: false },
        ...{ note: 'it cannot be read', content: { lines: [] } },
      })
  })
  service.clock.advance(1)
  await service.receive('returns.ach', withWrongTotal(bankFile([service.returned(1_000)])))
  await service.receive('other.ach', bankFile([{ ...service.returned(2_000), cents: 1_100 }]))
  const list = (flags: CommandFlags) => exceptionCommand(flags, ['list'])(deps)
  assert.match(await list({}), /There are more than these 1000\. --json lists all/)
  assert.equal(JSON.parse(await list({ json: true })).length, 1_003)
  const own = JSON.parse(await list({ json: true, owner }))
  assert.deepEqual(
    own.map(({ kind }: { kind: string }) => kind),
    ['entry_unread'],
  )
  assert.match(await list({ owner }), /entry_unread/)
  const shown = JSON.parse(await filesCommand({}, ['show', 'returns.ach'])(deps))
  assert.equal(shown.exceptions.length, 1)
  const again = filesCommand({ again: true, by: 'Ada', why: 'a new reader' }, ['read', 'returns.ach'])(deps)
  await assert.rejects(again, /returns\.ach still cannot be read as a whole/)
})

test('an unusable list of paid checks holds the expiry of all outstanding checks', async (t) => {
  const service = await startPaidService(t)
  const ids = (await service.issue([10, 20])) as [string, string]
  await service.passDays(1)
  await service.receive('paid-1.csv', 'number,amount\n1001,10.00\nTotal,99.00\n')
  const { id } = await onlyCase(service)
  await service.passDays(200)
  const all = () => Promise.all(ids.map(service.statusOf))
  assert.deepEqual(await all(), ['MAILED', 'MAILED'])
  await service.receive('paid-2.csv', 'number,amount\n1001,10.00\n')
  await command(service, 'close', id)
  await service.passDays(1)
  assert.deepEqual(await all(), ['PAID', 'EXPIRED'])
})
