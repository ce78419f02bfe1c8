import assert from 'node:assert/strict'
import { suite, type TestContext, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getWaitingLines } from '../src/money/reconciliation/decision/line-view-actions.ts'
import type { LineRange } from '../src/money/reconciliation/match-store.ts'
import { matchReturnedOrders } from '../src/money/reconciliation/returned/returned-match-actions.ts'
import { listNewReturns } from '../src/money/reconciliation/returned/returned-order-store.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { monthCommand } from '../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { putInbound } from './support/ach.ts'
import type { Api } from './support/api.ts'
import { DAY, legsOf, pay, statusesOf, statusOf } from './support/file-service.ts'
import { breakRows } from './support/isolation.ts'
import { balanceOf } from './support/money.ts'
import { answerOrders, answerRecall, type BankOrder, type BankRecall } from './support/order-bank.ts'
import { casesOf, DEBTOR, decide, newParties, payByRtp, startOrders } from './support/order-service.ts'
import { type BankEntry, camtReport } from './support/return-notices.ts'

// Orders that the bank paid and later returned, according to its statements (camt.053) and notifications (camt.054).

async function startReturns(t: TestContext) {
  const bank = await startOrders(t)
  const { service, folder, send, answer, parties } = bank
  let balanceCents = 0
  const put = async (kind: 'statement' | 'notification', entries: readonly (BankEntry | BankEntry[])[]) => {
    service.clock.advance(DAY)
    const day = service.clock.now().toISOString().slice(0, 10)
    const report = camtReport({ kind, account: DEBTOR.accountNumber, day, openingCents: balanceCents, entries })
    if (kind === 'statement') balanceCents += entries.flat().reduce((sum, { cents }) => sum + cents, 0)
    await putInbound(folder, `statement-${kind}-${day}.xml`, report)
  }
  const match = async () => {
    await readBankStatements(service.deps)
    return matchBankStatements(service.deps, { legHandlers })
  }
  const book = (entries: readonly (BankEntry | BankEntry[])[]) => put('statement', entries).then(match)
  const notify = (entries: readonly (BankEntry | BankEntry[])[]) => put('notification', entries).then(match)
  /** The order of a payment of $53, which the bank has paid and booked. */
  const paid = async (more: Partial<BankEntry> = {}): Promise<{ id: string; order: BankOrder }> => {
    const id = await payByRtp(parties, 53)
    const order = (await send()).at(-1) as BankOrder
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await book([{ cents: -5_300, endToEndId: order.endToEndId, ...more }])
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    return { id, order }
  }
  const codeOf = async (id: string) => (await parties.sender.get(`/v3/check/${id}/fail`)).body.code
  const newPartiesOf = (owner: Api) => newParties(service, owner)
  return { ...bank, put, match, book, notify, paid, codeOf, newParties: newPartiesOf }
}

/** The UETR of an order, as the bank reads it in the message. */
async function uetrOf(
  { service }: Awaited<ReturnType<typeof startReturns>>,
  { endToEndId }: BankOrder,
): Promise<string> {
  const [row] = await service.deps.sql<{ uetr: string }[]>`select uetr from iso_orders where leg_id = ${endToEndId}`
  assert.ok(row)
  return row.uetr
}

/** The only line that waits for the operator. */
async function waitingLine({ service }: Awaited<ReturnType<typeof startReturns>>): Promise<string> {
  const lines = await service.deps.sql<{ id: string }[]>`select id from statement_lines where status = 'SUSPENSE'`
  assert.equal(lines.length, 1)
  return lines[0]?.id as string
}

const RTP_RETURN = { subfamily: 'RRTN', reason: 'AC04' } as const

suite('a returned order', () => {
  test('on a statement is FAILED with the reason of the bank, and its money goes back', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, answer, paid, book, codeOf } = bank
    const { id, order } = await paid()
    await book([{ cents: 5_300, endToEndId: order.endToEndId, ...RTP_RETURN }])
    assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'AC04'])
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID', 'FAILED'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'RETURNED', false]])
    await answer(answerOrders([{ ...order, code: 'ACCC' }]))
    assert.deepEqual(await casesOf(service), [], 'a late answer that it was paid has no effect')
    await service.passDays(6)
    const now = [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)]
    assert.deepEqual(now, ['REFUNDED', 1_000])
    await service.assertLedger()
  })

  for (const [name, entry] of [
    ['its UETR', async (bank, order) => ({ uetr: (await uetrOf(bank, order)).toUpperCase(), reason: 'AC06' })],
    ['the bank’s reference of its booking', async () => ({ bankReference: 'BR-20260302-77', reason: 'AC06' })],
    ['a reversal without a reason', async (_bank, order) => ({ endToEndId: order.endToEndId, isReversal: true })],
  ] as [string, (bank: Awaited<ReturnType<typeof startReturns>>, order: BankOrder) => Promise<Partial<BankEntry>>][]) {
    test(`is found by ${name}`, async (t) => {
      const bank = await startReturns(t)
      const { id, order } = await bank.paid({ bankReference: 'BR-20260302-77' })
      const other = await payByRtp(bank.parties, 53)
      await bank.send()
      const given = await entry(bank, order)
      await bank.book([{ cents: 5_300, ...given }])
      assert.deepEqual(
        [await statusOf(bank.parties.sender, id), await bank.codeOf(id)],
        ['FAILED', given.reason ?? 'NARR'],
      )
      assert.equal(await statusOf(bank.parties.sender, other), 'IN_PROCESS')
      assert.deepEqual(await casesOf(bank.service), [])
      await bank.service.assertLedger()
    })
  }

  test('and is known only by the bank’s reference is one of few orders of its amount, or the operator decides', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, put, match, codeOf } = bank
    const { deps } = service
    const { id } = await paid({ bankReference: 'BR-20260302-77' })
    const { id: other } = await paid({ bankReference: 'BR-20260303-78' })
    await put('statement', [
      { cents: 5_300, bankReference: 'BR-20260302-77' },
      { cents: 5_300, bankReference: 'BR-20260303-78', reason: 'AC06' },
    ])
    await readBankStatements(deps)
    const [range] = await deps.sql<LineRange[]>`
      select id as statement_id, connection_id, day::text as day, 1 as from, 10 as to, created_at as now
      from bank_statements
      order by id desc
      limit 1
    `
    assert.ok(range)
    const lines = await listNewReturns(deps.sql, range)
    assert.deepEqual(
      lines.map(({ bookedOn, cents }) => [bookedOn, cents]),
      [[range.day, 5_300]],
      'only a line that the bank marks as a return is compared with orders',
    )
    const foundAmong = (maxOrders: number) =>
      inTransaction(deps, async (tx) => (await matchReturnedOrders(tx, range, { maxOrders })).length)
    assert.equal(await foundAmong(1), 0)
    await match()
    assert.deepEqual(
      [await statusOf(parties.sender, id), await statusOf(parties.sender, other), await codeOf(other)],
      ['PAID', 'FAILED', 'AC06'],
    )
    await service.assertLedger()
  })

  test('in a notification is refunded before the statement, and the statement books it once', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book, notify, match, codeOf } = bank
    const { id, order } = await paid()
    const entry = { cents: 5_300, endToEndId: order.endToEndId, ...RTP_RETURN }
    await notify([{ cents: 100, endToEndId: 'of another customer' }, entry])
    assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'AC04'])
    await notify([entry])
    await book([entry])
    await match()
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID', 'FAILED'])
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    const now = [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)]
    assert.deepEqual(now, ['REFUNDED', 1_000])
    await service.assertLedger()
  })

  test('twice on statements is refunded once, and the second line becomes a case', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book } = bank
    const { id, order } = await paid()
    const entry = { cents: 5_300, endToEndId: order.endToEndId, ...RTP_RETURN }
    await book([entry])
    await book([entry])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID', 'FAILED'])
    await decide(service, { kind: 'line_contradicts', code: 'AC04' })
    await service.passDays(6)
    assert.equal(await balanceOf(parties.sender, parties.wallet), 1_000)
    await service.assertLedger()
  })

  for (const kind of ['book', 'notify'] as const) {
    test(`with another amount is a case and changes nothing (${kind})`, async (t) => {
      const bank = await startReturns(t)
      const { service, parties, paid } = bank
      const { id, order } = await paid()
      await bank[kind]([{ cents: 5_200, endToEndId: order.endToEndId, ...RTP_RETURN }])
      assert.deepEqual(await casesOf(service), ['line_contradicts'])
      assert.deepEqual(
        [await statusOf(parties.sender, id), await legsOf(service, id)],
        ['PAID', [['payment_push', 'SETTLED', true]]],
      )
      await bank.match()
      assert.deepEqual(await casesOf(service), ['line_contradicts'])
      await service.assertLedger()
    })
  }

  test('with another amount gives its money back after a person divides the line', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book, match, codeOf } = bank
    const { id, order } = await paid()
    await book([{ cents: 5_200, endToEndId: order.endToEndId, ...RTP_RETURN }])
    await reconcileCommand({ part: [`${order.endToEndId}=53.00`, 'bank_errors=-1.00'] }, [
      'split',
      await waitingLine(bank),
    ])(service.deps)
    await match()
    assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'AC04'])
    assert.deepEqual([await casesOf(service), await match()], [[], 0])
    await service.passDays(6)
    const now = [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)]
    assert.deepEqual(now, ['REFUNDED', 1_000])
    await service.assertLedger()
  })

  test('without a mark is refunded after the operator matches the line', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book, match, codeOf } = bank
    const { id, order } = await paid()
    await book([{ cents: 5_300, endToEndId: order.endToEndId }])
    const [line] = await service.deps.sql<{ id: string }[]>`select id from statement_lines where cents = 5300`
    await reconcileCommand({}, ['undo', line?.id as string])(service.deps)
    assert.deepEqual([await statusOf(parties.sender, id), await match()], ['PAID', 0])
    await reconcileCommand({ leg: [order.endToEndId] }, ['match', line?.id as string])(service.deps)
    await match()
    assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'NARR'])
    assert.deepEqual([await casesOf(service), await match()], [[], 0])
    await reconcileCommand({}, ['undo', line?.id as string])(service.deps)
    assert.deepEqual(await casesOf(service), ['return_not_booked'], 'its money was refunded')
    await reconcileCommand({ leg: [order.endToEndId] }, ['match', line?.id as string])(service.deps)
    await match()
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  for (const [how, expected] of [
    ['called back', []],
    ['refused', ['line_contradicts']],
  ] as const) {
    test(`after it was ${how}, while its debit waits for the operator, is handled once`, async (t) => {
      const bank = await startReturns(t)
      const { service, parties, send, recalls, answer, book, match } = bank
      const id = await payByRtp(parties, 53)
      const [order] = await send()
      assert.ok(order)
      assert.ok((await parties.sender.del(`/v3/check/${id}`)).status < 300)
      if (how === 'refused') await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
      else {
        const [recall] = await recalls()
        await answer(answerRecall(recall as BankRecall, 'CNCL'))
      }
      assert.equal(await statusOf(parties.sender, id), 'VOID')
      await book([{ cents: -9_900, text: 'orders of a batch' }])
      await book([{ cents: 5_300, endToEndId: order.endToEndId, subfamily: 'RPCR', reason: 'FOCR' }])
      assert.deepEqual([await match(), await casesOf(service)], [0, expected])
      assert.deepEqual(
        [await statusOf(parties.sender, id), await balanceOf(parties.sender, parties.wallet)],
        ['VOID', 1_000],
      )
      await service.assertLedger()
    })
  }

  for (const mark of [{ isReversal: true }, { subfamily: 'RRTN' }]) {
    test(`is found by a notification that names and marks it after its statement (${JSON.stringify(mark)})`, async (t) => {
      const bank = await startReturns(t)
      const { service, parties, paid, book, notify, codeOf } = bank
      const { id, order } = await paid()
      await book([{ cents: 5_300, bankReference: 'BR-20260304-78' }])
      assert.equal(await statusOf(parties.sender, id), 'PAID')
      await notify([{ cents: 5_300, bankReference: 'BR-20260304-78', endToEndId: order.endToEndId, ...mark }])
      assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'NARR'])
      assert.deepEqual(await casesOf(service), [])
      await service.assertLedger()
    })
  }

  test('in a notification contradicts no later statement that books only the order', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, book, notify } = bank
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSP' }]))
    await notify([{ cents: 5_300, endToEndId: order.endToEndId, ...RTP_RETURN }])
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    await book([{ cents: -5_300, endToEndId: order.endToEndId }])
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, id), 'REFUNDED')
    await service.assertLedger()
  })

  test('after it was voided, as only a notification says, is an open item of the month', async (t) => {
    const bank = await startReturns(t)
    const { service, folder, parties, send, book, notify } = bank
    await book([{ cents: 100, text: 'interest' }])
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    await book([{ cents: -5_300, endToEndId: order.endToEndId }])
    assert.ok((await parties.sender.del(`/v3/check/${id}`)).status < 300)
    await notify([{ cents: 5_300, endToEndId: order.endToEndId, ...RTP_RETURN }])
    assert.deepEqual([await statusOf(parties.sender, id), await casesOf(service)], ['VOID', []])
    service.clock.advance(40 * DAY)
    await assert.rejects(
      async () => monthCommand({ month: '2026-03', output: folder }, ['close'])(service.deps),
      /No line of a statement until 2026-03-31 books the return of \$53\.00 over RTP that the bank reported on 2026-03-\d\d/,
    )
    assert.deepEqual(await casesOf(service), ['return_not_booked'])
    await service.assertLedger()
  })

  test('has its own mark after more than 100 other payments of its entry', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, notify, codeOf } = bank
    const { id, order } = await paid()
    const others = Array.from({ length: 101 }, (_, index) => ({
      cents: 100,
      endToEndId: `of another customer ${index}`,
    }))
    await notify([[...others, { cents: 5_300, endToEndId: order.endToEndId, reason: 'AC04' }]])
    assert.deepEqual([await statusOf(parties.sender, id), await codeOf(id)], ['FAILED', 'AC04'])
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('without a mark of the bank waits for the operator, because the payee may have sent it', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book, codeOf } = bank
    const { id, order } = await paid()
    await book([{ cents: 5_300, endToEndId: order.endToEndId, text: 'thank you, but no' }])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await decide(service, { kind: 'line_contradicts', code: 'CUST' })
    assert.deepEqual(
      [await statusOf(parties.sender, id), await codeOf(id), await casesOf(service)],
      ['FAILED', 'CUST', []],
    )
    await service.assertLedger()
  })

  test('as a duplicate waits for the operator, because the other copy may be paid', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, paid, book } = bank
    const { id, order } = await paid()
    await book([{ cents: 5_300, endToEndId: order.endToEndId, subfamily: 'RRTN', reason: 'DUPL' }])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await service.assertLedger()
  })

  test('on the statement that also books it was never PAID', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, book } = bank
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    const { endToEndId } = order
    await book([
      { cents: -5_300, endToEndId },
      { cents: 5_300, endToEndId, ...RTP_RETURN },
    ])
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'FAILED'])
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    assert.equal(await balanceOf(parties.sender, parties.wallet), 1_000)
    await service.assertLedger()
  })

  test('in one entry of several payments refunds each with its own reason', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, book, codeOf } = bank
    const ids = [await pay(parties, 20, rtp(parties)), await pay(parties, 21, rtp(parties))] as [string, string]
    const orders = await send()
    await answer(answerOrders(orders.map((order) => ({ ...order, code: 'ACSC' }))))
    await book(orders.map(({ cents, endToEndId }) => ({ cents: -cents, endToEndId })))
    const reasons = new Map([
      [2_000, 'AC04'],
      [2_100, 'AC06'],
    ])
    await book([orders.map(({ cents, endToEndId }) => ({ cents, endToEndId, reason: reasons.get(cents) as string }))])
    assert.deepEqual([await codeOf(ids[0]), await codeOf(ids[1])], ['AC04', 'AC06'])
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  for (const kind of ['book', 'notify'] as const) {
    test(`of one platform is refunded while that of another one fails (${kind})`, async (t) => {
      const bank = await startReturns(t)
      const { service, parties, send, answer, match } = bank
      const own = await bank.newParties((await service.newOwner()).api)
      const ids = [await payByRtp(parties, 53), await payByRtp(own, 54)] as [string, string]
      const orders = await send()
      for (const order of orders) await answer(answerOrders([{ ...order, code: 'ACSC' }]))
      await bank.book(orders.map(({ cents, endToEndId }) => ({ cents: -cents, endToEndId })))
      const [broken] = await service.deps.sql<{ platformId: string }[]>`
        select platform_id from payments where id = ${ids[0]}
      `
      const repair = await breakRows(service.ownerSql, { table: 'payments', value: broken?.platformId as string })
      await bank[kind](orders.map(({ cents, endToEndId }) => ({ cents, endToEndId, ...RTP_RETURN })))
      assert.deepEqual([await statusOf(parties.sender, ids[0]), await statusOf(own.sender, ids[1])], ['PAID', 'FAILED'])
      await repair()
      service.deps.failures.clear()
      await match()
      assert.equal(await statusOf(parties.sender, ids[0]), 'FAILED')
      assert.deepEqual(await casesOf(service), [])
      await service.assertLedger()
    })
  }

  test('with another one in an entry without a mark is a case for each', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, book } = bank
    const ids = [await pay(parties, 20, rtp(parties)), await pay(parties, 21, rtp(parties))] as [string, string]
    const orders = await send()
    await answer(answerOrders(orders.map((order) => ({ ...order, code: 'ACSC' }))))
    await book(orders.map(({ cents, endToEndId }) => ({ cents: -cents, endToEndId })))
    await book([orders.map(({ cents, endToEndId }) => ({ cents, endToEndId }))])
    assert.deepEqual(await casesOf(service), ['line_contradicts', 'line_contradicts'])
    await decide(service, { kind: 'line_contradicts', code: 'CUST' })
    await decide(service, { kind: 'line_contradicts', code: 'CUST' })
    assert.deepEqual(await Promise.all(ids.map((id) => statusOf(parties.sender, id))), ['FAILED', 'FAILED'])
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('is retried after a failure, even if another return in its entry has a case', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, match } = bank
    const own = await bank.newParties((await service.newOwner()).api)
    const ids = [await payByRtp(parties, 53), await payByRtp(own, 54)] as [string, string]
    const orders = await send()
    for (const order of orders) await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await bank.book(orders.map(({ cents, endToEndId }) => ({ cents: -cents, endToEndId })))
    const [broken] = await service.deps.sql<{ platformId: string }[]>`
      select platform_id from payments where id = ${ids[1]}
    `
    const repair = await breakRows(service.ownerSql, { table: 'payments', value: broken?.platformId as string })
    const reasonOf = ({ cents }: BankOrder) => (cents === 5_400 ? { reason: 'AC04' } : {})
    await bank.notify([
      orders.map((order) => ({ cents: order.cents, endToEndId: order.endToEndId, ...reasonOf(order) })),
    ])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.equal(await statusOf(own.sender, ids[1]), 'PAID')
    await repair()
    service.deps.failures.clear()
    await match()
    assert.deepEqual([await statusOf(parties.sender, ids[0]), await statusOf(own.sender, ids[1])], ['PAID', 'FAILED'])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    await service.assertLedger()
  })

  test('after it was recalled is VOID, and the bank’s answer has no effect', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, recalls, answer, book } = bank
    const { sender } = parties
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    assert.ok((await sender.del(`/v3/check/${id}`)).status < 300)
    const [recall] = await recalls()
    const { endToEndId } = order
    await book([
      { cents: -5_300, endToEndId },
      { cents: 5_300, endToEndId, subfamily: 'RPCR', reason: 'FOCR' },
    ])
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, parties.wallet)], ['VOID', 1_000])
    await answer(answerRecall(recall as BankRecall, 'CNCL'))
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })
})

suite('an order that the bank names with another amount', () => {
  test('in a notification is a case with a proposal, once, and its payment is held until it is closed', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, notify, match } = bank
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await notify([{ cents: -5_300, endToEndId: order.endToEndId }])
    assert.deepEqual(await casesOf(service), [])
    await notify([{ cents: -5_200, endToEndId: order.endToEndId }])
    await match()
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', true]])
    const [one] = await getBankCases(service.deps)
    const shown = JSON.parse(await exceptionCommand({}, ['show', one?.id ?? ''])(service.deps))
    assert.match(
      shown.what_happened,
      /A line of a notification \(.*\): its amount is \$52\.00, and that of the movement that it names is \$53\.00\./,
    )
    assert.match(shown.proposals[0], /If its line has \$53\.00, close this case\. If it has \$52\.00, the line waits/)
    await exceptionCommand({ note: 'the statement has $53.00' }, ['close', one?.id ?? ''])(service.deps)
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', false]])
    assert.deepEqual([await match(), await casesOf(service)], [0, []])
    await service.assertLedger()
  })

  test('in parts of an entry is a case for each order, and the line says how many', async (t) => {
    const bank = await startReturns(t)
    const { service, parties, send, answer, book } = bank
    const ids = [await pay(parties, 20, rtp(parties)), await pay(parties, 21, rtp(parties))]
    const orders = await send()
    await answer(answerOrders(orders.map((order) => ({ ...order, code: 'ACSC' }))))
    await book([orders.map(({ cents, endToEndId }) => ({ cents: cents === 2_000 ? -2_100 : -2_000, endToEndId }))])
    assert.deepEqual(await casesOf(service), ['line_contradicts', 'line_contradicts'])
    for (const id of ids) assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', true]])
    const [line, ...others] = (await getWaitingLines(service.deps)).lines
    assert.ok(line && others.length === 0)
    assert.match(line.finding, /^Its amount is .*; 1 more of its payments do not match\.$/)
    assert.deepEqual(line.proposals, [], 'no single payment explains its amount')
    await service.assertLedger()
  })
})

const rtp = ({ wallet }: { wallet: string }) => ({ account: wallet, deposit_options: ['RTP'], name: 'Ada' })
