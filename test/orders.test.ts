import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { getExceptions } from '../src/foundation/exception/exception-actions.ts'
import { readAnswers, writeOrders } from '../src/money/iso20022/order/order-worker.ts'
import { exceptionCommand } from '../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../src/operation/cli/files-commands.ts'
import { monthCommand } from '../src/operation/cli/statement/month-command.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { userCommand } from '../src/operation/cli/user-commands.ts'
import { exchangeBankFiles } from '../src/operation/scheduler/bank-file-work.ts'
import { legHandlers, orderHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { matchRecipients } from '../src/payments/recipient/recipient-match-worker.ts'
import { inviteRecipients } from '../src/payments/recipient/recipient-worker.ts'
import { achFolder, connection, connectionsOf, exchange, fileStatuses, upload } from './support/ach.ts'
import type { Answer } from './support/api.ts'
import { fakeClock } from './support/clock.ts'
import {
  auditOf,
  DAY,
  type FileService,
  legsOf,
  pay,
  startFileService,
  statusesOf,
  statusOf,
} from './support/file-service.ts'
import { sampleTerms } from './support/iso-messages.ts'
import { ISO_SCHEMAS, withoutSchemas } from './support/iso-schemas.ts'
import { breakRows } from './support/isolation.ts'
import { newEmail, signUp } from './support/login.ts'
import { balanceOf } from './support/money.ts'
import {
  answerMessage,
  answerOrders,
  answerRecall,
  answerRecalledOrder,
  answerUnnamedRecall,
  type BankOrder,
  type BankRecall,
  readOrders,
} from './support/order-bank.ts'
import {
  book,
  casesOf,
  DEBTOR,
  decide,
  newParties,
  payByRtp,
  rails,
  startOrders,
  withOrders,
} from './support/order-service.ts'
import { sendPayment } from './support/payments.ts'
import { mailedToken, mailsTo, openLink, payNewRecipient } from './support/recipients.ts'
import type { TestUser } from './support/service.ts'
import { requireSshd, startSshd } from './support/sshd.ts'

// Production: real-time payments and wires are sent as files of orders (pain.001), and only the bank’s answers
// (pain.002) change their status.

/** The maximum lengths of these terms are so short that a schema with short texts accepts them. */
const shortTerms = { ...sampleTerms, initiatingParty: { name: 'Ex', id: 'EX', scheme: null } }

const refusalOf = ({ body }: Answer) => [body.code, body.message]

const exceptionsOf = async ({ deps }: Pick<FileService, 'deps'>) =>
  (await getExceptions(deps, {})).map(({ kind }) => kind)

suite('a real-time payment in production', () => {
  test('is sent to the bank as one order, and is PAID when the bank reports that it is settled, not before', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 12.5, { description: 'Invoice 7' })
    const [order, ...others] = await send()
    assert.ok(order)
    assert.deepEqual(others, [])
    const [leg] = await service.deps.sql<{ id: string }[]>`select id from legs where subject_id = ${id}`
    assert.deepEqual(
      { ...order, messageId: '', paymentId: '', payeeAccount: order.payeeAccount.length > 3 },
      {
        messageId: '',
        paymentId: '',
        endToEndId: leg?.id,
        instructionId: leg?.id,
        cents: 1_250,
        currency: 'USD',
        executeOn: '2026-03-02',
        serviceLevel: 'INST',
        debtorAccount: DEBTOR.accountNumber,
        payee: 'Lucja Orsted',
        payeeTown: null,
        payeeCountry: null,
        payeeAccount: true,
        payeeBank: '021000021',
        memo: 'Invoice 7',
      },
    )
    for (const code of ['RCVD', 'ACTC', 'ACSP', 'PDNG', 'ACWC']) {
      await answer(answerOrders([{ ...order, code }]))
      assert.equal(await statusOf(parties.sender, id), 'IN_PROCESS', code)
    }
    service.clock.advance(40 * 24 * 3_600)
    await service.doDueWork()
    assert.equal(await statusOf(parties.sender, id), 'IN_PROCESS', 'the passage of time proves nothing')
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'PAID'])
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await answer(answerOrders([{ ...order, code: 'ACSP' }]))
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', false]])
    assert.deepEqual((await send()).length, 1, 'it is sent once')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('is FAILED when the bank rejects it, with the reason, and its money returns to the wallet', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const [rejected, paid] = [await payByRtp(parties, 20), await payByRtp(parties, 30)]
    const orders = await send()
    assert.equal(new Set(orders.map(({ messageId }) => messageId)).size, 1, 'one message')
    const codeOf = (order: BankOrder) => (order.cents === 2_000 ? { code: 'RJCT', reason: 'AC04' } : { code: 'ACCC' })
    await answer(answerOrders(orders.map((order) => ({ ...order, ...codeOf(order) }))))
    assert.deepEqual(await Promise.all([rejected, paid].map((id) => statusOf(parties.sender, id))), ['FAILED', 'PAID'])
    assert.equal((await parties.sender.get(`/v3/check/${rejected}/fail`)).body.code, 'AC04')
    assert.match((await parties.sender.get('/v3/return_code/AC04')).body.action, /right account/)
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, rejected), 'REFUNDED')
    assert.equal(await balanceOf(parties.sender, parties.wallet), 970)
    assert.equal((await send()).length, 2, 'nothing is sent again')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('of a message that the bank rejects as a whole are all FAILED', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 21), await payByRtp(parties, 22)]
    const [order] = await send()
    await answer(answerMessage(order?.messageId ?? '', { code: 'RJCT', reason: 'AM04' }))
    for (const id of ids) assert.equal(await statusOf(parties.sender, id), 'FAILED')
    assert.deepEqual(Object.values(await fileStatuses(service.deps.sql)), ['REJECTED'])
    assert.equal((await send()).length, 2)
    await service.assertLedger()
  })

  test('is also PAID by a line of the bank’s statement that names it', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 35)
    const [order] = await send()
    assert.ok(order)
    await book({ service, folder }, [{ cents: -3_500, reference: order.endToEndId }])
    await readAnswers(service.deps, legHandlers)
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('waits for the bank again after the operator undoes the line that alone proved it', async (t) => {
    const { service, folder, send, parties } = await startOrders(t)
    const { deps, clock } = service
    const id = await payByRtp(parties, 12.5)
    const [order] = await send()
    assert.ok(order)
    await book({ service, folder }, [{ cents: -1_250, reference: '' }])
    const [line] = JSON.parse(await reconcileCommand({ json: true }, ['list'])(deps))
    const match = () => reconcileCommand({ leg: [order.endToEndId] }, ['match', line.id])(deps)
    const undo = () => reconcileCommand({}, ['undo', line.id])(deps)
    const casesAfterDays = async (days: number) => {
      for (let day = 0; day < days; day++) {
        clock.advance(DAY)
        await readAnswers(deps, legHandlers)
      }
      return casesOf(service)
    }
    await match()
    assert.deepEqual(await casesAfterDays(5), [])
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await undo()
    assert.deepEqual(await casesAfterDays(5), ['order_unanswered'])
    await match()
    assert.deepEqual(await casesAfterDays(1), [], 'the line proves the order again')
    await undo()
    assert.deepEqual(await casesAfterDays(5), ['order_unanswered'])
    await decide(service, { kind: 'order_unanswered', code: 'AC04', trace: [order.endToEndId] })
    assert.deepEqual([await statusOf(parties.sender, id), await casesOf(service)], ['FAILED', []])
    await service.assertLedger()
  })

  test('stays proved by the bank’s answer when the line that proved it first is undone', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 36)
    const [order] = await send()
    assert.ok(order)
    await book({ service, folder }, [{ cents: -3_600, reference: order.endToEndId }])
    await readAnswers(service.deps, legHandlers)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    const [line] = await service.deps.sql<{ id: string }[]>`select id from statement_lines where cents = -3600`
    await reconcileCommand({}, ['undo', line?.id ?? ''])(service.deps)
    service.clock.advance(10 * DAY)
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual([await statusOf(parties.sender, id), await casesOf(service)], ['PAID', []])
  })

  test('that a statement books is retried with delays if it fails, and the others are PAID', async (t) => {
    const { service, folder, send, parties } = await startOrders(t)
    const [broken, other] = [await payByRtp(parties, 35), await payByRtp(parties, 36)] as [string, string]
    const orders = await send()
    await book(
      { service, folder },
      orders.map(({ cents, endToEndId: reference }) => ({ cents: -cents, reference })),
    )
    const repair = await breakRows(service.ownerSql, { table: 'payments', column: 'id', value: broken })
    const realClock = fakeClock(new Date().toISOString())
    const pass = () => readAnswers({ ...service.deps, realClock }, legHandlers)
    const tries = () =>
      [...(service.deps.failures.get('read answers to orders')?.failures.values() ?? [])].map(({ count }) => count)
    assert.deepEqual([await pass(), tries()], [1, [1]], 'only changes are counted')
    assert.deepEqual([await pass(), tries()], [0, [1]], 'it is not retried at once')
    realClock.advance(2)
    assert.deepEqual([await pass(), tries()], [0, [2]])
    assert.equal(await statusOf(parties.sender, other), 'PAID')
    await repair()
    realClock.advance(300)
    assert.deepEqual([await pass(), tries()], [1, []])
    assert.equal(await statusOf(parties.sender, broken), 'PAID')
    await service.assertLedger()
  })

  test('without an answer becomes a case after the limit, is never sent again, and is PAID by a late answer', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 40)
    const [order] = await send()
    assert.ok(order)
    service.clock.advance(25 * 3_600)
    await readAnswers(service.deps, legHandlers)
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual(await casesOf(service), ['order_unanswered'])
    assert.equal((await send()).length, 1)
    assert.equal(await statusOf(parties.sender, id), 'IN_PROCESS')
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    assert.deepEqual(await casesOf(service), [], 'the answer closes the case')
  })

  test('without an answer after its file was sent again is another case', async (t) => {
    const { service, send, parties } = await startOrders(t)
    await payByRtp(parties, 40)
    await send()
    const casesAfterADay = async () => {
      service.clock.advance(25 * 3_600)
      await readAnswers(service.deps, legHandlers)
      return casesOf(service)
    }
    assert.deepEqual(await casesAfterADay(), ['order_unanswered'])
    const [one] = await getBankCases(service.deps)
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    const { commands } = JSON.parse(await exceptionCommand({}, ['show', one?.id ?? ''])(service.deps))
    assert.deepEqual(
      commands.filter((line: string) => line.includes(' close ')),
      [],
    )
    const close = exceptionCommand({ note: 'the bank looks for it' }, ['close', one?.id ?? ''])(service.deps)
    await assert.rejects(
      close,
      /Orders of this message have no final answer.* remit exceptions apply \w+ --trace ORDER/,
    )
    assert.deepEqual(await casesAfterADay(), ['order_unanswered'], 'the order still waits')
    await filesCommand({ yes: true }, ['resend', name])(service.deps)
    await send()
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual(await casesOf(service), [], 'its time starts again')
    assert.deepEqual(await casesAfterADay(), ['order_unanswered'])
    assert.notEqual((await getBankCases(service.deps))[0]?.id, one?.id)
  })

  test('without an answer is decided by the operator, with the bank’s reply', async (t) => {
    const { service, send, parties } = await startOrders(t)
    const [paid, failed] = [await payByRtp(parties, 41), await payByRtp(parties, 42)]
    const orders = await send()
    service.clock.advance(25 * 3_600)
    await readAnswers(service.deps, legHandlers)
    const [one] = await getBankCases(service.deps)
    const apply = (cents: number, code: string) => {
      const trace = [orders.find((order) => order.cents === cents)?.endToEndId ?? '']
      return exceptionCommand({ note: 'by phone', trace, code }, ['apply', one?.id ?? ''])(service.deps)
    }
    for (const code of ['R01X', 'DT06', 'R01', 'R73', 'C01', 'A'])
      await assert.rejects(apply(4_100, code), /--code must be a status/, `no bank rejects an order with ${code}`)
    assert.equal(await statusOf(parties.sender, paid), 'IN_PROCESS')
    const shown = JSON.parse(await exceptionCommand({}, ['show', one?.id ?? ''])(service.deps))
    assert.match(shown.commands[0], /--trace ORDER --code ACSC/)
    const waiting = orders.map(({ endToEndId, cents }) => [endToEndId, `$${cents / 100}.00`]).sort()
    const named = shown.orders.map((one: Record<'order' | 'amount', string>) => [one.order, one.amount])
    assert.deepEqual(named, waiting)
    assert.match(await apply(4_100, 'ACSC'), /The case stays open until the bank has answered the other orders/)
    assert.match(
      (await auditOf(service, 'exception_applied')).join(),
      /^operator order_unanswered \w+: operator: The order \w+ has the status ACSC\. by phone$/,
    )
    assert.equal(await statusOf(parties.sender, paid), 'PAID')
    await readAnswers(service.deps, legHandlers)
    assert.equal(await statusOf(parties.sender, failed), 'IN_PROCESS')
    assert.deepEqual(await casesOf(service), ['order_unanswered'], 'the other order is still tracked')
    assert.match(await apply(4_200, 'AC04'), /has the status RJCT\. The case is closed/)
    assert.equal(await statusOf(parties.sender, failed), 'FAILED')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('is held by a case when answers contradict each other, name no order of ours or are damaged', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 50)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', true]])
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    const stranger = { ...order, messageId: '0'.repeat(32), endToEndId: 'e'.repeat(32) }
    await answer(answerOrders([{ ...stranger, code: 'ACSC' }]))
    await answer(answerOrders([{ ...order, code: 'ABCD' }]))
    await answer(answerOrders([{ ...order, code: 'RJCT' }]).slice(0, -60))
    await answer('what is this?')
    const kinds = ['entry_unread', 'file_unread', 'order_contradicts']
    assert.deepEqual([...new Set(await casesOf(service))].toSorted(), kinds)
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', true]])
    const files = await readdir(join(service.folder, 'inbound')).catch(() => [])
    assert.deepEqual(
      files.filter((name) => name.startsWith('pain002')),
      [],
    )
    await service.assertLedger()
  })

  test('is not held again by a copy of an answer whose case is closed', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 50)
    const [order] = await send()
    assert.ok(order)
    const held = answerOrders([{ ...order, code: 'BLCK' }])
    await answer(held)
    const [one] = await getBankCases(service.deps)
    await exceptionCommand({ note: 'the bank goes on' }, ['close', one?.id ?? ''])(service.deps)
    await answer(held)
    assert.deepEqual(await casesOf(service), [])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', false]])
    await answer(answerOrders([{ ...order, code: 'BLCK' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'], 'another answer holds it')
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', true]])
  })

  test('is only offered if a connection carries it', async (t) => {
    const service = await startFileService(t)
    const parties = await newParties(service)
    const refused = await parties.sender.post('/v3/check/digital', {
      ...{ amount: 10, name: 'Ada', account: parties.wallet, deposit_options: ['RTP'] },
      recipient: { id: parties.recipient.userId, account: parties.account },
    })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /cannot include RTP, because no bank or provider carries it here/)
  })
})

suite('an order that the bank would refuse', () => {
  test('is refused at the API, with the letter named', async (t) => {
    const { parties } = await startOrders(t)
    const order = (more: object) => ({
      ...{ amount: 10, name: 'Ada', account: parties.wallet, deposit_options: ['RTP'], ...more },
      recipient: { id: parties.recipient.userId, account: parties.account },
    })
    const refused = await parties.sender.post('/v3/check/digital', order({ name: '王 Ada' }))
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /name.*“王” \(U\+738B\)/)
    const memo = await parties.sender.post('/v3/check/digital', order({ description: 'Rent 家' }))
    assert.match(JSON.stringify(memo.body), /description.*“家”/)
  })

  test('by its schemas is not sent until the schemas match, and the case closes automatically', async (t) => {
    const schemaFolder = await achFolder(t)
    const strict = `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><xs:element name="Document" type="xs:string"/></xs:schema>`
    const lax = strict.replace(
      ' type="xs:string"/>',
      '><xs:complexType><xs:sequence><xs:any processContents="skip"/></xs:sequence></xs:complexType></xs:element>',
    )
    await writeFile(join(schemaFolder, 'bank.xsd'), strict)
    const { service, send, parties } = await startOrders(t, { schemaFolder })
    const id = await payByRtp(parties, 60)
    assert.deepEqual(await send(), [])
    assert.deepEqual(await casesOf(service), ['orders_invalid'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'WAITING', false]])
    await writeFile(join(schemaFolder, 'bank.xsd'), lax)
    service.clock.advance(11 * 60)
    assert.equal((await send()).length, 1)
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('by a schema is held alone, and is sent when its exception is closed', { skip: withoutSchemas }, async (t) => {
    const schemaFolder = await achFolder(t)
    const base = await readFile(join(ISO_SCHEMAS, 'pain.001.001.09.xsd'), 'utf8')
    const shortMemo = base.replace(/(name="Max140Text">[\s\S]*?maxLength value=")140/, '$15')
    await writeFile(join(schemaFolder, 'bank.xsd'), shortMemo)
    const { service, send, answer, parties } = await startOrders(t, {
      ...{ schemaFolder, terms: shortTerms, holder: { name: 'Ex', address: null } },
    })
    const [long, short] = [
      await payByRtp(parties, 70, { name: 'Al', description: 'a long text' }),
      await payByRtp(parties, 71, { name: 'Bo' }),
    ]
    const [order, ...others] = await send()
    assert.deepEqual([order?.cents, others], [7_100, []])
    assert.deepEqual(await exceptionsOf(service), ['order_refused'])
    await answer(answerOrders([{ ...(order as BankOrder), code: 'ACSC' }]))
    assert.equal(await statusOf(parties.sender, short), 'PAID')
    await writeFile(join(schemaFolder, 'bank.xsd'), base)
    const [one] = await getExceptions(service.deps, {})
    await exceptionCommand({ note: 'another schema' }, ['close', one?.id ?? ''])(service.deps)
    assert.deepEqual((await send()).map(({ cents }) => cents).toSorted(), [7_000, 7_100])
    assert.equal(await statusOf(parties.sender, long), 'IN_PROCESS')
    await service.assertLedger()
  })
})

suite('a wire in production', () => {
  const abroad = { account: 'DE89370400440532013000', routing: 'COBADEFF', type: 'BUSINESS', name: 'Große Øst GmbH' }
  const here = { account: '98765432', routing: '021000021', type: 'CHECKING' }
  const addressOfWire = { line_1: 'Königsallee 1', city: 'Düsseldorf', zip: '40212' }

  const addWire = async (user: TestUser, account: object): Promise<string> => {
    const { status, body, text } = await user.post('/v3/account/wire', account)
    assert.equal(status, 201, text)
    return body.id
  }

  test('needs the address of the payee in separate fields', async (t) => {
    const { parties } = await startOrders(t)
    const account = await addWire(parties.recipient, here)
    const refused = await parties.sender.post('/v3/check/digital', {
      ...{ amount: 10, name: 'Ada', account: parties.wallet },
      recipient: { id: parties.recipient.userId, account },
    })
    assert.equal(refused.status, 400)
    assert.match(JSON.stringify(refused.body), /account.*city and country at least/)
    const { id } = await sendPayment(parties.sender, {
      ...{ account: parties.wallet, recipient: parties.recipient.userId, deposit_options: ['WIRE'] },
    })
    const later = await parties.recipient.post(`/v3/check/deposit/${id}`, { account })
    assert.match(JSON.stringify(later.body), /account.*city and country at least/)
    assert.equal(await statusOf(parties.sender, id), 'UNPAID')
    const unreadable = await addWire(parties.recipient, { ...here, account: '98765433', city: '王府井' })
    const inChinese = await parties.recipient.post(`/v3/check/deposit/${id}`, { account: unreadable })
    assert.match(JSON.stringify(inChinese.body.errors.account), /its city has a character that the bank cannot read/)
  })

  test('domestic and abroad is one message for each day of execution, and each order is PAID separately', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const { sender, recipient } = parties
    const [domestic, foreign] = [
      await addWire(recipient, { ...here, city: 'New York', state: 'NY' }),
      await addWire(recipient, { ...abroad, ...addressOfWire }),
    ]
    const wire = (account: string, amount: number, more: object = {}) =>
      pay({ ...parties, account }, amount, { account: parties.wallet, ...more })
    const ids = [await wire(domestic, 100), await wire(foreign, 200, { name: 'Große Øst GmbH' })]
    const orders = await send()
    const shown = orders.map((one) => [one.cents, one.payee, one.payeeTown, one.payeeCountry, one.payeeBank])
    assert.deepEqual(shown.toSorted(), [
      [10_000, 'Recipient', 'New York', 'US', '021000021'],
      [20_000, 'Grosse Ost GmbH', 'Dusseldorf', 'DE', 'COBADEFF'],
    ])
    assert.deepEqual(orders.map(({ payeeAccount }) => payeeAccount).toSorted(), ['98765432', 'DE89370400440532013000'])
    for (const order of orders) await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    for (const id of ids) assert.equal(await statusOf(sender, id), 'PAID')
    service.clock.advance(30 * DAY)
    await service.doDueWork()
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('goes to the account that the payee entered on the page of a link, also after the payee signs up', async (t) => {
    const { service, send, answer, parties } = await startOrders(t, {}, { showsMail: true, trustsProxy: true })
    const { sender, wallet } = parties
    const terms = { account: wallet, deposit_options: ['WIRE'] }
    const one = await payNewRecipient(service, sender, { amount: 40, name: 'Ada', ...terms })
    const given = { ...here, name: 'Ada', line_1: '1 Main St', city: 'Austin', state: 'TX', zip: '78701' }
    assert.equal((await one.page.deposit('wire', { ...given, holder_country: 'US' })).status, 200)
    const emails = [newEmail(), newEmail()] as const
    const recipients = emails.map((recipient) => ({ name: 'Bob', recipient, endorse_only: recipient === emails[1] }))
    const several = await sender.post('/v3/check/multi', { amount: 50, ...terms, recipients })
    assert.equal(several.status, 201, several.text)
    while ((await mailsTo(service, emails[1])).length === 0) await inviteRecipients(service.deps, service.baseUrl)
    const [first, second] = await Promise.all(
      emails.map(async (email) => openLink(service, await mailedToken(service, email))),
    )
    await second?.endorse({ name: 'Bob', signature: null })
    const swift = await first?.deposit('wire', { ...abroad, ...addressOfWire, holder_country: 'DE' })
    assert.equal(swift?.status, 200, swift?.text)
    for (const email of [one.email, emails[0]]) await signUp(service, email)
    while ((await matchRecipients(service.deps)) > 0);
    await service.applyOutbox()
    const orders = await send()
    assert.deepEqual(orders.map(({ payeeAccount }) => payeeAccount).toSorted(), ['98765432', abroad.account])
    await answer(answerOrders(orders.map((order) => ({ ...order, code: 'ACSC' }))))
    for (const id of [one.id, several.body.id]) assert.equal(await statusOf(sender, id), 'PAID')
  })
})

suite('a rejection that may be about a second copy', () => {
  for (const [how, report] of [
    ['of the message', (order: BankOrder) => answerMessage(order.messageId, { code: 'RJCT', reason: 'DU01' })],
    ['of the order', (order: BankOrder) => answerOrders([{ ...order, code: 'RJCT', reason: 'AM05' }])],
    [
      'of the message, with a status of each order',
      (order: BankOrder) => {
        const ofGroup = '<GrpSts>RJCT</GrpSts><StsRsnInf><Rsn><Cd>DUPL</Cd></Rsn></StsRsnInf></OrgnlGrpInfAndSts>'
        return answerOrders([{ ...order, code: 'RJCT' }]).replace('</OrgnlGrpInfAndSts>', ofGroup)
      },
    ],
  ] as const)
    test(`refunds nothing, because the bank may execute the first one: ${how}`, async (t) => {
      const { service, send, answer, parties } = await startOrders(t)
      const id = await payByRtp(parties, 45)
      const [order] = await send()
      assert.ok(order)
      await answer(report(order))
      assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', true]])
      assert.deepEqual(await casesOf(service), ['order_contradicts'])
      assert.deepEqual(Object.values(await fileStatuses(service.deps.sql)), ['TRANSMITTED'])
      await answer(answerOrders([{ ...order, code: 'ACSC' }]))
      assert.equal(await statusOf(parties.sender, id), 'PAID')
      assert.equal((await send()).length, 1)
      await service.assertLedger()
    })

  test('refunds nothing after the file was sent again, and fails after the operator’s decision', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 46)
    const [order] = await send()
    assert.ok(order)
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    await filesCommand({ yes: true }, ['resend', name])(service.deps)
    await send()
    await answer(answerMessage(order.messageId, { code: 'RJCT', reason: 'AC04' }))
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', true]])
    await decide(service, { kind: 'order_contradicts', code: 'AC04' })
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    await service.assertLedger()
  })

  test('refunds nothing either if the bank cancels the order as a duplicate', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 46)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'CANC', reason: 'DUPL' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', true]])
  })

  test('refunds nothing either if the bank calls the order back, until the operator’s decision', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 46)
    await send()
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    await filesCommand({ yes: true }, ['resend', name])(service.deps)
    await send()
    await sender.del(`/v3/check/${id}`)
    const [recall] = await recalls()
    await answer(answerRecall(recall as BankRecall, 'CNCL'))
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['IN_PROCESS', 954])
    await decide(service, { kind: 'order_contradicts', code: 'CNCL' })
    await exchange(service.deps)
    await service.doDueWork()
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['VOID', 1_000])
    await service.assertLedger()
  })

  test('of an order that a statement has booked in the same pass becomes a case, and neither decides', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 48)
    const [order] = await send()
    assert.ok(order)
    await book({ service, folder }, [{ cents: -4_800, reference: order.endToEndId }])
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SENT', true]])
    assert.equal(await statusOf(parties.sender, id), 'IN_PROCESS')
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await service.assertLedger()
  })

  test('of an order that a statement has booked and returned counts', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 49)
    const [order] = await send()
    assert.ok(order)
    const reference = order.endToEndId
    await book({ service, folder }, [
      { cents: -4_900, reference },
      { cents: 4_900, reference },
    ])
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    await service.assertLedger()
  })

  test('of an order that a statement books becomes a case', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 47)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    await book({ service, folder }, [{ cents: -4_700, reference: order.endToEndId }])
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, id), 'FAILED', 'the money waits for the operator')
    await decide(service, { kind: 'line_contradicts', code: 'ACSC' })
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await service.assertLedger()
  })

  /** A payment over RTP from a wallet of $1,000, whose order the bank has rejected. */
  const startRejected = async (t: TestContext) => {
    const orders = await startOrders(t)
    const id = await payByRtp(orders.parties, 90)
    const [order] = await orders.send()
    assert.ok(order)
    await orders.answer(answerOrders([{ ...order, code: 'RJCT', reason: 'MS03' }]))
    return { ...orders, id, order }
  }

  test('of an order that is then paid is a case, and the payment is PAID after the operator’s decision', async (t) => {
    const { service, answer, parties, id, order } = await startRejected(t)
    const { sender, wallet } = parties
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    await service.passDays(10)
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['PAID', 910])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'SETTLED', false]])
    assert.deepEqual(await statusesOf(service, id), ['IN_PROCESS', 'FAILED', 'PAID'])
    await service.assertLedger()
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    await decide(service, { kind: 'order_contradicts', code: 'AC04' })
    assert.equal((await sender.get(`/v3/check/${id}/fail`)).body.code, 'AC04', 'the bank may be asked again')
    await service.passDays(10)
    assert.equal(await balanceOf(sender, wallet), 1_000)
    await service.assertLedger()
  })

  test('of an order that is then paid cancels the second payout that waits, after the operator’s decision', async (t) => {
    const { service, send, answer, parties, id, order } = await startRejected(t)
    const { sender, recipient, account } = parties
    const deposit = await recipient.post(`/v3/check/deposit/${id}`, { account })
    assert.equal(deposit.status, 201, deposit.text)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    assert.equal((await send()).length, 1)
    assert.equal(await statusOf(sender, id), 'PAID')
    const states = (await legsOf(service, id)).map(([, status]) => status)
    assert.deepEqual(states.sort(), ['CANCELLED', 'SETTLED'])
    await service.assertLedger()
  })

  test('of an order that is paid after the refund is not PAID, because the sender has the money', async (t) => {
    const { service, answer, parties, id, order } = await startRejected(t)
    const { sender, wallet } = parties
    await service.passDays(6)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    const decision = decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    await assert.rejects(decision, /its money went back to the sender/)
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['REFUNDED', 1_000])
    await service.assertLedger()
  })

  /** An invoice for $40 that a wallet has paid over RTP, the only rail here. The bank rejects the order. */
  const startRejectedInvoice = async (t: TestContext) => {
    const orders = await startOrders(t, {}, {}, { RTP: 'first' })
    const { sender, recipient, wallet, account } = orders.parties
    const invoice = await recipient.post('/v3/invoice', {
      ...{ amount: 40, name: 'Sam Doe', recipient: sender.userId, description: 'Roof', account },
    })
    assert.equal(invoice.status, 201, invoice.text)
    const payment = { id: invoice.body.id, amount: 40, account: wallet }
    const payInvoice = async (): Promise<string> => {
      const paid = await sender.post('/v3/invoice/payment', payment)
      assert.equal(paid.status, 201, paid.text)
      return paid.body.id
    }
    const id = await payInvoice()
    const [order] = await orders.send()
    assert.ok(order)
    await orders.answer(answerOrders([{ ...order, code: 'RJCT', reason: 'MS03' }]))
    const invoiceStatus = async () => (await recipient.get(`/v3/invoice/${payment.id}`)).body.status
    assert.deepEqual([await statusOf(sender, id), await invoiceStatus()], ['FAILED', 'UNPAID'])
    return { ...orders, id, order, payInvoice, invoiceStatus }
  }

  test('of an order for an invoice that is then paid pays the invoice, after the operator’s decision', async (t) => {
    const { service, answer, parties, id, order, invoiceStatus } = await startRejectedInvoice(t)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    assert.deepEqual([await statusOf(parties.sender, id), await invoiceStatus()], ['PAID', 'PAID'])
    await service.passDays(10)
    assert.equal(await balanceOf(parties.sender, parties.wallet), 960)
    await service.assertLedger()
  })

  test('of an order for an invoice that was paid again in between leaves the second payment as it is', async (t) => {
    const { service, answer, parties, id, order, payInvoice, invoiceStatus } = await startRejectedInvoice(t)
    const second = await payInvoice()
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    const decision = decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    await assert.rejects(decision, /The invoice of the payment has another payment/)
    const { sender } = parties
    assert.deepEqual([await statusOf(sender, id), await statusOf(sender, second)], ['FAILED', 'IN_PROCESS'])
    assert.equal(await invoiceStatus(), 'IN_PROCESS')
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    await service.assertLedger()
  })

  test('of an order that the operator matches with a line becomes a case, until the line is booked differently', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 48)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    await book({ service, folder }, [{ cents: -4_800, reference: '' }])
    const [line] = JSON.parse(await reconcileCommand({ json: true }, ['list'])(service.deps))
    const leg = order.endToEndId.replaceAll('-', '')
    const done = await reconcileCommand({ leg: [leg] }, ['match', line.id])(service.deps)
    assert.match(done, /its payment is held/)
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, id), 'FAILED', 'the money waits for the operator')
    await reconcileCommand({}, ['undo', line.id])(service.deps)
    await reconcileCommand({ why: 'of another customer' }, ['ignore', line.id])(service.deps)
    assert.deepEqual(await casesOf(service), [])
    await service.passDays(6)
    assert.equal(await statusOf(parties.sender, id), 'REFUNDED')
  })
})

test('a paid order without a statement line keeps its month open', async (t) => {
  const { service, folder, send, answer, parties } = await startOrders(t)
  await book({ service, folder }, [{ cents: 100, reference: '' }])
  await payByRtp(parties, 52)
  const [order] = await send()
  assert.ok(order)
  await answer(answerOrders([{ ...order, code: 'ACSC' }]))
  service.clock.advance(40 * DAY)
  await assert.rejects(
    async () => monthCommand({ month: '2026-03', output: folder }, ['close'])(service.deps),
    /No line of a statement until 2026-03-31 books the RTP movement of -\$52\.00 that was sent on 2026-03-\d\d/,
  )
  assert.deepEqual(await casesOf(service), ['movement_not_booked'])
  service.clock.advance(30 * DAY)
  await book({ service, folder }, [{ cents: -5_200, reference: order.endToEndId }], 100)
  const close = (month: string) => monthCommand({ month, output: folder }, ['close'])(service.deps)
  await assert.rejects(close('2026-04'), /Close 2026-03 of first:operating first/)
  assert.deepEqual(await casesOf(service), [], 'a line books the order')
  const [line] = await service.deps.sql<{ id: string }[]>`select id from statement_lines where cents = -5200`
  await reconcileCommand({}, ['undo', line?.id ?? ''])(service.deps)
  await reconcileCommand({ why: 'of another customer' }, ['ignore', line?.id ?? ''])(service.deps)
  await assert.rejects(close('2026-03'), /books the RTP movement of -\$52\.00/)
  await assert.rejects(close('2026-03'), /books the RTP movement of -\$52\.00/)
  assert.deepEqual(await casesOf(service), ['movement_not_booked'])
})

suite('a paid order that is returned', () => {
  test('on a statement is FAILED when the operator says so, and its money goes back', async (t) => {
    const { service, folder, send, answer, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 53)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    const reference = order.endToEndId
    await book({ service, folder }, [{ cents: -5_300, reference }])
    await book({ service, folder }, [{ cents: 5_300, reference }], -5_300)
    assert.deepEqual(await casesOf(service), ['line_contradicts'])
    assert.equal(await statusOf(sender, id), 'PAID')
    await decide(service, { kind: 'line_contradicts', code: 'AC04' })
    assert.deepEqual(await casesOf(service), [])
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'RETURNED', false]])
    assert.equal((await sender.get(`/v3/check/${id}/fail`)).body.code, 'AC04')
    await service.passDays(6)
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['REFUNDED', 1_000])
    await service.assertLedger()
  })

  test('by an answer is FAILED after the operator’s decision', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 54)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await answer(answerOrders([{ ...order, code: 'RJCT', reason: 'AC04' }]))
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await decide(service, { kind: 'order_contradicts', code: 'AC04' })
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })
})

suite('an order whose file is rejected', () => {
  test('is added to another one, and the case about the missing answer closes', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 43)
    await send()
    service.clock.advance(25 * 3_600)
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual(await casesOf(service), ['order_unanswered'])
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    await filesCommand({}, ['reject', name])(service.deps)
    await exchange(service.deps)
    assert.deepEqual(await casesOf(service), [])
    const [, again] = await send()
    assert.ok(again)
    await answer(answerOrders([{ ...again, code: 'ACSC' }]))
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    await service.assertLedger()
  })

  test('is not sent again once the bank has answered it', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 48), await payByRtp(parties, 49)]
    const [accepted, other] = await send()
    assert.ok(accepted && other)
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    await filesCommand({}, ['reject', name])(service.deps)
    await answer(answerOrders([{ ...accepted, code: 'ACCP' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    const sent = await send()
    assert.deepEqual(
      sent.map(({ endToEndId }) => endToEndId).sort(),
      [accepted, other, other].map(({ endToEndId }) => endToEndId).sort(),
    )
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    const paid = ids[accepted.cents === 4_800 ? 0 : 1] ?? ''
    assert.equal(await statusOf(parties.sender, paid), 'PAID')
    assert.deepEqual(await legsOf(service, paid), [['payment_push', 'SETTLED', false]])
    await service.assertLedger()
  })

  test('becomes a case again if the operator only closes the case about its answer', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 50)
    const [order] = await send()
    assert.ok(order)
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    await filesCommand({}, ['reject', name])(service.deps)
    await answer(answerOrders([{ ...order, code: 'PDNG' }]))
    const [one] = await getBankCases(service.deps)
    assert.equal(one?.kind, 'order_contradicts')
    await exceptionCommand({ note: 'the bank does not have it' }, ['close', one.id])(service.deps)
    service.clock.advance(25 * 3_600)
    await readAnswers(service.deps, legHandlers)
    assert.deepEqual(await casesOf(service), ['order_unanswered'])
    await decide(service, { kind: 'order_unanswered', code: 'MS03', trace: [order.endToEndId] })
    assert.equal(await statusOf(parties.sender, id), 'FAILED')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('and that the bank has paid is PAID by the operator’s decision, although it waits for a suspended sender', async (t) => {
    const { service, send, answer } = await startOrders(t)
    const { deps } = service
    const owner = await service.newOwner()
    const parties = await newParties(service, owner.api)
    const id = await payByRtp(parties, 90)
    const [order] = await send()
    assert.ok(order)
    const [name = ''] = Object.keys(await fileStatuses(deps.sql))
    await userCommand({ owner: owner.email, user: parties.sender.userId }, ['suspend'])(deps)
    await filesCommand({}, ['reject', name])(deps)
    await exchange(deps)
    await send()
    assert.deepEqual(await legsOf(service, id), [['payment_push', 'WAITING', false]])
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    await decide(service, { kind: 'order_contradicts', code: 'ACSC' })
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    assert.equal((await send()).length, 1)
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), [], 'later answers follow the order')
    await service.assertLedger()
  })

  test('is not sent again because an answer could not be applied', async (t) => {
    const { service, send, answer, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 51), await payByRtp(parties, 52)]
    const [order, broken] = await send()
    assert.ok(order && broken)
    const { ownerSql: sql } = service
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'broken'; end $$`
    await sql.unsafe(
      `create trigger broken before update on legs for each row when (new.id = '${broken.endToEndId}' and new.status = 'RETURNED') execute function refuse()`,
    )
    await answer(answerMessage(order.messageId, { code: 'RJCT', reason: 'AC04' }))
    await sql`drop trigger broken on legs`
    assert.deepEqual(await casesOf(service), ['entry_unread'])
    assert.equal((await send()).length, 2)
    const statuses = await Promise.all(ids.map((id) => statusOf(parties.sender, id)))
    assert.deepEqual(statuses.sort(), ['FAILED', 'IN_PROCESS'])
    await service.assertLedger()
  })
})

suite('an order that was sent', () => {
  test('is recalled when its payment is voided, and is VOID when the bank confirms it, not before', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 90)
    const [order] = await send()
    assert.ok(order)
    await answer(answerOrders([{ ...order, code: 'ACSP' }]))
    assert.ok((await sender.del(`/v3/check/${id}`)).status < 300)
    assert.equal(await statusOf(sender, id), 'IN_PROCESS')
    assert.deepEqual(refusalOf(await sender.del(`/v3/check/${id}`)), [
      'not_voidable',
      'Cancellation was already requested. The payment stays IN_PROCESS until the bank answers.',
    ])
    const [recall, ...others] = await recalls()
    assert.ok(recall)
    assert.deepEqual(others, [])
    const { messageId, paymentId, endToEndId } = order
    assert.deepEqual(recall, { recallId: recall.recallId, messageId, paymentId, endToEndId, reason: 'CUST' })
    await answer(answerRecall(recall, 'PDCR'))
    assert.equal(await statusOf(sender, id), 'IN_PROCESS')
    await answer(answerRecall(recall, 'CNCL'))
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['VOID', 1_000])
    assert.equal((await recalls()).length, 1)
    assert.deepEqual(await casesOf(service), [])
    const { entries } = (await sender.get(`/v3/payment/${id}/timeline`)).body
    const credit = entries.filter(({ kind }: { kind: string }) => kind === 'credit')
    assert.deepEqual(
      credit.map(({ event }: { event: string }) => event),
      ['send', 'accept', 'stop', 'cancel'],
    )
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'], 'paid after all')
    await service.assertLedger()
  })

  test('is recalled also if the bank answers the order while the request waits in outbound/', async (t) => {
    const { service, folder, send, recalls, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 90)
    const [order] = await send()
    assert.ok(order)
    await parties.sender.del(`/v3/check/${id}`)
    await writeOrders(service.deps, orderHooks)
    await exchange(service.deps)
    await answer(answerOrders([{ ...order, code: 'ACSP' }]))
    const [name = '', ...others] = await upload(folder, /^recall-.*\.xml$/)
    assert.deepEqual([name.slice(0, 7), others], ['recall-', []], 'the transfer job gives the request to the bank')
    await exchange(service.deps)
    const [recall] = await recalls()
    assert.ok(recall)
    const statusOfRecall = async () => (await fileStatuses(service.deps.sql))[`recall-${recall.recallId}`]
    assert.equal(await statusOfRecall(), 'TRANSMITTED')
    await answer(answerOrders([{ ...order, code: 'ACSC' }]))
    assert.equal(await statusOfRecall(), 'ACCEPTED', 'a final status ends the request')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('that the bank does not recall continues and is PAID', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 91), await payByRtp(parties, 92)]
    const orders = await send()
    for (const id of ids) await parties.sender.del(`/v3/check/${id}`)
    const requests = await recalls()
    assert.equal(requests.length, 2)
    for (const recall of requests) await answer(answerRecalledOrder(recall, 'RJCR'))
    for (const id of ids) {
      assert.deepEqual(await legsOf(service, id), [['payment_push', 'ACCEPTED', false]])
      assert.deepEqual(
        refusalOf(await parties.sender.del(`/v3/check/${id}`)),
        ['not_voidable', 'The bank has refused to cancel this payment.'],
        'the bank is asked once',
      )
    }
    await answer(answerOrders(orders.map((order) => ({ ...order, code: 'ACSC' }))))
    for (const id of ids) assert.equal(await statusOf(parties.sender, id), 'PAID')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })

  test('is found by its payment and its id if the bank does not name the message', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 98), await payByRtp(parties, 99)]
    await send()
    for (const id of ids) await parties.sender.del(`/v3/check/${id}`)
    const [first, second] = (await recalls()) as [BankRecall, BankRecall]
    await answer(answerUnnamedRecall(first, 'ACCR'))
    await answer(answerUnnamedRecall({ endToEndId: second.endToEndId }, 'PDCR'))
    assert.deepEqual(await casesOf(service), [], 'NOTPROVIDED names no payment')
    await answer(answerUnnamedRecall(second, 'RJCR'))
    const statuses = []
    for (const id of ids) statuses.push(await statusOf(parties.sender, id))
    assert.deepEqual(statuses.sort(), ['IN_PROCESS', 'VOID'])
    assert.deepEqual(await casesOf(service), [])
    await answer(answerUnnamedRecall({ endToEndId: 'f'.repeat(32) }, 'ACCR'))
    assert.deepEqual(await casesOf(service), ['entry_unread'])
    await service.assertLedger()
  })

  test('is VOID or continues if the operator enters the bank’s answer to the recall', async (t) => {
    const { service, send, recalls, parties } = await startOrders(t)
    const ids = [await payByRtp(parties, 61), await payByRtp(parties, 62)]
    await send()
    for (const id of ids) await parties.sender.del(`/v3/check/${id}`)
    const requests = await recalls()
    service.clock.advance(25 * 3_600)
    await readAnswers(service.deps, legHandlers)
    const cases = await getBankCases(service.deps)
    const codes = ['CNCL', 'RJCR']
    for (const [index, { endToEndId }] of requests.entries()) {
      const flags = { note: 'by phone', trace: [endToEndId], code: codes[index] ?? '' }
      const one = cases.find(({ kind }) => kind === 'order_unanswered')
      await exceptionCommand(flags, ['apply', one?.id ?? ''])(service.deps)
    }
    const states = [(await legsOf(service, ids[0] ?? '')).flat(), (await legsOf(service, ids[1] ?? '')).flat()]
    assert.deepEqual(states.map(([, status]) => status).sort(), ['ACCEPTED', 'CANCELLED'])
    await service.assertLedger()
  })

  test('is VOID if the bank rejects it before it reads the recall request, which it then refuses', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 96)
    const [order] = await send()
    await sender.del(`/v3/check/${id}`)
    const [recall] = await recalls()
    await answer(answerOrders([{ ...(order as BankOrder), code: 'RJCT', reason: 'AC04' }]))
    await answer(answerRecall(recall as BankRecall, 'RJCR'))
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['VOID', 1_000])
    assert.deepEqual(await casesOf(service), [])
    await answer(answerOrders([{ ...(order as BankOrder), code: 'ACSC' }]))
    assert.deepEqual(await casesOf(service), ['order_contradicts'], 'paid after all')
    await service.assertLedger()
  })

  test('is VOID by the first of two answers, and the later refusal becomes a case', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 97)
    await send()
    await parties.sender.del(`/v3/check/${id}`)
    const [recall] = await recalls()
    await answer(answerRecall(recall as BankRecall, 'CNCL'))
    await answer(answerRecalledOrder(recall as BankRecall, 'RJCR'))
    assert.equal(await statusOf(parties.sender, id), 'VOID')
    assert.deepEqual(await casesOf(service), ['order_contradicts'])
    await service.assertLedger()
  })

  test('is PAID if the money has moved before the bank reads the request', async (t) => {
    const { service, send, recalls, answer, parties } = await startOrders(t)
    const id = await payByRtp(parties, 93)
    const [order] = await send()
    await parties.sender.del(`/v3/check/${id}`)
    const [recall] = await recalls()
    await answer(answerOrders([{ ...(order as BankOrder), code: 'ACSC' }]))
    await answer(answerRecall(recall as BankRecall, 'RJCR'))
    assert.equal(await statusOf(parties.sender, id), 'PAID')
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })
})

suite('an order that is recalled before the bank takes its file', () => {
  test('is VOID when the file is canceled', async (t) => {
    const { service, send, recalls, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 94)
    await writeOrders(service.deps, orderHooks)
    await exchange(service.deps)
    assert.ok((await sender.del(`/v3/check/${id}`)).status < 300)
    await writeOrders(service.deps, orderHooks)
    const [name = '', ...others] = Object.keys(await fileStatuses(service.deps.sql))
    assert.deepEqual(others, [], 'the bank knows nothing of the order')
    await filesCommand({}, ['cancel', name])(service.deps)
    await exchange(service.deps)
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['VOID', 1_000])
    assert.deepEqual([await send(), await recalls()], [[], []])
    await service.assertLedger()
  })

  test('is VOID when the file is rejected', async (t) => {
    const { service, send, recalls, parties } = await startOrders(t)
    const { sender, wallet } = parties
    const id = await payByRtp(parties, 95)
    await send()
    const [name = ''] = Object.keys(await fileStatuses(service.deps.sql))
    assert.ok((await sender.del(`/v3/check/${id}`)).status < 300)
    await filesCommand({}, ['reject', name])(service.deps)
    await exchange(service.deps)
    assert.deepEqual([await statusOf(sender, id), await balanceOf(sender, wallet)], ['VOID', 1_000])
    assert.equal((await send()).length, 1, 'it is not sent again')
    assert.deepEqual(await recalls(), [])
    await service.assertLedger()
  })
})

suite('orders over SFTP', { skip: requireSshd() ?? false }, () => {
  test('reach the bank once, and its answers make one payment PAID and another FAILED', async (t) => {
    const bank = await startSshd()
    t.after(() => bank.remove())
    const one = withOrders(connection({ folder: '/nowhere' }))
    const transport = { ...bank.transport, hostKeys: [bank.fingerprints.ed25519] }
    const service = await startFileService(t, { connections: connectionsOf([{ ...one, transport }], rails('first')) })
    const { deps } = service
    const parties = await newParties(service)
    const ids = [await payByRtp(parties, 80), await payByRtp(parties, 81)]
    let realMs = deps.realClock.now().getTime()
    /** Runs passes without waiting for the retry delay: the real clock is later in each. */
    const pass = async () => {
      realMs += 5 * 60_000
      const now = new Date(realMs)
      await exchangeBankFiles({ ...deps, realClock: { now: () => now } })
    }
    await writeOrders(deps, orderHooks)
    await pass()
    await pass()
    const [name, ...others] = await readdir(join(bank.root, 'in'))
    assert.deepEqual(others, [])
    assert.deepEqual(Object.values(await fileStatuses(deps.sql)), ['TRANSMITTED'])
    const orders = readOrders(await readFile(join(bank.root, 'in', name ?? ''), 'utf8'))
    const answers = orders.map((order) =>
      order.cents === 8_000 ? { ...order, code: 'ACCC' } : { ...order, code: 'RJCT', reason: 'AC06' },
    )
    await bank.put('out/pain002-1.xml', answerOrders(answers))
    await pass()
    await pass()
    await readAnswers(deps, legHandlers)
    assert.deepEqual(await Promise.all(ids.map((id) => statusOf(parties.sender, id))), ['PAID', 'FAILED'])
    assert.deepEqual(Object.values(await fileStatuses(deps.sql)), ['ACCEPTED'])
    assert.deepEqual(await casesOf(service), [])
    await service.assertLedger()
  })
})
