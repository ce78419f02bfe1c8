import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { sealAuditEntries } from '../src/foundation/audit/audit-worker.ts'
import { newMasterKey, parseMasterKeys } from '../src/foundation/core/seal.ts'
import type { Deps } from '../src/foundation/db/deps.ts'
import { claimDatabase } from '../src/foundation/db/identity.ts'
import { digestColumns, sealedColumns } from '../src/foundation/db/key-columns.ts'
import { listKeyUses } from '../src/foundation/db/key-uses.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { addDays } from '../src/foundation/lib/clock.ts'
import { adoptAchFile } from '../src/money/ach/file/ach-adopt-actions.ts'
import { buildNachaFile } from '../src/money/ach/format/nacha-build-rules.ts'
import { accountDigestOf } from '../src/money/bank/bank-account-actions.ts'
import { auditCommand } from '../src/operation/cli/audit-commands.ts'
import { keysCommand } from '../src/operation/cli/keys-commands.ts'
import { rotateKeys } from '../src/operation/key/key-rotation-actions.ts'
import { legHandlers } from '../src/operation/scheduler/leg-handlers.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { listNumberedChecks } from '../src/payments/check/paid/paid-check-store.ts'
import { storePaperDigest } from '../src/payments/check/printing/print-check-actions.ts'
import { insertNumberedCheck } from '../src/payments/check/printing/print-store.ts'
import { claimMail } from '../src/payments/recipient/recipient-mail-actions.ts'
import { setSuppressed, unsubscribeToken } from '../src/payments/recipient/unsubscribe-actions.ts'
import { countAttempts } from '../src/people/auth/attempts/attempt-actions.ts'
import { findPerson } from '../src/people/auth/login/login-store.ts'
import { spendSecondFactor } from '../src/people/auth/two-factor/two-factor-actions.ts'
import { insertRecoveryCode } from '../src/people/auth/two-factor/two-factor-store.ts'
import { connection, origin } from './support/ach.ts'
import { breakRows } from './support/isolation.ts'
import { sendPayment } from './support/payments.ts'
import { createTestDatabase } from './support/postgres.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'

// Master keys can be retired: a rotation moves values and digests to another key.

const key = (id: string) => newMasterKey().replace(/^[^:]*/, id)
const [oldKey, youngKey] = [key('old'), key('young')]
const database = await createTestDatabase()
const ends: (() => Promise<void>)[] = [() => database.drop()]
after(async () => {
  for (const end of ends) await end()
})
const start = (...keys: string[]) =>
  startTestService(
    { after: (end) => void ends.unshift(end) },
    { databaseUrl: database.url, keyRing: parseMasterKeys(keys.join(',')) },
  )

/** Started before the rotation, with only the old key. */
const stale = await start(oldKey)
const { sql } = stale.deps
const { ownerSql } = stale
const newId = () => randomBytes(16).toString('hex')

/** Counts the values and digests of the database that use a key. */
async function usesOf(keyId: string): Promise<string[]> {
  const uses = await listKeyUses(sql, ['young'])
  return uses.filter((use) => use.keyId === keyId).map(({ what }) => what)
}

const failuresOf = (deps: Deps) => rotateKeys(deps, () => {})

// Data from before the rotation.

const user = await stale.newUser()
const account = newAccountNumber()
const verifiedId = await addVerifiedBank(user)
const bankId = await addBank(user, account)
await user.put('/v3/user', { ssn: '123-45-6789' })
const pinned = await sendPayment(user, { pin: { value: '8765' } })
const order = { amount: 3, name: 'Payee', recipient: 'payee@example.com' }
const ordered = await user.post('/v3/check/digital', order, { idempotencyKey: 'an order' })
const made = { user_id: `made-${newId()}`, name: 'Made once' }
const madeOnce = await stale.owner.post('/v3/user', made, { idempotencyKey: 'a user' })
const [owned] = await sql<{ platformId: string }[]>`select platform_id from users where id = ${user.id}`
const platformId = owned?.platformId as string
const suppressedToken = unsubscribeToken(stale.deps, 'Refuses@example.com')
await setSuppressed(stale.deps, suppressedToken, true)
await sql`
  insert into account_blocks (platform_id, holder_id, account_digest, routing, account_sealed, return_code, blocks_credits, leg_id, created_at)
  select platform_id, user_id, account_digest, routing, account_sealed, 'R02', true, ${newId()}, now()
  from banks
  where id = ${bankId}
`
const tries = { kind: 'code', name: 'tried@example.com' } as const
for (let count = 0; count < 3; count++) await countAttempts(stale.deps, [tries])
const countOfTries = async (deps: Deps, name: string = tries.name) => {
  const digests = deps.keyRing.digests(`code ${name}`, 'tries').map((digest) => digest.toString('hex'))
  const rows = await sql<{ count: number }[]>`
    select count from tries where encode(subject_digest, 'hex') = any (${digests}::text[])
  `
  return rows.map(({ count }) => count)
}
const [owner] = await sql<{ loginId: string }[]>`select login_id from members where platform_id = ${platformId}`
const loginId = owner?.loginId as string
const recoveryCode = 'abcd-efgh-ijkl-mnop'
await insertRecoveryCode(sql, {
  loginId,
  codeDigest: stale.deps.keyRing.digest(`${loginId} abcdefghijklmnop`, 'recovery code', 'old'),
})
const paperAccount = newAccountNumber()
/** Assigns a number to the next check of the account. */
const numberCheck = (deps: Deps) =>
  inTransaction(deps, async (tx) => {
    const accountDigest = await storePaperDigest(tx, paperAccount)
    const accountSealed = tx.keyRing.seal(paperAccount, 'paper account')
    const check = { platformId, legId: newId(), paymentId: newId(), cents: 100, payee: 'Payee' }
    return insertNumberedCheck(
      tx.sql,
      { connectionId: 'first', accountDigest, accountSealed, firstSerial: 500 },
      { ...check, issuedOn: '2026-01-02' },
    )
  })
await numberCheck(stale.deps)
await numberCheck(stale.deps)
const achAccount = newAccountNumber()
const content = buildNachaFile({
  origin,
  createdAt: new Date('2026-03-02T21:30:00Z'),
  timeZone: 'America/Los_Angeles',
  fileIdModifier: 'A',
  batches: [
    {
      secCode: 'PPD',
      entryDescription: 'PAYMENT',
      effectiveEntryDate: new Date('2026-03-03T13:30:00Z'),
      entries: [
        {
          account: { routingNumber: '122105155', accountNumber: achAccount, kind: 'checking' },
          receiverId: 'PAYEE-1',
          receiverName: 'Payee',
          direction: 'credit',
          amountCents: 100,
          traceSequence: 1,
        },
      ],
    },
  ],
})
await inTransaction(stale.deps, (tx) =>
  adoptAchFile(tx, legHandlers, {
    connection: connection({ folder: '/nowhere' }),
    fileName: 'sent.ach',
    content: Buffer.from(content),
    isTransmitted: true,
  }),
)
const claim = (deps: Deps, recipient: string) =>
  inTransaction(deps, (tx) => claimMail(tx, { platformId, paymentId: newId(), recipient }))
await claim(stale.deps, 'payee@example.com')
while ((await sealAuditEntries(stale.deps)) > 0);

const service = await start(youngKey, oldKey)
const second = await start(youngKey, oldKey)

test('every sealed column and every digest of the schema is in the table of the rotation', async () => {
  const columns = await ownerSql<{ table: string; column: string }[]>`
    select c.relname as table, a.attname as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and a.atttypid = 'bytea'::regtype and not a.attisdropped
  `
  const found = (pattern: RegExp) =>
    columns
      .filter(({ column }) => pattern.test(column))
      .map(({ table, column }) => `${table}.${column}`)
      .sort()
  const names = (ofTable: readonly { table: string; column: string }[]) =>
    ofTable.map((one) => `${one.table}.${one.column}`).sort()
  const isDigest = /_digest$|^fingerprint$/
  assert.deepEqual(names(sealedColumns), found(/_sealed$/))
  assert.deepEqual(
    names(digestColumns),
    found(isDigest).filter((column) => column !== 'master_keys.fingerprint'),
  )
})

test('a ring without a needed key is refused with its uses, and the key list shows the same uses', async () => {
  await assert.rejects(claimDatabase(sql, 'sandbox', parseMasterKeys(youngKey)), (error: Error) => {
    assert.match(error.message, /^The database still needs master key old, which is not in REMIT_MASTER_KEYS/)
    for (const what of ['new digests', /bank accounts \(\d+\)/, /recovery codes \(1\)/, /audit chains \(\d+\)/]) {
      assert.match(error.message, new RegExp(what))
    }
    assert.match(error.message, /Put it back at the end of the list, and run "remit keys"\.$/)
    return true
  })
  const show = keysCommand([])
  assert.ok(typeof show === 'function')
  const { lines } = await show(service.deps, () => {})
  assert.equal(lines[0], 'key young: in use for sealing')
  assert.equal(lines[1], 'key old: needed')
  assert.ok(lines.some((line) => /^ {2}recovery codes: 1, until their owners make new ones/.test(line)))
  assert.ok(lines.some((line) => /^ {2}Idempotency-Keys: \d+, gone by 20/.test(line)))
})

test('a rotation that is interrupted at any point continues there, and everything works at each of these points', async () => {
  const crash = new Error('kill -9')
  for (let point = 1; ; point++) {
    let told = 0
    const outcome = await rotateKeys(service.deps, () => {
      if (++told === point) throw crash
    }).then(
      () => 'done',
      (error) => error,
    )
    if (point === 1) assert.equal(outcome, crash)
    const replayed = await service.as(user.credential).post('/v3/check/digital', order, { idempotencyKey: 'an order' })
    assert.equal(replayed.text, ordered.text)
    const again = await service.as(user.credential).post('/v3/bank', {
      routing: '021000021',
      account,
      type: 'CHECKING',
    })
    assert.equal(again.body.code, 'bank_exists', again.text)
    const released = await service.as(user.credential).post('/v3/bank/release', { account: bankId })
    assert.equal(released.body.code, 'bank_blocked', released.text)
    if (outcome === 'done') break
    assert.equal(outcome, crash)
  }
})

test('a process that was started without the new key writes nothing under the old one', async () => {
  const before = await countOfTries(service.deps)
  await assert.rejects(countAttempts(stale.deps, [tries]), /which this process was started without: restart it/)
  const refused = await user.post('/v3/check/digital', order, { idempotencyKey: 'another order' })
  assert.equal(refused.status, 500)
  assert.deepEqual(await countOfTries(service.deps), before)
})

test('two concurrent rotations do the work once', async () => {
  await service.newUser()
  const [one, other] = await Promise.all([failuresOf(service.deps), failuresOf(second.deps)])
  assert.deepEqual([...one, ...other], [])
  const left = (await usesOf('old')).sort()
  assert.deepEqual(left, [
    'Idempotency-Keys',
    'Idempotency-Keys of payments',
    'counts of failed tries',
    'fingerprints of payment requests',
    'fingerprints of requests',
    'recovery codes',
  ])
})

test('counters continue: tries, checks, mail', async () => {
  await countAttempts(service.deps, [tries])
  assert.deepEqual(await countOfTries(service.deps), [4])
  assert.equal(await numberCheck(service.deps), 502)
  assert.equal((await sql`select from check_serials`).length, 1)
  const accountDigests = service.deps.keyRing.digests(paperAccount, 'paper account')
  assert.deepEqual(await listNumberedChecks(sql, { accountDigests, numbers: [500] }), []) // it has no leg
  for (const table of ['paper_checks', 'check_numbers']) {
    const rows = await sql`select from ${sql(table)} where account_digest = ${accountDigests[0] as Buffer}`
    assert.equal(rows.length, 3, table)
  }
  await setSuppressed(service.deps, suppressedToken, true)
  assert.equal((await sql`select from mail_suppressions`).length, 1)
  await claim(service.deps, 'payee@example.com')
  const counts = await sql<
    { mailCount: number }[]
  >`select mail_count from mail_recipients where platform_id = ${platformId}`
  assert.deepEqual(
    counts.map(({ mailCount }) => mailCount),
    [2],
  )
})

test('during a change of the key, concurrent tries are counted together, and a repeated order makes one payment', async () => {
  const services = [service, second]
  const repeated = { ...order, name: 'Raced' }
  const names: string[] = []
  const payments = new Set<string>()
  let isDone = false
  const race = async () => {
    while (!isDone) {
      const name = `raced-${names.length}@example.com`
      names.push(name)
      await Promise.all(services.map(({ deps }) => countAttempts(deps, [{ kind: 'code', name }])))
      for (const { as } of services) {
        const { body, text } = await as(user.credential).post('/v3/check/digital', repeated, {
          idempotencyKey: 'raced',
        })
        assert.ok(body.id || body.code === 'idempotency_key_in_use', text)
        if (body.id) payments.add(body.id)
      }
    }
  }
  const racing = Promise.all([race(), race()])
  for (const keys of [`${oldKey},${youngKey}`, `${youngKey},${oldKey}`]) {
    assert.deepEqual(await failuresOf({ ...service.deps, keyRing: parseMasterKeys(keys) }), [])
  }
  isDone = true
  await racing
  assert.equal(payments.size, 1)
  const made = await sql`select from payments where sender_id = ${user.id} and name = 'Raced'`
  assert.equal(made.length, 1)
  for (const name of names) assert.deepEqual(await countOfTries(service.deps, name), [2])
})

test('a backup that reads the settings delays a change of the key, and nothing else waits for it', async () => {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const { promise: isReading, resolve: reads } = Promise.withResolvers<void>()
  const backup = ownerSql.begin(async (tx) => {
    await tx`lock table settings in access share mode`
    reads()
    await isOver
  })
  await isReading
  const ring = parseMasterKeys(`${oldKey},${youngKey}`)
  const rotation = failuresOf({ ...service.deps, keyRing: ring })
  const answer = await service
    .as(user.credential)
    .post('/v3/check/digital', order, { idempotencyKey: 'beside a backup' })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(!(await usesOf('old')).includes('new digests'))
  end()
  await backup
  assert.deepEqual(await rotation, [])
  assert.ok((await usesOf('old')).includes('new digests'))
  assert.deepEqual(await failuresOf(service.deps), [])
})

test('a key that is needed but not in the ring is shown', async () => {
  const show = keysCommand([])
  assert.ok(typeof show === 'function')
  const { lines, isClean } = await show({ ...service.deps, keyRing: parseMasterKeys(youngKey) }, () => {})
  assert.equal(isClean, false)
  assert.ok(lines.includes('key old: MISSING in the list, and needed'), lines.join('\n'))
})

test('a failure on one platform is named, and the others continue', async () => {
  const other = await service.newOwner()
  await addVerifiedBank(other.api)
  const back = { ...service.deps, keyRing: parseMasterKeys(`${oldKey},${youngKey}`) }
  const mend = await breakRows(ownerSql, { table: 'banks', value: other.id })
  const failures = await failuresOf(back)
  await mend()
  assert.deepEqual([...new Set(failures.map((failure) => failure.platformId))], [other.id])
  assert.ok((await usesOf('young')).includes('bank accounts'))
  assert.deepEqual(await failuresOf(service.deps), [])
})

test('a closed chain is valid without the key that sealed it, and a changed entry is still found', async () => {
  while ((await sealAuditEntries(service.deps)) > 0);
  const alone = { ...service.deps, keyRing: parseMasterKeys(youngKey) }
  const check = () => auditCommand({})(alone)
  assert.equal((await check()).isClean, true)
  const entries = await sql<{ action: string; actor: string }[]>`
    select action, actor from audit_entries where platform_id = ${platformId} and action = 'master_key_rotated'
  `
  assert.deepEqual(entries[0], { action: 'master_key_rotated', actor: 'operator' })
  const [first] = await sql<{ entryId: string; subject: string | null }[]>`
    select s.entry_id, e.subject
    from audit_seals s
    join audit_entries e on e.platform_id = s.platform_id and e.id = s.entry_id
    where s.platform_id = ${platformId} and s.sequence = 1 and s.key_id = 'old'
  `
  assert.ok(first)
  await ownerSql`update audit_entries set subject = 'changed' where id = ${first.entryId}`
  const { lines } = await check()
  assert.ok(
    lines.some((line) => line.includes('was changed since the chain was closed')),
    lines.join('\n'),
  )
  await ownerSql`update audit_entries set subject = ${first.subject} where id = ${first.entryId}`
  const closings = await ownerSql<{ keyId: string; sequence: number }[]>`
    delete from audit_closings where platform_id = ${platformId} returning *
  `
  assert.ok(
    (await check()).lines.some((line) => line.includes('sealed with master key old, which is not in the key ring')),
  )
  assert.deepEqual(await failuresOf(service.deps), [])
  assert.ok(closings.length > 0)
})

test('an old recovery code works once, and the key is needed until its owner has new codes', async () => {
  await assert.rejects(claimDatabase(sql, 'sandbox', parseMasterKeys(youngKey)), /for: .*recovery codes \(1\)/)
  const isAsked = async () => (await findPerson(sql, loginId))?.hasOldCodes
  assert.equal(await isAsked(), true)
  const mails = await sql<{ contentSealed: Buffer }[]>`
    select content_sealed
    from mails m
    join logins l on l.email = m.recipient
    where l.id = ${loginId}
  `
  const contents = mails.map(({ contentSealed }) => service.keyRing.openText(contentSealed, 'mail'))
  assert.ok(contents.some((content) => content.includes('Make new recovery codes for Remit sandbox')))
  const seed = service.keyRing.seal('JBSWY3DPEHPK3PXP', 'two-factor seed')
  const login = { id: loginId, totpSealed: seed }
  const spend = () => inTransaction(service.deps, (tx) => spendSecondFactor(tx, login, recoveryCode))
  assert.equal(await spend(), 'recovery_code')
  assert.equal(await spend(), null)
  assert.equal(await isAsked(), false)
})

test('only the operator deletes recovery codes that were not replaced, and confirms it', async () => {
  const spare = { loginId, codeDigest: service.deps.keyRing.digest(`${loginId} spare`, 'recovery code', 'old') }
  await insertRecoveryCode(sql, spare)
  assert.throws(() => keysCommand(['drop-codes']), /Add --yes\.$/)
  const drop = keysCommand(['drop-codes'], { yes: true })
  assert.ok(typeof drop === 'function')
  assert.equal((await drop(service.deps, () => {})).lines[0], 'recovery codes deleted: 1')
  assert.equal((await drop(service.deps, () => {})).lines[0], 'recovery codes deleted: 0')
  const actions = await sql`select from audit_entries where action = 'recovery_codes_removed' and actor = 'operator'`
  assert.equal(actions.length, 1)
})

test('when nothing needs the old key, the service starts without it and everything works', async () => {
  const later = { ...service.deps, realClock: { now: () => new Date(Date.now() + 3 * 86_400_000) } }
  await sweep(later, 'sweep idempotency records')
  await sweep(later, 'sweep tries')
  await sql`delete from mail_addresses`
  await sql`delete from verifications`
  await sql`update payments set key_at = ${addDays(new Date(), -1)}`
  const show = keysCommand([])
  assert.ok(typeof show === 'function')
  const { lines } = await show(service.deps, () => {})
  assert.equal(lines[1], 'key old: safe to remove', lines.join('\n'))

  const young = await start(youngKey)
  assert.deepEqual(
    (await sql`select id from master_keys`).map(({ id }) => id),
    ['young'],
  )
  const me = young.as(user.credential)
  const again = await me.post('/v3/bank', { routing: '021000021', account, type: 'CHECKING' })
  assert.equal(again.body.code, 'bank_exists', again.text)
  assert.equal((await me.post('/v3/bank/release', { account: bankId })).body.code, 'bank_blocked')
  const paid = await me.post('/v3/check/digital', { ...order, account: verifiedId })
  assert.equal(paid.status, 201, paid.text)
  assert.equal((await me.post('/v3/bank/release', { account: verifiedId })).body.code, 'bank_not_deposit_only')
  const [pin] = await sql<{ pinSealed: Buffer }[]>`select pin_sealed from payments where id = ${pinned.id}`
  assert.equal(young.keyRing.openText(pin?.pinSealed as Buffer, 'payment pin'), '8765')
  assert.equal(await numberCheck(young.deps), 503)
  assert.equal((await claim(young.deps, 'REFUSES@example.com')).outcome, 'suppressed')
  await inTransaction(young.deps, async (tx) => {
    const digest = await accountDigestOf(tx, { platformId, routing: '021000021', account })
    assert.equal((await tx.sql`select from account_blocks where account_digest = ${digest}`).length, 1)
    const [entry] = await tx.sql<{ accountDigest: Buffer }[]>`select account_digest from ach_entries`
    assert.ok(young.keyRing.isDigestOf(entry?.accountDigest as Buffer, achAccount, 'ach account'))
  })
  for (const { table, column, purposes } of sealedColumns) {
    const rows = await sql<{ sealed: Buffer }[]>`
      select ${sql(column)} as sealed from ${sql(table)} where ${sql(column)} is not null
    `
    const isOpened = ({ sealed }: { sealed: Buffer }) =>
      purposes.some((purpose) => {
        try {
          return young.keyRing.open(sealed, purpose).length > 0
        } catch {
          return false
        }
      })
    assert.ok(rows.every(isOpened), `${table}.${column}`)
  }
  assert.ok(madeOnce.status === 201)
})
