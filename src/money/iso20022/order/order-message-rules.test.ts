import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeReport } from '../report/report-judgement-rules.ts'
import { readWholeReports } from '../report/report-read-actions.ts'
import { namedIn, withMessages } from './order-message-rules.ts'
import { sentMessagesOf } from './order-rules.ts'
import type { OrderRow } from './order-store.ts'

const idOf = (digit: string) => digit.repeat(32)

/** An order in the first payment of a message. */
const orderOf = (message: string, leg: string): OrderRow => ({
  ...{ fileId: idOf(message), legId: idOf(leg), platformId: idOf('9'), payment: `${idOf(message)}-1`, executeOn: '' },
  ...{ message: 'pain.001.001.09', cents: 100, currency: 'USD', uetr: null, code: null },
  ...{ endedAt: null, recalledAt: null, recallId: null },
})

const orders = [orderOf('a', '1'), orderOf('a', '2'), orderOf('b', '3')]

/** Writes one payment of a camt.029 that names no message. */
const payment = (id: string, statuses: Record<string, string>): string =>
  `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${id}</OrgnlPmtInfId>${Object.entries(statuses)
    .map(
      ([leg, code]) =>
        `<TxInfAndSts><OrgnlEndToEndId>${idOf(leg)}</OrgnlEndToEndId><TxCxlSts>${code}</TxCxlSts></TxInfAndSts>`,
    )
    .join('')}</OrgnlPmtInfAndSts>`

async function judge(details: string) {
  const text = `<Document><RsltnOfInvstgtn><Assgnmt><Id>1</Id></Assgnmt><CxlDtls>${details}</CxlDtls></RsltnOfInvstgtn></Document>`
  const { reports } = await readWholeReports(Buffer.from(text))
  const [report] = reports
  assert.ok(report)
  const { outcomes, problems } = judgeReport(withMessages(report, orders), sentMessagesOf(orders))
  return {
    named: namedIn(report),
    outcomes: Object.fromEntries(outcomes.map(({ legId, meaning }) => [legId.charAt(0), meaning])),
    problems: problems.length,
  }
}

test('a status without a message belongs to the message of its payment or order', async () => {
  const byPayment = await judge(payment(`${idOf('a')}-1`, { 1: 'ACCR', 2: 'RJCR' }))
  assert.deepEqual(byPayment.outcomes, { 1: 'canceled', 2: 'kept' })
  assert.deepEqual(byPayment.named.fileIds, [idOf('a')])
  const byOrder = await judge(payment('NOTPROVIDED', { 3: 'ACCR' }))
  assert.deepEqual(byOrder.named, { fileIds: [], legIds: [idOf('3')], uetrs: [] })
  assert.deepEqual([byOrder.outcomes, byOrder.problems], [{ 3: 'canceled' }, 0])
  const ofTwo = await judge(payment(`${idOf('a')}-1`, { 1: 'ACCR' }) + payment(`${idOf('b')}-1`, { 3: 'RJCR' }))
  assert.deepEqual([ofTwo.outcomes, ofTwo.problems], [{ 1: 'canceled', 3: 'kept' }, 0])
})

test('a status that names an unknown order, or the payment of another one, gives no outcome', async () => {
  for (const details of [payment('NOTPROVIDED', { f: 'ACCR' }), payment(`${idOf('b')}-1`, { 1: 'ACCR' })]) {
    const { outcomes, problems } = await judge(details)
    assert.deepEqual([outcomes, problems], [{}, 1])
  }
})

test('a status of a whole message that is not named is not used if the report concerns two messages', async () => {
  const group = '<OrgnlGrpInfAndSts><GrpCxlSts>RJCR</GrpCxlSts></OrgnlGrpInfAndSts>'
  const one = payment(`${idOf('a')}-1`, { 1: 'RJCR' })
  assert.deepEqual((await judge(group + one)).outcomes, { 1: 'kept', 2: 'kept' })
  assert.deepEqual((await judge(group + one + payment(`${idOf('b')}-1`, { 3: 'RJCR' }))).outcomes, {})
})
