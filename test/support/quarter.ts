import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { getOutgoingFiles } from '../../src/connections/exchange/outgoing-file-actions.ts'
import { type Connection, type CurrentConnections, STATEMENT_NAMES } from '../../src/foundation/core/connections.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { nextAchWindow } from '../../src/foundation/lib/banking-day.ts'
import { businessDate } from '../../src/foundation/lib/clock.ts'
import { StartProblem } from '../../src/foundation/lib/start-problem.ts'
import { parseCsv } from '../../src/foundation/lib/text/csv.ts'
import { readAchFiles, writeAchFiles } from '../../src/money/ach/file/ach-file-worker.ts'
import { matchBankStatements, readBankStatements } from '../../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../../src/operation/cli/exception-commands.ts'
import { filesCommand } from '../../src/operation/cli/files-commands.ts'
import { exchangeBankFiles, followBankFiles } from '../../src/operation/scheduler/bank-file-work.ts'
import { doDueWork } from '../../src/operation/scheduler/due-work.ts'
import { achHooks, legHandlers } from '../../src/operation/scheduler/leg-handlers.ts'
import { applyOutbox } from '../../src/operation/scheduler/outbox-work.ts'
import { followUserStatus } from '../../src/operation/scheduler/user-status-work.ts'
import { readPaidChecks, writeCheckFiles } from '../../src/payments/check/printing/print-worker.ts'
import { readMail } from '../../src/payments/mailbox/mailbox-worker.ts'
import { createBytes } from '../world/dice.ts'
import { acknowledgment, type BankEntry, bankFile, readAch, type SentEntry } from './ach.ts'
import {
  carelessAch,
  carelessAcknowledgment,
  carelessPaidList,
  type Damage,
  damagedAch,
  type PaidLine,
  splitEntries,
} from './careless-bank.ts'
import { crashing, isCrash } from './crash.ts'
import { mailboxAddress, startFileService } from './file-service.ts'
import { operatorBank } from './paid-lists.ts'
import { openOutside } from './quarter-outside.ts'
import { createPeople, type IssuedCheck, newPair, type Pair } from './quarter-people.ts'
import type { OpenTransport } from './quarter-transport.ts'
import { randomFrom } from './seed.ts'
import { addBank, type TestUser } from './service.ts'
import { createStatementBank } from './statement-bank.ts'
import { CSV_MAPPING } from './statement-files.ts'
import { type KnownPayment, type Movement, misplaced, overpaid, sumsByPayment } from './who-gave-who-got.ts'

// A quarter in production on a moved clock. Files are late and get lost, a careless bank rejects files completely and
// in part and returns entries, in odd, repeated and damaged files. An operator cancels, resends and decides cases, and
// the process crashes in between.

const statementContract: Connection['statements'] = {
  format: null,
  names: STATEMENT_NAMES,
  csv: { ...CSV_MAPPING, account: operatorBank.accountNumber },
  rules: [{ text: 'service charge', code: null, sign: 'debit', account: 'fees' }],
}

/** After this number of steps, the transport and the bank catch up, and all work must end. */
const STEPS_PER_CHAPTER = 150

type Quarter = {
  steps: number
  seed: number
  openTransport: OpenTransport
  /** Instead of one connection with an exchange folder. */
  connections?: CurrentConnections
  /** Whether the bank writes statements of its bookings. */
  hasStatements?: boolean
  /** Whether users also pay by wire, real-time payment and processors. */
  hasOutside?: boolean
}

/** Runs the steps of a quarter, and asserts after each that nothing is lost and nothing is paid twice. */
export async function simulateQuarter(
  t: TestContext,
  { steps, seed, openTransport, connections, hasStatements = false, hasOutside = false }: Quarter,
): Promise<void> {
  const random = randomFrom(seed)
  const chance = (probability: number): boolean => random() < probability
  const pick = <One>(list: readonly One[]): One | undefined => list[Math.floor(random() * list.length)]
  const between = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1))

  let now: () => Date = () => new Date()
  const opened = hasOutside ? await openOutside(t, { seed, now: () => now() }) : null
  const service = await startFileService(t, {
    acknowledgements: { ach: 'required', paper: 'none' },
    operatorBank,
    settings: { mailboxAddress },
    random: createBytes(seed),
    ...(connections && { connections }),
    ...(opened && { connectionsFrom: opened.connectionsFrom }),
    ...(hasStatements && { statements: statementContract }),
  })
  const { clock } = service
  now = () => clock.now()
  const dice = { random, chance, pick, between }
  /** The number of times that a file became TRANSMITTED. */
  let transmissions = 0
  const counted: Deps = {
    ...service.deps,
    meter: {
      ...service.deps.meter,
      bankFileChanged: ({ status }) => {
        if (status === 'TRANSMITTED') transmissions++
      },
    },
  }
  /** Isolation hides an error of one platform from the others, but not from this test. */
  const deps: Deps = { ...counted, meter: { ...counted.meter, stepFailed: (name) => void failedSteps.push(name) } }
  const transport = openTransport({ service, dice })
  const failedSteps: string[] = []
  service.secrets.add(operatorBank.accountNumber)

  /** The files at the bank, and their outcome. */
  type AtBank = {
    name: string
    content: string
    entries: SentEntry[]
    status: 'received' | 'accepted' | 'rejected'
    rejected: Set<string>
    returned: Set<string>
    acceptedStep: number
  }
  const bank = new Map<string, AtBank>()
  /** Files that were lost in transit. */
  const lost = new Set<string>()
  /** The number of times that the operator sent a file again. */
  const resent = new Map<string, number>()
  /** The step at which each file of Remit was first seen. */
  const writtenStep = new Map<string, number>()
  /** Checks at the printer, by number. */
  const checks = new Map<number, IssuedCheck>()
  const payments: { id: string; sender: TestUser }[] = []
  const seen: Record<string, number> = {}
  let step = 0
  let chapter = 0
  let inboundCount = 0

  const pairs: Pair[] = []

  const addPair = async (): Promise<void> => void pairs.push(await newPair(service))

  const ADDRESS = { line_1: '45 Navy Yard Ave', city: 'Arlington', state: 'VA', zip: '22201' }

  const people = createPeople({
    service,
    dice,
    putInbound: transport.put,
    operatorAccount: { routing: operatorBank.routingNumber, account: operatorBank.accountNumber },
    pairs,
    payments,
    checks,
    chapter: () => chapter,
    effective: () => effective(),
    sendCorrection: ({ trace, code }, corrected) =>
      receive(
        'correction.ach',
        bankFile([{ code: 'C01', trace, direction: code.endsWith('7') ? 'debit' : 'credit', cents: 0, corrected }]),
      ),
  })

  const outside =
    opened?.begin({
      ...{ service, deps, dice, pairs, payments, remitFiles, readStatements, bringAgain, carryAll },
      put: async (name, content) => {
        await receive(name, content)
        return `${inboundCount}-${name}`
      },
      step: () => step,
      fundedPayments: async () => fundedPayments(await legsByTrace()),
    }) ?? null

  /** The possible events and their weights. */
  const happenings: Record<string, [weight: number, run: () => Promise<unknown>]> = {
    send: [6, send],
    elsewhere: [2, sendElsewhere],
    void: [1, voidOne],
    time: [6, passTime],
    work: [8, () => work(transport.later(deps))],
    crash: [4, crash],
    transfer: [5, transfer],
    bank: [5, judge],
    return: [2, returnEntries],
    pay: [1, payChecks],
    decide: [2, decideOne],
    cancel: [1, cancel],
    resend: [2, resendLost],
    scan: [2, () => people.happenings.scan()],
    deposit: [3, () => people.happenings.deposit()],
    bill: [2, () => people.happenings.bill()],
    outside: [1, () => people.happenings.billOutside()],
    redeposit: [4, () => people.happenings.redeposit()],
    saved: [1, () => people.happenings.sendToSaved()],
    correct: [1, () => people.happenings.correct()],
    settle: [1, () => people.happenings.settle()],
    unblock: [1, () => people.happenings.unblock()],
    close: [0.2, () => people.close(addPair)],
    ...transport.happenings,
    ...outside?.happenings,
  }

  async function send(): Promise<void> {
    const pair = pick(pairs) as Pair
    const amount = between(100, 9_999) / 100
    const body = chance(0.3)
      ? { recipient: ADDRESS, name: 'Grace Hopper' }
      : { recipient: { id: pair.recipient.userId, account: pair.account }, name: 'Recipient' }
    const path = typeof body.recipient === 'object' && 'line_1' in body.recipient ? 'physical' : 'digital'
    const { status, body: answer } = await pair.sender.post(`/v3/check/${path}`, { amount, ...body })
    if (status === 201) return void payments.push({ id: answer.id, sender: pair.sender })
    // A pair with a debt or a blocked bank is replaced, unless the debt is paid or the block is lifted first.
    if (chance(0.5)) return
    pairs.splice(pairs.indexOf(pair), 1)
    await addPair()
  }

  /** A payment to the owner of another platform, who deposits it. */
  async function sendElsewhere(): Promise<void> {
    const pair = pick(pairs) as Pair
    payee ??= await newPayeeElsewhere()
    const order = { amount: between(100, 9_999) / 100, recipient: payee.email, name: 'Recipient' }
    const { status, body } = await pair.sender.post('/v3/check/digital', order)
    if (status !== 201) return
    payments.push({ id: body.id, sender: pair.sender })
    await service.applyOutbox()
    const deposited = await payee.api.post(`/v3/check/deposit/${body.id}`, { account: payee.account })
    assert.ok([201, 400].includes(deposited.status), deposited.text)
    // A payee whose bank is blocked is replaced.
    if (deposited.status !== 201) payee = null
  }

  type PayeeElsewhere = Awaited<ReturnType<typeof newPayeeElsewhere>>
  let payee: PayeeElsewhere | null = null

  async function newPayeeElsewhere() {
    const owner = await service.newOwner()
    return { ...owner, account: await addBank(owner.api) }
  }

  async function voidOne(): Promise<void> {
    const payment = pick(payments)
    if (payment) await payment.sender.del(`/v3/check/${payment.id}`)
  }

  async function passTime(): Promise<void> {
    const now = clock.now()
    const toWindow = (nextAchWindow(new Date(now.getTime() + 1)).getTime() - now.getTime()) / 1000
    clock.advance(pick([toWindow, toWindow, between(600, 12 * 3_600), between(1, 3) * 24 * 3_600]) as number)
  }

  async function work(own: Deps): Promise<void> {
    const passes: (() => Promise<unknown>)[] = [
      () => applyOutbox(own),
      () => readAchFiles(own, achHooks),
      () => readPaidChecks(own, legHandlers),
      () => readMail(own),
      () => followUserStatus(own),
      () => exchangeBankFiles(own),
      () => followBankFiles(own),
      () => doDueWork(own),
      () => writeAchFiles(own, achHooks),
      () => writeCheckFiles(own, legHandlers),
      ...(outside?.passes(own) ?? []),
      () => exchangeBankFiles(own),
      () => followBankFiles(own),
    ]
    for (const one of passes) await one()
  }

  /** Does all work, including work that has just failed. */
  const workAtOnce = () => work(transport.later({ ...deps, failures: new Map() }))

  async function crash(): Promise<void> {
    const death = chance(0.2) ? 'before_commit' : { afterStatements: between(0, outside ? 120 : 60) }
    await work(crashing(transport.later(counted), death)).catch((error) => {
      if (!isCrash(error)) throw error
    })
  }

  async function transfer(): Promise<void> {
    for (const name of await transport.waiting()) {
      if (chance(0.15)) continue // late
      const content = await transport.take(name)
      if (/\.(ach|xml)$/.test(name) && chance(0.1)) lost.add(name)
      else await deliver(name, content)
    }
  }

  async function deliver(name: string, content: Buffer): Promise<void> {
    lost.delete(name)
    if (name.endsWith('.xml')) await outside?.receive(name, content.toString())
    if (name.startsWith('print-') && name.endsWith('.csv')) receiveChecks(content.toString())
    if (name.startsWith('stop-')) for (const number of numbersOf(content.toString())) stoppedChecks.add(number)
    if (name.endsWith('.ach')) receiveAch(name, content.toString('latin1'))
  }

  /** Stopped checks at the bank, by number. */
  const stoppedChecks = new Set<number>()

  function numbersOf(text: string): number[] {
    const [header, ...rows] = parseCsv(text).rows ?? []
    return rows.map(({ fields }) => Number(fields[header?.fields.indexOf('number') as number]))
  }

  function receiveAch(name: string, text: string): void {
    const known = bank.get(name)
    assert.equal(known?.content ?? text, text, `${name} came again with other bytes`)
    if (known) return
    const { entries } = readAch(name, text)
    const [rejected, returned] = [new Set<string>(), new Set<string>()]
    bank.set(name, { name, content: text, entries, status: 'received', rejected, returned, acceptedStep: -1 })
  }

  function receiveChecks(text: string): void {
    const [header, ...rows] = parseCsv(text).rows ?? []
    const at = (column: string) => header?.fields.indexOf(column) as number
    for (const { fields } of rows) {
      const number = Number(fields[at('number')])
      const paymentId = fields[at('payment')] as string
      assert.equal(checks.get(number)?.paymentId ?? paymentId, paymentId, `check ${number} is of two payments`)
      const amount = fields[at('amount')] as string
      if (!checks.has(number)) checks.set(number, { paymentId, amount, isPaid: false, isScanned: false, chapter })
    }
  }

  const receive = (name: string, content: string | Buffer) => transport.put(`${++inboundCount}-${name}`, content)

  /** Writes a file from the bank, sometimes twice, and then perhaps in another encoding. */
  async function receiveTwice(name: string, write: () => Buffer): Promise<void> {
    await receive(name, write())
    if (chance(0.1)) await receive(name, write())
  }

  const receiveAcknowledgment = (text: string) => receiveTwice('ack.txt', () => carelessAcknowledgment(random, text))

  /** Damaged files by name, with the entries that the bank meant. */
  const damaged = new Map<string, { damage: Damage; entries: BankEntry[] }>()

  /** The step in which the bank sent the return of an entry in any file, by file and trace number. */
  const objected = new Map<string, { step: number; at: Date }>()

  async function receiveReturns(entries: readonly BankEntry[]): Promise<void> {
    for (const part of splitEntries(random, entries)) {
      const text = bankFile(part)
      if (!chance(0.15)) {
        await receiveTwice('returns.ach', () => carelessAch(random, text))
        continue
      }
      const { content, damage } = damagedAch(random, text)
      await receive('returns.ach', content)
      damaged.set(`${inboundCount}-returns.ach`, { damage, entries: part })
    }
  }

  /** The operator decides the oldest case about a file of the bank. @returns whether there was one */
  async function decideOne(): Promise<boolean> {
    const [oldest] = await getBankCases(deps)
    if (!oldest) return false
    log(`decides ${oldest.kind} about ${oldest.fileName}`)
    if (await transport.decide(oldest, deps)) return true
    const decision = await outside?.decide(oldest)
    if (typeof decision === 'boolean') return decision
    const known = damaged.get(oldest.fileName)
    assert.ok(known, `${oldest.fileName}, which is not damaged, became a case: ${oldest.kind}: ${oldest.note}`)
    const isFramed = oldest.kind === 'file_unread' && known.damage === 'wrong total'
    if (isFramed && chance(0.5)) {
      await exceptionCommand({ note: 'the bank confirmed the entries' }, ['apply', oldest.id])(deps)
      return true
    }
    await receive('right.ach', carelessAch(random, bankFile(known.entries)))
    await exceptionCommand({ note: 'the bank sent the right file' }, ['close', oldest.id])(deps)
    return true
  }

  /** The bank processes a file. */
  async function judge(): Promise<void> {
    const file = pick([...bank.values()].filter(({ status }) => status === 'received'))
    if (!file) return
    if (chance(0.12)) {
      file.status = 'rejected'
      return receiveAcknowledgment(acknowledgment(file.content, { status: 'FILE REJECTED', errors: ['FH001-BAD'] }))
    }
    accept(file)
    if (!chance(0.2)) return receiveAcknowledgment(acknowledgment(file.content))
    for (const { trace } of file.entries) if (chance(0.3)) file.rejected.add(trace)
    if (file.rejected.size === 0) return receiveAcknowledgment(acknowledgment(file.content))
    const errors = [...file.rejected].flatMap((trace) => ['ED012-INVALID', `TRACE NUMBER: ${trace}`])
    await receiveAcknowledgment(
      acknowledgment(file.content, { status: 'FILE ACCEPTED WITH ITEM LEVEL ERRORS', errors }),
    )
  }

  function accept(file: AtBank): void {
    file.status = 'accepted'
    file.acceptedStep = step
  }

  const effective = (): { file: AtBank; entry: SentEntry }[] =>
    [...bank.values()]
      .filter(({ status }) => status === 'accepted')
      .flatMap((file) =>
        file.entries.filter(({ trace }) => !file.rejected.has(trace)).map((entry) => ({ file, entry })),
      )

  async function returnEntries(): Promise<void> {
    const open = effective().filter(
      ({ file, entry }) => !file.returned.has(entry.trace) && step - file.acceptedStep < 60,
    )
    const chosen = open.filter(() => chance(0.08))
    if (chosen.length === 0) return
    const entries = chosen.map(({ file, entry: { trace, cents, code } }) => {
      file.returned.add(trace)
      objected.set(`${file.name} ${trace}`, { step, at: clock.now() })
      const direction = code.endsWith('7') ? ('debit' as const) : ('credit' as const)
      const codes = ['R01', 'R01', 'R09', 'R17', 'R11', direction === 'debit' ? 'R10' : 'R23', 'R02']
      return { code: pick(codes) as string, trace, cents, direction }
    })
    await receiveReturns(entries)
  }

  /** Some checks are cashed. Lists overlap, like those of real banks. */
  async function payChecks(): Promise<void> {
    const open = [...checks].filter(
      ([number, { isPaid, isScanned }]) => !isPaid && !isScanned && !stoppedChecks.has(number),
    )
    const some = open.slice(0, between(1, 3))
    if (some.length === 0) return
    const date = businessDate(clock.now(), deps.settings.timeZone)
    for (const [number, check] of some) {
      check.isPaid = true
      check.chapter = chapter
      const cents = Math.round(Number(check.amount) * 100)
      cashed.push({ account: operatorBank.accountNumber, number, cents, date })
    }
    const lines = cashed.slice(-some.length - (chance(0.2) ? 2 : 0))
    for (let copy = 0; copy < (chance(0.1) ? 2 : 1); copy++) {
      await transport.put(`paid-${++inboundCount}.csv`, carelessPaidList(random, lines))
    }
  }

  /** The checks that the bank paid, in the order of its lists. */
  const cashed: PaidLine[] = []

  /** @returns whether Remit did it */
  function remitFiles(words: string[], flags = {}): Promise<boolean> {
    return filesCommand(
      flags,
      words,
    )(deps).then(
      () => true,
      (error) => {
        if (!(error instanceof StartProblem)) throw error
        return false
      },
    )
  }

  /** Remit works, and the transfer job carries each file to the bank. */
  async function carryAll(): Promise<void> {
    await workAtOnce()
    for (const name of await transport.waiting()) await deliver(name, await transport.take(name))
    await workAtOnce()
  }

  /** The operator sends a file of orders again and moves it to the bank. */
  async function bringAgain(name: string): Promise<boolean> {
    const file = `${name}.xml`
    if (!(await remitFiles(['resend', name], { yes: true }))) return false
    resent.set(file, (resent.get(file) ?? 0) + 1)
    await workAtOnce()
    // If the service has just read the bank's answer to the first copy, it takes the second one back.
    if (!(await transport.waiting()).includes(file)) return false
    await deliver(file, await transport.take(file))
    return true
  }

  async function resend(name: string): Promise<void> {
    if (await remitFiles(['resend', name], { yes: true })) resent.set(name, (resent.get(name) ?? 0) + 1)
  }

  async function cancel(): Promise<void> {
    const name = pick((await transport.cancelable(deps)).filter((one) => /\.(ach|xml)$/.test(one)))
    if (name) await remitFiles(['cancel', name])
  }

  async function resendLost(): Promise<void> {
    const name = pick([...lost])
    if (name) await resend(name)
  }

  /** The legs of the payments that are named in problems, and the cases about them. */
  async function legsNamedIn(problems: readonly string[]): Promise<unknown[]> {
    const ids = problems.flatMap((one) => one.match(/[0-9a-f]{32}/g) ?? [])
    const legs = await deps.sql`
      select subject_id, purpose, rail, status, next_event, next_at, sent_at, settled_at, return_code, held_at
      from legs where subject_id = any (${ids}::uuid[]) order by id
    `
    const exceptions =
      await deps.sql`select payment_id, kind, note from exceptions where payment_id = any (${ids}::uuid[])`
    return [...legs, ...exceptions]
  }

  /** Failures of background work, with the payment and its legs. */
  async function failures(): Promise<unknown[]> {
    const failed = [...deps.failures].flatMap(([step, state]) =>
      [...state.failures.values()].map((one) => ({ step, ...one })),
    )
    return Promise.all(
      failed.map(async ({ step, kind, id = null, message }) => ({
        step,
        kind,
        message,
        payment:
          await deps.sql`select id, status, funding_kind, rail, refund_at, expires_at from payments where id = ${id}`,
        legs: await deps.sql`select id, purpose, rail, status, next_event, next_at, return_code, held_reason from legs where ${id} in (id, subject_id) order by id`,
      })),
    )
  }

  /** Files that the bank rejected or accepted in a way that needs confirmation: the operator asks the bank. */
  async function settleFlaggedFiles(): Promise<void> {
    for (const { name, attention } of await getOutgoingFiles(deps, { isOpenOnly: true })) {
      const file = attention ? bank.get(`${name}.ach`) : undefined
      if (file?.status === 'rejected') await remitFiles(['reject', name])
      else if (file && file.rejected.size > 0) await remitFiles(['reject', name], { trace: [...file.rejected] })
      else if (file?.status === 'accepted') await remitFiles(['accept', name])
    }
  }

  const books = createStatementBank({
    account: operatorBank.accountNumber,
    dice,
    receive: (name, content) => transport.put(`${++inboundCount}-${name}`, content),
  })

  /**
   * The bank books its movements since its last statement. Every line must be booked, and the ledger must have the
   * closing balance.
   */
  async function reconcile(): Promise<void> {
    for (const { name, entries, status, rejected, returned } of bank.values()) {
      if (status !== 'accepted') continue
      const own = entries.filter(({ trace }) => !rejected.has(trace))
      books.book(name, {
        cents: own.reduce((sum, { code, cents }) => sum + (code.endsWith('7') ? cents : -cents), 0),
        reference: name.replace(/\.ach$/, ''),
      })
      for (const { trace, code, cents } of own.filter((one) => returned.has(one.trace)))
        books.book(`return ${name} ${trace}`, {
          cents: code.endsWith('7') ? -cents : cents,
          reference: trace,
          code: code.endsWith('7') ? '555' : '257',
        })
    }
    for (const { number, cents } of cashed)
      books.book(`check ${number}`, { cents: -cents, reference: String(number), code: '475' })
    const balanceCents = await books.writeStatements(businessDate(clock.now(), deps.settings.timeZone))
    await readStatements()
    if (books.isMissing()) {
      const kinds = (await getBankCases(deps)).map(({ kind }) => kind)
      assert.deepEqual(kinds, ['statement_gap'], 'a missing statement is a case')
      await books.sendMissing()
      await readStatements()
    }
    const open = await deps.sql`
      select l.cents, l.code, l.status, l.reason
      from statement_lines as l
      join bank_statements as s on s.id = l.statement_id
      where l.status in ('NEW', 'SUSPENSE') and s.status = 'PLACED' -- lines of a repeated statement are never booked
    `
    assert.deepEqual([...open], [], `every line of a statement is booked: ${JSON.stringify(await failures())}`)
    const cases = (await getBankCases(deps)).map(({ kind, note }) => `${kind}: ${note}`)
    assert.deepEqual(cases, [], 'no line contradicts an answer of the bank')
    assert.equal(await books.inLedger(deps, 'bank:first:checks'), balanceCents, 'the ledger has the closing balance')
  }

  async function readStatements(): Promise<void> {
    while ((await readBankStatements(deps)) > 0);
    while ((await matchBankStatements(deps, { legHandlers })) > 0);
  }

  /** Invariants after every step. */
  async function assertSafe(): Promise<void> {
    await service.assertLedger()
    await transport.assertSafe(deps)
    await outside?.assertSafe()
    await assertUnobjected()
    assert.deepEqual({ failedSteps, failures: await failures() }, { failedSteps: [], failures: [] })
    for (const name of await transport.waiting()) {
      if (writtenStep.has(name)) continue
      writtenStep.set(name, step)
      if (name.endsWith('.ach')) await assertFunded(name)
    }
    const legs = await legsByTrace()
    const sent = new Map<string, string>()
    for (const { file, entry } of effective()) {
      const leg = legs.get(`${file.name} ${entry.trace}`)
      assert.ok(leg, `${file.name} ${entry.trace} belongs to no leg`)
      const key = leg.id
      assert.equal(sent.get(key), undefined, `leg ${key} is twice at the bank: ${sent.get(key)} and ${file.name}`)
      sent.set(key, file.name)
    }
    assert.deepEqual(overpaid(await knownPayments(), sumsByPayment(movementsAtBank(legs))), [])
  }

  const knownPayments = (): Promise<KnownPayment[]> =>
    deps.sql<KnownPayment[]>`select id, status, amount_cents, funding_kind from payments`

  const reasons: Record<string, Movement['reason']> = {
    payment_pull: 'debit',
    payment_push: 'payout',
    payment_refund: 'refund',
  }

  /** The bank's movements by its own files: entries of accepted files, and cashed checks. */
  function* movementsAtBank(legs: ReadonlyMap<string, TracedLeg>): Iterable<Movement> {
    for (const { file, entry } of effective()) {
      const leg = legs.get(`${file.name} ${entry.trace}`)
      const reason = leg && reasons[leg.purpose]
      const isReturned = file.returned.has(entry.trace)
      if (reason) yield people.ofIssuer({ paymentId: leg.subjectId, reason, cents: entry.cents, isReturned })
    }
    for (const { paymentId, amount, isPaid } of checks.values()) {
      if (isPaid) yield { paymentId, reason: 'check', cents: Math.round(Number(amount) * 100), isReturned: false }
    }
    for (const movement of outside?.movements() ?? []) yield people.ofIssuer(movement)
  }

  /** Checks that debits become trusted only if the bank did not return them before. */
  const trusted = new Set<string>()
  /** The time at which each settled debit becomes trusted. */
  const trustDueAt = new Map<string, Date>()

  async function assertUnobjected(): Promise<void> {
    const rows = await deps.sql<{ id: string; status: string; settledAt: Date; nextAt: Date | null; entry: string }[]>`
      select l.id, l.status, l.settled_at, l.next_at, f.name || '.ach ' || e.trace_number as entry
      from legs l
      join ach_entries e on e.platform_id = l.platform_id and e.leg_id = l.id
      join exchanges f on f.id = e.file_id
      where l.status in ('SETTLED', 'TRUSTED') and l.purpose = 'payment_pull' and l.id <> all (${[...trusted]}::uuid[])
    `
    for (const { id, status, settledAt, nextAt, entry } of rows) {
      if (status === 'SETTLED') {
        if (nextAt) trustDueAt.set(id, nextAt)
        continue
      }
      const objection = objected.get(entry)
      if (objection) assertHeard(entry, { objection, dueAt: trustDueAt.get(id) ?? settledAt })
      trusted.add(id)
    }
  }

  /**
   * A bank whose files are listed counts as silent until a debit is due if there was no file before. Otherwise it
   * counts as silent until this step.
   */
  function assertHeard(entry: string, { objection, dueAt }: { objection: { step: number; at: Date }; dueAt: Date }) {
    const isInTime = transport.isListed ? objection.at < dueAt : objection.step !== step
    assert.ok(!isInTime, `${entry} became trusted after its return of step ${objection.step}`)
  }

  type TracedLeg = { id: string; subjectId: string; purpose: string; fundingKind: string | null }

  /** Keys are the file and the trace number. */
  async function legsByTrace(): Promise<Map<string, TracedLeg>> {
    const rows = await deps.sql<(TracedLeg & { file: string; trace: string })[]>`
      select l.id, l.subject_id, l.purpose, p.funding_kind, f.name || '.ach' as file, e.trace_number as trace
      from ach_entries e
      join exchanges f on f.id = e.file_id
      join legs l on l.platform_id = e.platform_id and l.id = e.leg_id
      left join payments p on p.platform_id = l.platform_id and p.id = l.subject_id
    `
    return new Map(rows.map((row) => [`${row.file} ${row.trace}`, row]))
  }

  /** Payments whose debit the bank has accepted. */
  const fundedPayments = (legs: ReadonlyMap<string, TracedLeg>): Set<string> =>
    new Set(
      effective().flatMap(({ file, entry }) => {
        const leg = legs.get(`${file.name} ${entry.trace}`)
        return leg?.purpose === 'payment_pull' ? leg.subjectId : []
      }),
    )

  /** Checks that payouts are funded: the bank has accepted the debit of each payout before its file was written. */
  async function assertFunded(name: string): Promise<void> {
    const legs = await legsByTrace()
    const accepted = fundedPayments(legs)
    const isFunded = (paymentId: string) => accepted.has(paymentId) || people.isOwnScan(paymentId)
    const { entries } = readAch(name, (await transport.read(name)).toString('latin1'))
    people.assertCorrected(name, entries)
    for (const { trace } of entries) {
      const leg = legs.get(`${name} ${trace}`)
      if (!leg || !['payment_push', 'payment_refund'].includes(leg.purpose) || leg.fundingKind !== 'bank') continue
      assert.ok(isFunded(leg.subjectId), `${name} pays out ${leg.subjectId} without an accepted debit`)
    }
  }

  /** The transfer job and the bank catch up, and weeks pass. */
  async function comeToAnEnd(): Promise<void> {
    for (let round = 0; round < 16 + transport.disturbedRounds; round++) {
      await (round < transport.disturbedRounds ? transport.disturb() : transport.repair())
      for (const name of lost) await resend(name)
      for (let again = 0; again < 2; again++) {
        await workAtOnce()
        for (const name of await transport.waiting()) {
          if (writtenStep.has(name)) continue
          writtenStep.set(name, step)
          if (name.endsWith('.ach')) await assertFunded(name)
        }
        for (const name of await transport.waiting()) await deliver(name, await transport.take(name))
      }
      await settleFlaggedFiles()
      for (const file of bank.values()) {
        if (file.status !== 'received') continue
        accept(file)
        await receiveAcknowledgment(acknowledgment(file.content))
      }
      await outside?.settle()
      await workAtOnce()
      while (await decideOne()) await workAtOnce()
      await assertSafe()
      clock.advance(12 * 3_600)
      await passToWindow()
    }
    const longAgo = new Date(clock.now().getTime() - 4 * 24 * 3_600_000)
    const [row] = await deps.sql<{ legs: string | null; files: string | null }[]>`
      select
        (
          select string_agg(id || ' ' || purpose || ' ' || status, ', ')
          from legs
          where held_at is null and (file_at < ${longAgo} or next_at < ${longAgo} or (rail = 'ACH' and status = 'SENT' and sent_at < ${longAgo}))
        ) as legs,
        (
          select string_agg(concat_ws(' ', name, status, attention, 'published', published_at), ', ')
          from exchanges
          where kind = 'ach' and status in ('WRITTEN', 'TRANSMITTED') and created_at < ${longAgo}
        ) as files
    `
    assert.deepEqual(row, { legs: null, files: null }, 'everything came to an end')
    assert.deepEqual([...(await getBankCases(deps))], [], 'no case is left undecided')
    // The operator decides about a returned refund, and a check that has just expired is still being stopped.
    const waiting = await deps.sql<{ paymentId: string }[]>`
      select payment_id from exceptions where kind = 'refund_returned' and closed_at is null
      union
      select subject_id from legs where status = 'STOPPING'
    `
    const settled = (await knownPayments()).filter(({ id }) => waiting.every(({ paymentId }) => paymentId !== id))
    const sums = sumsByPayment(movementsAtBank(await legsByTrace()))
    const wrong = misplaced(people.judged(settled), sums)
    assert.deepEqual(wrong, [], JSON.stringify(await legsNamedIn(wrong), null, 1))
    await people.assertInvoices(sums)
    await outside?.assertEnded(sums)
    if (hasStatements) await reconcile()
    await service.applyOutbox()
    const copies = await deps.sql`
      with r as materialized (select payment_id, sender_platform_id, status from received_payments),
      p as materialized (select platform_id, id, status from payments)
      select r.payment_id, r.status as copied, p.status
      from r
      join p on p.platform_id = r.sender_platform_id and p.id = r.payment_id
      where r.status <> p.status
    `
    assert.deepEqual([...copies], [], 'each copy is like its payment')
    await transport.assertEnded(deps, { transmissions, resent })
  }

  /** QUARTER_LOG=FILE shows the progress of a long run. */
  function log(what: string): void {
    if (process.env.QUARTER_LOG)
      appendFileSync(process.env.QUARTER_LOG, `${step} ${clock.now().toISOString()} ${what}\n`)
  }

  async function passToWindow(): Promise<void> {
    const window = nextAchWindow(new Date(clock.now().getTime() + 1))
    clock.advance((window.getTime() - clock.now().getTime()) / 1000)
  }

  for (let pair = 0; pair < 4; pair++) await addPair()
  const wheel = Object.entries(happenings).flatMap(([name, [weight]]) => Array<string>(weight * 5).fill(name))
  const start = clock.now().getTime()
  for (step = 1; step <= steps; step++) {
    const name = pick(wheel) as string
    seen[name] = (seen[name] ?? 0) + 1
    try {
      await happenings[name]?.[1]()
      await assertSafe()
      if (step % STEPS_PER_CHAPTER === 0 || step === steps) {
        await comeToAnEnd()
        chapter++
      }
    } catch (error) {
      throw new Error(`step ${step} (${name}), the seed is ${seed}`, { cause: error })
    }
    log(name)
  }
  const [row] = await deps.sql<{ status: string; count: number }[]>`
    select string_agg(status || ' ' || count, ', ' order by status) as status from (
      select status, count(*) as count from payments group by status
    ) by_status
  `
  const [held] = await deps.sql<{ count: number }[]>`select count(*) as count from legs where held_at is not null`
  const days = Math.round((clock.now().getTime() - start) / 86_400_000)
  const files = [...bank.values()]
  t.diagnostic(
    `${days} days, ${payments.length} payments (${row?.status}), ${files.length} files at the bank, ` +
      `${files.filter(({ status }) => status === 'rejected').length} rejected, ` +
      `${files.filter(({ rejected }) => rejected.size > 0).length} in part, ${held?.count} legs held; ${JSON.stringify(seen)}; ${JSON.stringify({ ...people.done, ...transport.counts, ...outside?.counts() })}`,
  )
}
