import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { STATEMENT_NAMES, type VirtualAccounts } from '../src/foundation/core/connections.ts'
import { newMasterKey } from '../src/foundation/core/seal.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { newId } from '../src/foundation/lib/ids.ts'
import { bookingWords } from '../src/money/closing/month-rules.ts'
import { insertClosedMonth, sumByBooking, updateReopened } from '../src/money/closing/month-store.ts'
import { matchBankStatements, readBankStatements } from '../src/money/reconciliation/statement-worker.ts'
import { luhnDigit } from '../src/money/wallet/wallet-number-rules.ts'
import { createNumberStep } from '../src/money/wallet/wallet-number-worker.ts'
import type { CommandFlags } from '../src/operation/cli/command-flags.ts'
import { reconcileCommand } from '../src/operation/cli/statement/reconcile-command.ts'
import { rotateKeys } from '../src/operation/key/key-rotation-actions.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { origin, putInbound } from './support/ach.ts'
import { newEndpoint } from './support/endpoints.ts'
import { DAY, startFileService, untilPaid } from './support/file-service.ts'
import { holdingLock, lockRow } from './support/locks.ts'
import { ACCOUNT, operatorBank } from './support/paid-lists.ts'
import { sendPayment } from './support/payments.ts'
import { addBank, newAccountNumber, type TestUser } from './support/service.ts'
import { bai2Lines, camtLines, type SampleLine, type SampleStatement } from './support/statement-files.ts'

// Production: a bank books credits to the numbers of wallets, and their returns.

const virtualAccounts: VirtualAccounts = {
  account: 'checks',
  rails: ['ACH', 'WIRE'],
  numbers: { prefix: '9988', length: 12, checkDigit: 'luhn' },
}
const statements = { format: null, names: STATEMENT_NAMES, csv: null, rules: [] }
const service = await startFileService({ after }, { operatorBank, statements, virtualAccounts })
const { deps, folder, clock, owner } = service
service.secrets.add(ACCOUNT.replace(/^0+/, ''))

type Wallet = { id: string; number: string; user: TestUser }

async function newWallet(user?: TestUser): Promise<Wallet> {
  const holder = user ?? (await service.newUser())
  const { body, status, text } = await holder.post('/v3/account/wallet', { name: 'Cash' })
  assert.equal(status, 201, text)
  const number = body.numbers.ACH.account
  service.secrets.add(number)
  return { id: body.id, number, user: holder }
}

const balanceOf = async ({ id, user }: Wallet): Promise<number> =>
  (await user.get(`/v3/account/wallet/${id}`)).body.balance

const historyOf = async ({ id, user }: Wallet): Promise<unknown[]> =>
  (await user.get(`/v3/account/wallet/${id}/transaction`)).body.transactions
    .map(({ amount, reason }: { amount: number; reason: string }) => [amount, reason])
    .reverse()

const debtOf = async ({ user }: Wallet): Promise<number> => {
  const [row] = await deps.sql<
    { cents: number }[]
  >`select debt_cents as cents from user_counters where user_id = ${user.id}`
  return row?.cents ?? 0
}

const ledgerOf = async (account: string): Promise<number> => {
  const [row] = await deps.sql<{ cents: number }[]>`
    select coalesce(sum(case when debit = ${account} then cents else -cents end), 0)::bigint as cents
    from transfers where ${account} in (debit, credit) and status = 'POSTED'
  `
  return row?.cents ?? 0
}

let openingCents = 0
let count = 0

const credit = (cents: number, text: string, reference = ''): SampleLine => ({ cents, code: '195', reference, text })
const returned = (cents: number, text: string, reference = ''): SampleLine => ({
  ...{ cents: -cents, code: '557', reference, text },
})

async function work(own: Deps = deps): Promise<void> {
  await readBankStatements(own)
  await matchBankStatements(own, { legHandlers })
  await service.assertLedger()
}

type Line = { id: string; status: string; reason: string | null }

/** Writes the bank's statement of the next day. @returns the lines as they are matched */
async function receive(
  lines: readonly SampleLine[],
  write: (one: SampleStatement) => string[] = bai2Lines,
  own: Deps = deps,
): Promise<Line[]> {
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  await putInbound(folder, `statement-${++count}`, write({ account: ACCOUNT, openingCents, lines, day }).join('\n'))
  openingCents += lines.reduce((sum, { cents }) => sum + cents, 0)
  await work(own)
  return linesOf(day)
}

const linesOf = (day: string) => deps.sql<Line[]>`
  select l.id, l.status, l.reason
  from statement_lines l join bank_statements s on s.id = l.statement_id
  where s.day = ${day}::date order by l.position
`

async function reconcile(words: string[], flags: CommandFlags = {}): Promise<string> {
  const answer = await reconcileCommand(flags, words)(deps)
  await service.assertLedger()
  return answer
}

test('every wallet has its own number, with a check digit, over the rails of the bank', async () => {
  const [one, other] = [await newWallet(), await newWallet()]
  for (const { number } of [one, other]) {
    assert.match(number, /^9988\d{8}$/)
    assert.equal(number.at(-1), luhnDigit(number.slice(0, -1)))
  }
  assert.notEqual(one.number, other.number)
  const { body } = await one.user.get(`/v3/account/wallet/${one.id}`)
  assert.deepEqual(body.numbers, {
    ACH: { routing: '091000019', account: one.number },
    RTP: null,
    WIRE: { routing: '091000019', account: one.number },
  })
  const { wallets } = (await one.user.get('/v3/account/wallet')).body
  assert.deepEqual(wallets[0].numbers, body.numbers)
})

test('a credit that names a wallet funds it, with history and webhook, and its return reverses it', async () => {
  const wallet = await newWallet()
  await newEndpoint(owner, 'https://hooks.example.com/', { event_types: ['PREFUND_ACCOUNT'] })
  const [line] = await receive([credit(12_345, `INCOMING WIRE FOR ${wallet.number} FROM ACME`)])
  assert.equal(line?.status, 'MATCHED')
  assert.deepEqual([await balanceOf(wallet), await historyOf(wallet)], [123.45, [[123.45, 'fund']]])
  assert.deepEqual([await ledgerOf('bank:first:checks'), await ledgerOf('world')], [12_345, 0])
  const events = await deps.sql<{ body: string }[]>`select body from events where subject_id = ${wallet.id}`
  assert.deepEqual([...new Set(events.map(({ body }) => JSON.parse(body).balance))], [123.45])
  const [back] = await receive([returned(12_345, `RETURN OF CREDIT TO ${wallet.number}`)])
  assert.equal(back?.status, 'MATCHED')
  assert.deepEqual(await historyOf(wallet), [
    [123.45, 'fund'],
    [-123.45, 'fund_returned'],
  ])
  assert.deepEqual([await debtOf(wallet), await ledgerOf('bank:first:checks')], [0, 0])
  const range = { connectionId: 'first', accountId: 'checks', firstDay: '2000-01-01', lastDay: '2100-01-01' }
  assert.deepEqual(
    (await sumByBooking(deps.sql, range)).map((one) => [bookingWords(one), one.count, one.cents]),
    [
      ['Credits to wallets', 1, 12_345],
      ['Returned credits to wallets', 1, -12_345],
    ],
    'the report of a month does not call them payments',
  )
})

test('two files: a wallet is funded and paid out, the credit is returned, and its holder owes the spent money', async () => {
  const wallet = await newWallet()
  await receive([credit(50_000, `CREDIT ${wallet.number}`, 'FT20260303-0001')])
  const recipient = await service.newUser()
  const account = await addBank(recipient)
  const order = { amount: 300, account: wallet.id, recipient: { id: recipient.userId, account } }
  const { id } = await sendPayment(wallet.user, order)
  await untilPaid(service, wallet.user, id, 30_000)
  const [back] = await receive([returned(50_000, 'REVERSAL BY SENDING BANK', 'FT20260303-0001')])
  assert.equal(back?.status, 'MATCHED')
  assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, 30_000])
  const { body } = await wallet.user.post('/v3/check/digital', { ...order, name: 'Grace Hopper' })
  assert.equal(body.code, 'debt_open')
  await assert.rejects(reconcile(['undo', (await fundingOf(wallet)).lineId]), /Another line takes this credit back/)
  await reconcile(['undo', back?.id ?? ''])
  assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [200, 0])
  await reconcile(['match', back?.id ?? ''], { wallet: wallet.id })
  assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, 30_000])
})

test('a credit that was undone by mistake and is matched again leaves no debt', async () => {
  const wallet = await newWallet()
  const [line] = await receive([credit(41_000, wallet.number)])
  const recipient = await service.newUser()
  const account = await addBank(recipient)
  const order = { amount: 320, account: wallet.id, recipient: { id: recipient.userId, account } }
  const { id } = await sendPayment(wallet.user, order)
  await untilPaid(service, wallet.user, id, 32_000)
  for (let time = 0; time < 2; time++) {
    await reconcile(['undo', line?.id ?? ''])
    assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, 32_000])
    await reconcile(['match', line?.id ?? ''], { wallet: wallet.id })
    assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [90, 0])
  }
})

test('a part of an undone credit ends as much of the debt as it pays, however often the line is decided', async () => {
  const wallet = await newWallet()
  const [line] = await receive([credit(10_000, wallet.number)])
  const lineId = line?.id ?? ''
  const recipient = await service.newUser()
  const account = await addBank(recipient)
  const order = { amount: 100, account: wallet.id, recipient: { id: recipient.userId, account } }
  const { id } = await sendPayment(wallet.user, order)
  await untilPaid(service, wallet.user, id, 10_000)
  await reconcile(['undo', lineId])
  for (const [cents, owed] of [
    [6_000, 4_000],
    [7_000, 3_000],
  ] as const) {
    await reconcile(['split', lineId], { part: [`${wallet.id}=${cents / 100}`, `fees=${(10_000 - cents) / 100}`] })
    assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, owed])
    await reconcile(['undo', lineId])
    assert.equal(await debtOf(wallet), 10_000)
  }
  await reconcile(['match', lineId], { wallet: wallet.id })
  assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, 0])
})

test('a line that returns a credit waits for another decision while the credit is undone', async () => {
  const wallet = await newWallet()
  const [line] = await receive([credit(2_100, wallet.number)])
  const [back] = await receive([{ ...returned(2_100, 'NOBODY KNOWS'), code: '455' }])
  const other = await startFileService(
    { after },
    { operatorBank, statements, virtualAccounts, former: service, masterKey: service.masterKey },
  )
  const { undone, matched } = await holdingLock(
    deps.sql,
    (tx) => lockRow(tx, 'user_counters', wallet.user.id),
    async (arrive) => ({
      undone: await arrive(() => reconcileCommand({}, ['undo', line?.id ?? ''])(other.deps)),
      matched: await arrive(() => reconcileCommand({ wallet: wallet.id }, ['match', back?.id ?? ''])(other.deps)),
    }),
  )
  await undone.result
  await assert.rejects(matched.result, /was undone, or another line takes it back/)
  await service.assertLedger()
  assert.deepEqual([await balanceOf(wallet), await debtOf(wallet)], [0, 0])
})

const fundingOf = async ({ id }: Wallet): Promise<{ lineId: string }> => {
  const [row] = await deps.sql<{ lineId: string }[]>`
    select line_id from line_postings where wallet_id = ${id} and part = 'funded' and undone_at is null
  `
  return row as { lineId: string }
}

test('a credit without a match waits in suspense, and the operator decides: fund a wallet, ignore it, or undo', async () => {
  const wallet = await newWallet()
  const before = await ledgerOf('suspense:first:checks')
  const [line] = await receive([credit(700, 'NOBODY KNOWS')])
  const id = line?.id ?? ''
  assert.deepEqual([line?.status, await ledgerOf('suspense:first:checks')], ['SUSPENSE', before - 700])
  await assert.rejects(reconcile(['match', id], { wallet: id }), /is not the id of a wallet/)
  await assert.rejects(reconcile(['match', id]), /needs --leg ID or --wallet ID/)
  await reconcile(['match', id], { wallet: wallet.id })
  assert.deepEqual([await balanceOf(wallet), await ledgerOf('suspense:first:checks')], [7, before])
  const shown = JSON.parse(await reconcile(['show', id]))
  assert.deepEqual([shown.booked[0].wallet, shown.booked[0].by], [wallet.id, 'person'])
  await reconcile(['undo', id])
  assert.deepEqual([await balanceOf(wallet), await ledgerOf('suspense:first:checks')], [0, before - 700])
  await work()
  assert.equal(await balanceOf(wallet), 0, 'a match that the operator undid is not retried')
  await reconcile(['ignore', id], { why: 'a test of the bank' })
  const { audit } = (await owner.get('/v3/audit')).body
  const decided = audit.filter(({ action }: { action: string }) => action === 'statement_line_decided')
  assert.deepEqual(
    decided.slice(0, 2).map(({ subject }: { subject: string }) => subject),
    [`undo ${id}`, `match ${id}`],
  )
})

test('one line funds the wallets of all its payments, or none', async () => {
  const [one, other] = [await newWallet(), await newWallet()]
  const detail = (cents: number, text: string) =>
    `<TxDtls><Amt Ccy="USD">${(cents / 100).toFixed(2)}</Amt><CdtDbtInd>CRDT</CdtDbtInd><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`
  const batch =
    (...details: string[]) =>
    (sample: SampleStatement) => [
      camtLines(sample)
        .join('\n')
        .replace(/<TxDtls>.*<\/TxDtls>/s, details.join('')),
    ]
  const many = Array.from({ length: 250 }, (_, index) => detail(index + 1, index % 2 === 0 ? one.number : other.number))
  const [whole] = await receive([credit(31_375, 'BATCH')], batch(...many))
  assert.deepEqual([whole?.status, await balanceOf(one), await balanceOf(other)], ['MATCHED', 156.25, 157.5])
  const [cut] = await receive([credit(31_376, 'BATCH')], batch(...many, detail(1, 'nobody')))
  assert.deepEqual([cut?.status, cut?.reason], ['SUSPENSE', 'not all of its payments name a wallet'])
  await reconcile(['undo', whole?.id ?? ''])
  assert.deepEqual([await balanceOf(one), await balanceOf(other)], [0, 0])
  const both = [detail(100, one.number), detail(200, `for ${other.number}`)]
  await receive([credit(300, 'BATCH')], batch(...both))
  assert.deepEqual([await balanceOf(one), await balanceOf(other)], [1, 2])
  const [partly] = await receive([credit(301, 'BATCH')], batch(detail(100, one.number), detail(201, 'nobody')))
  assert.deepEqual([partly?.status, partly?.reason], ['SUSPENSE', 'not all of its payments name a wallet'])
  const [unclear] = await receive([credit(5, `${one.number} OR ${other.number}`)])
  assert.deepEqual([unclear?.status, unclear?.reason], ['SUSPENSE', 'it names several wallets'])
  assert.deepEqual([await balanceOf(one), await balanceOf(other)], [1, 2])
})

test('a debit that is not a return, or returns money that the wallet did not get, waits for the operator', async () => {
  const wallet = await newWallet()
  await receive([credit(4_000, wallet.number), credit(4_001, wallet.number)])
  const lines = await receive([
    { ...returned(4_000, `DEBIT OF ${wallet.number}`), code: '455' },
    returned(3_999, wallet.number),
  ])
  assert.deepEqual(
    lines.map(({ status, reason }) => [status, reason]),
    [
      ['SUSPENSE', 'it takes money from a wallet, and the returned credit is unknown'],
      ['SUSPENSE', 'it takes back a credit that the wallet did not get'],
    ],
  )
  await assert.rejects(reconcile(['match', lines[1]?.id ?? ''], { wallet: wallet.id }), /no credit of \$39\.99/)
  await reconcile(['match', lines[0]?.id ?? ''], { wallet: wallet.id })
  await reconcile(['ignore', lines[1]?.id ?? ''], { why: 'a test of the bank' })
  assert.equal(await balanceOf(wallet), 40.01)
})

test('a return that waits does not take back a credit of a later day, and neither does one of a late statement', async () => {
  const wallet = await newWallet()
  const [waiting] = await receive([returned(5_000, `RETURN OF CREDIT TO ${wallet.number}`)])
  assert.equal(waiting?.status, 'SUSPENSE')
  clock.advance(DAY)
  await receive([credit(5_000, wallet.number)])
  clock.advance(120)
  await newWallet() // its number lets the service try the waiting lines again
  await work()
  assert.equal(await balanceOf(wallet), 50)
  const lateDay = new Date(clock.now().getTime() - DAY * 1_000).toISOString().slice(0, 10)
  const late = { account: ACCOUNT, openingCents: openingCents - 5_000, day: lateDay }
  const lines = [returned(5_000, `RETURN ${wallet.number}`), credit(5_000, 'UNKNOWN')]
  await putInbound(folder, 'statement-late', bai2Lines({ ...late, lines }).join('\n'))
  await work()
  assert.deepEqual(
    (await linesOf(lateDay)).map(({ status }) => status),
    ['SUSPENSE', 'SUSPENSE'],
  )
  assert.equal(await balanceOf(wallet), 50)
})

test('a return with another amount than its credit becomes a case that names both, and the operator splits the line', async () => {
  const wallet = await newWallet()
  await receive([credit(5_000, wallet.number, 'FT20260307-0042')])
  const byReference = returned(4_990, 'REVERSAL BY SENDING BANK', 'FT20260307-0042')
  const byNumber = returned(5_010, `RETURN ${wallet.number}`)
  const [one, other] = await receive([byReference, byNumber])
  assert.ok(one && other)
  const reasonOf = (amount: string) => `its amount is ${amount}, and that of the credit that it takes back is $50.00`
  assert.deepEqual(
    [one, other].map(({ status, reason }) => [status, reason]),
    [
      ['SUSPENSE', reasonOf('$49.90')],
      ['SUSPENSE', reasonOf('$50.10')],
    ],
  )
  const cases = (await getBankCases(deps)).map(({ kind, note }) => `${kind} ${note.replace(/.*: /, '')}`)
  assert.deepEqual(
    cases,
    ['$49.90', '$50.10'].map((amount) => `line_contradicts ${reasonOf(amount)}.`),
  )
  await reconcile(['ignore', other.id], { why: 'a test of the bank' })
  await assert.rejects(
    reconcile(['split', one.id], { part: [`${wallet.id}=-49.00`, 'bank_errors=-0.90'] }),
    /no credit of \$49\.00/,
  )
  const { proposals } = JSON.parse(await reconcile(['show', one.id]))
  assert.equal(
    proposals[0].command,
    `remit reconcile split ${one.id} --part ${wallet.id}=-50.00 --part bank_errors=0.10`,
  )
  await reconcile(['split', one.id], { part: [`${wallet.id}=-50.00`, 'bank_errors=0.10'] })
  assert.equal(await balanceOf(wallet), 0)
  assert.deepEqual([...(await getBankCases(deps))], [])
  await reconcile(['undo', one.id])
  assert.equal(await balanceOf(wallet), 50)
})

test('the parts of a line take back different credits of a wallet, and only one part funds a wallet', async () => {
  const wallet = await newWallet()
  await receive([credit(2_000, wallet.number, 'FT20260307-0051'), credit(2_000, wallet.number, 'FT20260307-0052')])
  const [back, more] = await receive([returned(6_000, 'SEVERAL RETURNS'), credit(1_000, 'NO NUMBER')])
  assert.ok(back && more)
  const part = (amount: string) => `${wallet.id}=${amount}`
  await assert.rejects(
    reconcile(['split', back.id], { part: [part('-20.00'), part('-20.00'), part('-20.00')] }),
    /no other credit of \$20\.00 that can be taken back/,
  )
  await reconcile(['split', back.id], { part: [part('-20.00'), part('-20.00'), 'bank_errors=-20.00'] })
  assert.equal(await balanceOf(wallet), 0)
  await assert.rejects(
    reconcile(['split', more.id], { part: [part('4.00'), part('6.00')] }),
    /Two parts fund the wallet .* Add their amounts up, and name it once/,
  )
  await reconcile(['split', more.id], { part: [part('10.00')] })
  assert.equal(await balanceOf(wallet), 10)
})

test('the credits that returns with other amounts could concern are decrypted once for all of them', async () => {
  const wallet = await newWallet()
  await receive(Array.from({ length: 10 }, (_, index) => credit(300 + index, wallet.number, `FT20260308-00${index}0`)))
  let opened = 0
  const keyRing: Deps['keyRing'] = {
    ...deps.keyRing,
    openText(...given) {
      opened++
      return deps.keyRing.openText(...given)
    },
  }
  const openedFor = async (count: number): Promise<number> => {
    const before = opened
    const lines = Array.from({ length: count }, (_, index) => returned(1, 'RETURN', `FT20260308-0${count}${index}9`))
    await receive(lines, bai2Lines, { ...deps, keyRing })
    return opened - before
  }
  const few = await openedFor(3)
  assert.ok((await openedFor(9)) - few <= 2 * 6, 'for each further line, only its own content')
})

test('the account of the creditor names a wallet, and the account of either party names that of a return', async () => {
  const wallet = await newWallet()
  const numbered =
    (more = '') =>
    (sample: SampleStatement) => [
      camtLines(sample)
        .join('\n')
        .replace(
          '<RmtInf>',
          `<RltdPties><CdtrAcct><Id><Othr><Id>${wallet.number}</Id></Othr></Id></CdtrAcct></RltdPties><RmtInf>`,
        )
        .replace('</RmtInf>', `</RmtInf>${more}`),
    ]
  const [line] = await receive([credit(1_900, 'INVOICE 7')], numbered())
  assert.deepEqual([line?.status, await balanceOf(wallet)], ['MATCHED', 19])
  const [back] = await receive([returned(1_900, 'RETURN')], numbered('<RtrInf><Rsn><Cd>AC04</Cd></Rsn></RtrInf>'))
  assert.deepEqual([back?.status, await balanceOf(wallet)], ['MATCHED', 0])
})

test('a debit that names a wallet waits for the operator, even if a rule or the amount of a payment matches', async () => {
  const rule = { text: 'sweep', code: null, sign: 'debit', account: 'fees' } as const
  service.connection.statements = { ...statements, rules: [rule] }
  const wallet = await newWallet()
  await receive([credit(70_000, wallet.number)])
  const recipient = await service.newUser()
  const account = await addBank(recipient)
  const order = { amount: 310, account: wallet.id, recipient: { id: recipient.userId, account } }
  const { id } = await sendPayment(wallet.user, order)
  await untilPaid(service, wallet.user, id, 31_000)
  const debits = [`SWEEP ${wallet.number}`, `DEBIT ${wallet.number}`].map((text, index) => ({
    ...{ cents: index === 0 ? -1_234 : -31_000, code: '451', reference: '', text },
  }))
  const reason = 'it takes money from a wallet, and the returned credit is unknown'
  assert.deepEqual(
    (await receive(debits)).map((line) => [line.status, line.reason]),
    [
      ['SUSPENSE', reason],
      ['SUSPENSE', reason],
    ],
  )
  service.connection.statements = statements
})

test('an ordinary debit with the customer reference of a credit returns nothing', async () => {
  const wallet = await newWallet()
  await receive([credit(6_100, wallet.number, 'CUSTOMER-4711'), credit(6_200, 'CREDIT', wallet.number)])
  assert.equal(await balanceOf(wallet), 123)
  const lines = await receive([
    { cents: -6_100, code: '455', reference: 'CUSTOMER-4711', text: 'PAYMENT TO A VENDOR' },
    { cents: -6_200, code: '455', reference: wallet.number, text: 'SWEEP' },
  ])
  assert.deepEqual([lines.map(({ status }) => status), await balanceOf(wallet)], [['SUSPENSE', 'SUSPENSE'], 123])
  const [back] = await receive([returned(6_100, 'RETURN', 'CUSTOMER-4711')])
  assert.deepEqual([back?.status, await balanceOf(wallet)], ['MATCHED', 62])
})

test('a returned credit can be on the statement of its credit, and two equal ones are distinguished', async () => {
  const wallet = await newWallet()
  const lines = await receive([
    returned(900, `RETURN ${wallet.number}`),
    credit(900, wallet.number),
    credit(900, wallet.number),
  ])
  assert.deepEqual(
    lines.map(({ status }) => status),
    ['MATCHED', 'MATCHED', 'MATCHED'],
  )
  assert.equal(await balanceOf(wallet), 9)
})

test('a line of another account of the connection funds no wallet, even when it is retried', async () => {
  const { accounts } = service.connection
  const [account] = accounts
  assert.ok(account)
  const accountNumber = newAccountNumber()
  service.secrets.add(accountNumber)
  service.connection.accounts = [...accounts, { ...account, id: 'other', accountNumber }]
  const wallet = await newWallet()
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  const lines = [credit(500, `SWEEP FOR ${wallet.number}`)]
  const statement = bai2Lines({ account: accountNumber, openingCents: 0, lines, day })
  await putInbound(folder, `statement-${++count}`, statement.join('\n'))
  await work()
  await newWallet()
  await work()
  assert.deepEqual([(await linesOf(day)).map(({ status }) => status), await balanceOf(wallet)], [['SUSPENSE'], 0])
  service.connection.accounts = accounts
})

const listed = [newAccountNumber(), newAccountNumber()]
for (const number of listed) service.secrets.add(number)

/** Closes the months until today without checks. @returns the id of the closing */
async function closeMonths(): Promise<string> {
  const [id, today] = [newId(deps), clock.now().toISOString().slice(0, 10)]
  await insertClosedMonth(deps.sql, {
    ...{ id, connectionId: 'first', accountId: 'checks', firstDay: '2026-01-01', lastDay: today },
    ...{ openingCents: 0, closingCents: 0, lineCount: 0, reportSealed: deps.keyRing.seal('{}', 'month report') },
    ...{ closedAt: clock.now(), closedBy: 'Ada Lovelace' },
  })
  return id
}

test('lines in suspense are retried when a wallet gets the number that they name, except those of a closed month', async () => {
  const [number = ''] = listed
  const early = await receive([credit(1_100, `EARLY ${number}`), credit(1_300, number)])
  const [back] = await receive([returned(1_100, `RETURN ${number}`)])
  assert.deepEqual(new Set([...early, back].map((line) => line?.status)), new Set(['SUSPENSE']))
  service.connection.virtualAccounts = { ...virtualAccounts, numbers: [number] }
  const wallet = await newWallet()
  assert.equal(wallet.number, number, 'the list is used in its order')
  const id = await closeMonths()
  await work()
  assert.deepEqual(await historyOf(wallet), [], 'a closed month does not change')
  await updateReopened(deps.sql, id, { at: clock.now(), by: 'Ada Lovelace', why: 'a test' })
  await work()
  assert.deepEqual(await historyOf(wallet), [
    [11, 'fund'],
    [13, 'fund'],
    [-11, 'fund_returned'],
  ])
})

test('a line is retried at most once a minute', async () => {
  const numbers = [newAccountNumber(), newAccountNumber()]
  for (const number of numbers) service.secrets.add(number)
  const [line] = await receive([credit(1_700, `FOR ${numbers[1]}`)])
  const triedAt = async () => {
    const [row] = await deps.sql<{ at: Date | null }[]>`
      select tried_at as at from statement_lines where id = ${line?.id ?? ''}
    `
    return row?.at ?? null
  }
  service.connection.virtualAccounts = { ...virtualAccounts, numbers }
  await newWallet()
  await work()
  const first = await triedAt()
  assert.ok(first)
  const wallet = await newWallet()
  clock.advance(30)
  await work()
  assert.deepEqual([await triedAt(), await balanceOf(wallet)], [first, 0])
  clock.advance(31)
  await work()
  assert.equal(await balanceOf(wallet), 17)
  service.connection.virtualAccounts = { ...virtualAccounts, numbers: listed.slice(0, 1) }
})

test('a case reports that no number is left, and a longer list gives wallets their numbers and closes it', async () => {
  const user = await service.newUser()
  const { body } = await user.post('/v3/account/wallet', { name: 'Late' })
  assert.deepEqual(body.numbers, { ACH: null, RTP: null, WIRE: null })
  assert.deepEqual(
    (await getBankCases(deps)).map(({ kind, isBankWide }) => [kind, isBankWide]),
    [['wallet_numbers_used_up', false]],
  )
  service.connection.virtualAccounts = { ...virtualAccounts, numbers: listed }
  assert.equal(await createNumberStep().run(deps, {}), 1)
  assert.equal((await user.get(`/v3/account/wallet/${body.id}`)).body.numbers.WIRE.account, listed[1])
  assert.deepEqual([...(await getBankCases(deps))], [])
})

test('a credit funds its wallet although it has a trace number of another customer of the bank', async () => {
  service.connection.virtualAccounts = virtualAccounts
  const wallet = await newWallet()
  const [line] = await receive([credit(800, wallet.number, `${origin.odfiRoutingNumber.slice(0, 8)}9999999`)])
  assert.deepEqual([line?.status, await balanceOf(wallet)], ['MATCHED', 8])
})

test('a line that contradicts a payment funds no wallet when it is retried', async () => {
  const number = newAccountNumber()
  service.secrets.add(number)
  const [sent] = await service.sent()
  assert.ok(sent)
  const [line] = await receive([credit(sent.cents + 1, `CREDIT ${number}`, sent.trace)])
  assert.deepEqual(
    (await getBankCases(deps)).map(({ kind }) => kind),
    ['line_contradicts'],
  )
  service.connection.virtualAccounts = { ...virtualAccounts, numbers: [number] }
  const wallet = await newWallet()
  assert.equal(wallet.number, number)
  await work()
  assert.deepEqual([line?.status, await balanceOf(wallet)], ['SUSPENSE', 0])
})

test('a reference finds a credit of the last 120 days, and the number of the wallet an older one', async () => {
  service.connection.virtualAccounts = virtualAccounts
  const wallet = await newWallet()
  await receive([credit(2_200, wallet.number, 'FT20260401-0001')])
  clock.advance(121 * DAY)
  const [byReference, byNumber] = await receive([
    returned(2_200, 'LATE RETURN', 'FT20260401-0001'),
    returned(2_200, `LATE RETURN ${wallet.number}`),
  ])
  assert.deepEqual([byReference?.status, byNumber?.status, await balanceOf(wallet)], ['SUSPENSE', 'MATCHED', 0])
})

test('a number funds its wallet after the master key was replaced', async (t) => {
  service.connection.virtualAccounts = virtualAccounts
  const wallet = await newWallet()
  const given = { operatorBank, statements, virtualAccounts }
  const young = newMasterKey().replace(/^[^:]*/, 'young')
  const both = await startFileService(t, { ...given, former: service, masterKey: `${young},${service.masterKey}` })
  assert.deepEqual(await rotateKeys(both.deps, () => {}), [])
  const renewed = await startFileService(t, { ...given, former: both, masterKey: young })
  await receive([credit(2_500, `AFTER ${wallet.number}`)], bai2Lines, renewed.deps)
  assert.equal(await balanceOf({ ...wallet, user: { ...wallet.user, ...renewed.as(wallet.user.credential) } }), 25)
})
