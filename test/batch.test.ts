import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { addDays } from '../src/foundation/lib/clock.ts'
import { getMails } from '../src/foundation/mail/mail-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, signIn } from './support/browser.ts'
import { newAccountHolder } from './support/oauth.ts'
import { rowCounts } from './support/rows.ts'
import { addBank, newAccountNumber, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// The payments of a file that are prepared and released together (specification.md 5.8).

const service = await startTestService({ after }, { settings: { limits: null } })
const { clock, deps, doDueWork, ownerSql } = service

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

const row = (more: object = {}) => ({
  name: 'Dana Payee',
  amount: 10,
  address: { type: 'email', address: 'dana@example.com' },
  ...more,
})
const accountRow = (more: object = {}) =>
  row({ account_number: newAccountNumber(), routing_number: '021000021', ...more })
const to = (address: string, more: object = {}) => row({ address: { type: 'email', address }, ...more })
const rows = (count: number) => Array.from({ length: count }, (_, index) => to(`payee${index}@example.com`))

const save = (by: Client, file: unknown = rows(2), more: object = {}) =>
  by.post('/v3/batch', { name: 'Vendors', file, ...more })
const create = async (by: Client, file?: unknown): Promise<string> => expect(await save(by, file), 201).body.id
const release = (by: Client, id: string) => by.post(`/v3/batch/${id}/release`)
const approve = (by: Client, id: string) => by.post(`/v3/batch/${id}/approve`)
const preview = async (by: Client, file: unknown, more: object = {}) =>
  expect(await by.post('/v3/batch/preview', { file, ...more }), 200).body
const countPayments = async (platformId: string): Promise<number> => {
  const [found] = await deps.sql<{ count: number }[]>`
    select count(*) as count from payments where platform_id = ${platformId} and sender_id = ${platformId}
  `
  return found?.count ?? 0
}

async function newTeam(policy?: { dual_control: boolean; rules: object[] }) {
  const holder = await newAccountHolder(service)
  const preparer = await newMember(service, holder.id, 'preparer')
  const approver = await newMember(service, holder.id, 'approver')
  const admin = await newMember(service, holder.id, 'admin')
  if (policy) expect(await holder.browser.put('/v3/approval/policy', policy), 200)
  return {
    ...holder,
    ...{ owner: holder.browser, preparer: preparer.browser, approver: approver.browser, admin: admin.browser },
    emails: { preparer: preparer.email, approver: approver.email, admin: admin.email },
    adminId: admin.loginId,
  }
}

const RULE = { min_amount: 0, new_payee: false, rail: null, source: null, approvals: 1 }

const team = await newTeam({ dual_control: true, rules: [] })

suite('a batch', () => {
  test('is prepared by one person and released by another, and its payments name both', async () => {
    const viewer = (await newMember(service, team.id, 'viewer')).browser
    const file = [
      to('ann@example.com', { amount: 12.5, number: 'A-1' }),
      accountRow({ amount: 7.5, description: 'Rent' }),
    ]
    const { body: batch } = expect(await save(team.preparer, file, { name: 'March' }), 201)
    const shown = { name: 'March', status: 'UNPAID', amount: 20, count: 2, prepared_by: 'The preparer', ended_by: null }
    assert.deepEqual({ ...batch, ...shown }, batch)
    assert.deepEqual(batch.approvals, {
      needed: 1,
      reasons: ['Every payment needs an approval'],
      approved_by: [],
      next: 'none',
    })
    assert.equal(await countPayments(team.id), 0)
    const url = `/v3/batch/${batch.id}`
    const { body: before } = expect(await viewer.get(`${url}/row`), 200)
    assert.deepEqual(
      before.rows.map((one: Record<string, unknown>) => [one.line, one.amount, one.recipient, one.number, one.payment]),
      [
        [1, 12.5, 'ann@example.com', 'A-1', null],
        [2, 7.5, 'dana@example.com', null, null],
      ],
    )
    assert.match(before.rows[1].account, /^\d{4}$/)
    expect(await save(viewer), 403, 'permission_denied')
    expect(await release(viewer, batch.id), 403, 'permission_denied')
    expect(await release(team.preparer, batch.id), 403, 'permission_denied')
    const waiting = (await team.approver.get('/web/v1/approvals')).body.approvals
    assert.deepEqual(
      waiting.map((one: Record<string, unknown>) => [one.id, one.kind, one.name, one.recipient, one.amount, one.next]),
      [[batch.id, 'BATCH', 'March', '2 payments', 20, 'release']],
    )

    const { body: released } = expect(await release(team.approver, batch.id), 201)
    assert.deepEqual([released.status, released.outcome, released.ended_by], ['APPROVED', 'RELEASED', 'The approver'])
    assert.deepEqual(released.approvals, null)
    assert.deepEqual(released.payments, [
      { status: 'IN_PROCESS', count: 1, amount: 7.5 },
      { status: 'UNPAID', count: 1, amount: 12.5 },
    ])
    const { payments } = expect(await viewer.get(`/v3/payment?batch=${batch.id}`), 200).body
    assert.equal(payments.length, 2)
    for (const { id } of payments) {
      const { body: payment } = await viewer.get(`/v3/payment/${id}`)
      const { batch_id, prepared_by, released_by } = payment
      assert.deepEqual([batch_id, prepared_by, released_by], [batch.id, 'The preparer', 'The approver'])
    }
    assert.deepEqual((await viewer.get(`/v3/payment?batch=${batch.id}&direction=INCOMING`)).body.payments, [])
    assert.deepEqual((await viewer.get(`/v3/payment?batch=${team.id}`)).body.payments, [])
    expect(await release(team.approver, batch.id), 400, 'approval_not_open')
    expect(await team.preparer.put(url, { name: 'April', file }), 400, 'approval_not_open')
    expect(await team.preparer.del(url), 400, 'approval_not_open')
    const { audit, names } = (await viewer.get('/v3/audit?q=approval_')).body
    assert.deepEqual(
      audit
        .filter(({ subject }: { subject: string }) => subject.startsWith(batch.id))
        .map(({ action, actor_id }: { action: string; actor_id: string }) => [
          action,
          names[actor_id].replace(/ \(.*/, ''),
        ])
        .toReversed(),
      [
        ['approval_prepared', 'The preparer'],
        ['approval_released', 'The approver'],
      ],
    )
    const [kept] = await ownerSql`select count(*) as count from batch_rows where account_sealed is not null`
    assert.equal(kept?.count, 0)
  })

  test('is saved only as a whole: every invalid row is named, and nothing is written', async () => {
    const before = await rowCounts(deps.sql)
    const refused = expect(await save(team.preparer, [row(), row({ amount: 0 }), to(team.email)]), 400, 'invalid_rows')
    assert.deepEqual(Object.keys(refused.body.errors), ['file.1.amount', 'file.2.address.address'])
    assert.match(refused.body.message, /^Nothing was saved, because lines 2, 3 have problems\./)
    expect(await save(team.preparer, 'name,amount,colour\nAnn,1,red'), 400, 'invalid_request')
    expect(await save(team.preparer, rows(1_501)), 400, 'invalid_request')
    expect(await save(team.preparer, rows(1), { name: ' ' }), 400, 'invalid_request')
    assert.deepEqual(await rowCounts(deps.sql), before)
  })

  test('is previewed with the problems of each row by column, and likely duplicates, and nothing is written', async () => {
    const other = await newTeam()
    const csv = (lines: string[]) => ['name,amount,email,account_number,routing_number', ...lines].join('\n')
    expect(await other.admin.post('/v3/check/csv', { file: [to('paid@example.com', { amount: 40 })] }), 201)
    const prepared = expect(
      await other.preparer.post('/v3/approval/digital', { amount: 41, name: 'Waits', recipient: 'waits@example.com' }),
      201,
    ).body
    const saved = await create(other.preparer, [to('saved@example.com', { amount: 42 })])
    const before = await rowCounts(deps.sql)
    const file = csv([
      'Paid,40.00,PAID@example.com',
      'Waits,41,waits@example.com',
      'Saved,42,saved@example.com',
      'New,43,new@example.com',
      'Again,43,New@example.com',
      'Less,43.01,new@example.com',
      'Bad,x,nobody',
      `One,5,shared@example.com,${newAccountNumber()},021000021`,
      `Two,5,shared@example.com,${newAccountNumber()},021000021`,
      `Odd,5,shared@example.com,${newAccountNumber()},021000022`,
    ])
    const { rows: shown, amount } = await preview(other.preparer, file)
    type Shown = {
      line: number
      errors: { field: string }[]
      duplicate: { kind: string; id: string; line: number } | null
    }
    assert.deepEqual(
      shown.map(({ line, errors, duplicate }: Shown) => [line, errors.map(({ field }) => field), duplicate?.kind]),
      [
        [2, [], 'payment'],
        [3, [], 'approval'],
        [4, [], 'batch'],
        [5, [], undefined],
        [6, [], 'row'],
        [7, [], undefined],
        [8, ['amount', 'email'], undefined],
        [9, [], undefined],
        [10, [], undefined],
        [11, ['routing_number'], undefined],
      ],
    )
    assert.deepEqual([shown[1].duplicate.id, shown[2].duplicate.id, shown[4].duplicate.line], [prepared.id, saved, 5])
    assert.equal(amount, 40 + 41 + 42 + 43 + 43 + 43.01 + 5 + 5)
    const { rows: replacing } = await preview(other.preparer, file, { batch: saved })
    assert.equal(replacing[2].duplicate, null)
    assert.deepEqual(await rowCounts(deps.sql), before)
    clock.advance(7 * 24 * 3_600)
    assert.equal((await preview(other.preparer, file)).rows[0].duplicate, null)
  })

  test('is released as a whole or not at all', async () => {
    const other = await newTeam()
    const payee = expect(await other.api.post('/v3/user', { user_id: 'payee', name: 'A payee' }), 201).body
    const id = await create(other.preparer, [row(), to('payee@example.com'), to('other@example.com')])
    await deps.sql`
      update batch_rows set payee_platform_id = ${other.id}, payee_id = ${payee.id}
      where batch_id = ${id} and position = 2
    `
    const changed = expect(await release(other.approver, id), 400, 'approval_payee_changed')
    assert.deepEqual(Object.keys(changed.body.errors), ['file.1'])
    const own = { address: { type: 'email', address: other.email } }
    await deps.sql`update batch_rows set details = ${deps.sql.json(own)} where batch_id = ${id} and position = 3`
    const refused = expect(await release(other.approver, id), 400, 'invalid_rows')
    assert.deepEqual(Object.keys(refused.body.errors), ['file.2.address.address'])
    assert.match(refused.body.message, /^Nothing was sent, because line 3 has problems/)
    assert.equal(await countPayments(other.id), 0)
    const { body } = await other.approver.get(`/v3/batch/${id}`)
    assert.deepEqual([body.status, body.payments], ['UNPAID', []])
  })

  test('ends by rejection, deletion or after 30 days, keeps no account number, and its preparer gets a mail', async () => {
    const [rejected, deleted, forgotten] = [
      await create(team.preparer, [accountRow()]),
      await create(team.preparer, [accountRow()]),
      await create(team.preparer, [accountRow()]),
    ]
    const subjects = async (email: string) =>
      (await getMails(deps)).filter(({ to }) => to === email).map(({ subject }) => subject)
    assert.equal(
      (await subjects(team.emails.approver))[0],
      '$10.00 in the batch Vendors waits for approval on Remit sandbox',
    )
    expect(await team.preparer.post(`/v3/batch/${rejected}/reject`, { reason: 'No' }), 403, 'permission_denied')
    expect(await team.approver.post(`/v3/batch/${rejected}/reject`, { reason: 'Paid already' }), 201)
    assert.equal((await subjects(team.emails.preparer))[0], '$10.00 in the batch Vendors was rejected on Remit sandbox')
    expect(await team.approver.del(`/v3/batch/${deleted}`), 403, 'permission_denied')
    expect(await team.preparer.del(`/v3/batch/${deleted}`), 200)
    clock.advance(31 * 24 * 3_600)
    await doDueWork()
    const { batches, total } = (await team.owner.get('/v3/batch?status=VOID')).body
    const ends = batches.map((one: Record<string, unknown>) => [one.id, one.outcome, one.reason, one.ended_by])
    assert.deepEqual(ends, [
      [forgotten, 'EXPIRED', null, null],
      [deleted, 'VOIDED', null, 'The preparer'],
      [rejected, 'REJECTED', 'Paid already', 'The approver'],
    ])
    assert.equal(total, 3)
    for (const id of [rejected, deleted, forgotten]) {
      expect(await release(team.approver, id), 400, 'approval_not_open')
      expect(await approve(team.approver, id), 400, 'approval_not_open')
    }
    const [kept] = await ownerSql`select count(*) as count from batch_rows where account_sealed is not null`
    const [open] = await deps.sql`
      select count(*) as count
      from batch_rows r
      join approvals a on a.platform_id = r.platform_id and a.id = r.batch_id
      where a.status = 'UNPAID' and r.account_sealed is not null
    `
    assert.deepEqual(kept, open)
  })

  test('is used only by the calls for batches, and a user has at most 20 open batches', async () => {
    const other = await newTeam()
    const id = await create(other.preparer)
    const single = expect(
      await other.preparer.post('/v3/approval/digital', { amount: 1, name: 'Vendor', recipient: 'v@example.com' }),
      201,
    ).body.id
    expect(await other.approver.post('/v3/approval/release', { id }), 404, 'approval_not_found')
    expect(await other.approver.post(`/v3/approval/${id}/approve`), 404, 'approval_not_found')
    expect(await other.preparer.put(`/v3/approval/${id}`, { amount: 1 }), 404, 'approval_not_found')
    assert.equal((await other.preparer.get('/v3/approval')).body.total, 1)
    for (const answer of [
      await release(other.approver, single),
      await approve(other.approver, single),
      await other.preparer.get(`/v3/batch/${single}/row`),
      await other.preparer.del(`/v3/batch/${single}`),
    ]) {
      expect(answer, 404, 'batch_not_found')
    }
    await Promise.all(Array.from({ length: 19 }, () => create(other.preparer)))
    expect(await save(other.preparer), 400, 'batch_limit_reached')
    expect(await other.preparer.del(`/v3/batch/${id}`), 200)
    expect(await save(other.preparer), 201)
  })

  test('after many payments, the inbox shows the approvals of the strictest rule, and its own page shows the exact number', async () => {
    const rules = [{ ...RULE, min_amount: 1_000, approvals: 2 }]
    const other = await newTeam({ dual_control: true, rules })
    const large = await create(other.preparer)
    await deps.sql`
      update approvals set details = ${deps.sql.json({ recipient: '', rows: 2_000 })} where id = ${large}
    `
    const id = await create(other.preparer)
    const { approvals } = (await other.approver.get('/web/v1/approvals')).body
    assert.deepEqual(
      approvals.map((one: Record<string, unknown>) => [one.id, one.needed, one.next]),
      [
        [large, 1, 'release'],
        [id, 2, 'approve'],
      ],
    )
    assert.equal((await other.approver.get(`/v3/batch/${id}`)).body.approvals.needed, 1)
    expect(await release(other.approver, id), 201)
  })

  test('of 1,500 rows is saved, shown in the inbox and released', async () => {
    const other = await newTeam({ dual_control: true, rules: [{ ...RULE, new_payee: true }] })
    const id = await create(other.preparer, rows(1_500))
    const [item] = (await other.approver.get('/web/v1/approvals')).body.approvals
    assert.deepEqual([item.id, item.needed, item.next], [id, 1, 'release'])
    expect(await release(other.approver, id), 201)
    assert.equal(await countPayments(other.id), 1_500)
  })
})

suite('the approval policy of a batch', () => {
  test('compares its total and each of its payments with the rules', async () => {
    const other = await newTeam({ dual_control: false, rules: [{ ...RULE, min_amount: 100 }] })
    const below = await create(other.admin, [row({ amount: 40 }), to('b@example.com', { amount: 59.99 })])
    expect(await release(other.admin, below), 201)
    const total = await create(other.admin, [row({ amount: 40 }), to('b@example.com', { amount: 60 })])
    expect(await release(other.admin, total), 403, 'second_person_needed')
    const { approvals } = (await other.admin.get(`/v3/batch/${total}`)).body
    assert.deepEqual([approvals.needed, approvals.reasons, approvals.next], [1, ['$100.00 or more'], 'none'])
    expect(await release(other.approver, total), 201)

    // Each payment alone: only mailed ones need two approvals, and only a new payee needs one.
    expect(
      await other.owner.put('/v3/approval/policy', {
        dual_control: false,
        rules: [{ ...RULE, rail: 'MAIL', approvals: 2 }],
      }),
      200,
    )
    const address = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701' }
    const mailed = await create(other.preparer, [accountRow(), row({ address: { type: 'physical', address } })])
    expect(await release(other.approver, mailed), 403, 'second_person_needed')
    expect(await approve(other.approver, mailed), 201)
    expect(await release(other.admin, mailed), 201)
    expect(await release(other.admin, await create(other.admin, [accountRow()])), 201)
  })

  test('finds the payment that needs most approvals, at any place in the file', async () => {
    const other = await newTeam()
    expect(await other.admin.post('/v3/check/csv', { file: [to('known@example.com')] }), 201)
    await deps.sql`update payments set created_at = ${addDays(clock.now(), -8)} where platform_id = ${other.id}`
    const rules = [RULE, { ...RULE, new_payee: true, approvals: 2 }]
    expect(await other.owner.put('/v3/approval/policy', { dual_control: false, rules }), 200)
    const known = Array.from({ length: 250 }, () => to('known@example.com'))
    const neededFor = async (file: object[]) => {
      const id = await create(other.preparer, file)
      return (await other.approver.get(`/v3/batch/${id}`)).body.approvals.needed
    }
    assert.equal(await neededFor(known), 1)
    assert.equal(await neededFor([...known, to('new@example.com')]), 2)
  })

  test('applies the rules for batches and for the way it was made: an exemption must name both', async () => {
    const exempt = { ...RULE, approvals: 0 }
    const other = await newTeam({ dual_control: false, rules: [{ ...exempt, source: 'BATCH' }] })
    const id = await create(other.api)
    expect(await release(other.api, id), 403, 'second_person_needed')
    const rules = [
      { ...exempt, source: 'BATCH' },
      { ...exempt, source: 'API' },
    ]
    expect(await other.owner.put('/v3/approval/policy', { dual_control: false, rules }), 200)
    expect(await release(other.api, id), 201)
    const asWeb = { dual_control: false, rules: [{ ...RULE, source: 'WEB' }] }
    expect(await other.owner.put('/v3/approval/policy', asWeb), 200)
    expect(await release(other.admin, await create(other.admin)), 403, 'second_person_needed')
  })
})

suite('no member releases a batch alone', () => {
  const keyOf = async (by: Client): Promise<Api> => {
    const { body } = expect(await by.post('/v3/user/api_key', {}), 201)
    return service.as(`${body.id}:${body.secret}`)
  }

  test('cannot be released by its preparer, with a key, in another session or after replacing it', async () => {
    const other = await newTeam({ dual_control: true, rules: [] })
    const id = await create(other.admin)
    const second = await signIn(service, { email: other.emails.admin })
    for (const by of [other.admin, await keyOf(other.admin), second]) {
      expect(await release(by, id), 403, 'second_person_needed')
      expect(await approve(by, id), 403, 'second_person_needed')
    }
    const byKey = await create(await keyOf(other.admin))
    expect(await release(other.admin, byKey), 403, 'second_person_needed')
    expect(await other.owner.put(`/v3/batch/${id}`, { name: 'Mine', file: rows(1) }), 200)
    expect(await release(other.owner, id), 403, 'second_person_needed')
    expect(await release(other.admin, id), 403, 'second_person_needed')
    assert.equal(await countPayments(other.id), 0)
    expect(await release(other.approver, id), 201)
    assert.equal(await countPayments(other.id), 1)
  })

  test('an approval no longer counts after a payee added an account', async () => {
    const other = await newTeam({ dual_control: false, rules: [{ ...RULE, approvals: 2 }] })
    const email = `payee-${other.id}@example.com`
    const payee = await service.newUser(email, other.api)
    await addBank(payee)
    const { id, version } = expect(await save(other.preparer, [...rows(1), to(email)]), 201).body
    expect(await other.approver.post(`/v3/batch/${id}/approve`, { version }), 201)
    await addBank(payee)
    const { approvals, ...now } = (await other.admin.get(`/v3/batch/${id}`)).body
    assert.deepEqual([approvals.approved_by, approvals.next], [[], 'approve'])
    expect(await other.admin.post(`/v3/batch/${id}/release`, { version }), 400, 'batch_changed')
    expect(await other.admin.post(`/v3/batch/${id}/release`, { version: now.version }), 403, 'second_person_needed')
    expect(await approve(other.approver, id), 201)
    expect(await release(other.admin, id), 201)
    assert.equal(await countPayments(other.id), 2)
  })

  test('two approvals need two members, and replacing the rows withdraws them', async () => {
    const other = await newTeam({ dual_control: false, rules: [{ ...RULE, approvals: 2 }] })
    const id = await create(other.preparer)
    expect(await approve(other.approver, id), 201)
    const second = await signIn(service, { email: other.emails.approver })
    expect(await approve(second, id), 201)
    expect(await release(second, id), 403, 'second_person_needed')
    const file = [to('mallory@example.com', { amount: 9_999 })]
    const { body } = expect(await other.preparer.put(`/v3/batch/${id}`, { name: 'Changed', file }), 200)
    assert.deepEqual([body.amount, body.count, body.name, body.approvals.approved_by], [9_999, 1, 'Changed', []])
    expect(await release(other.admin, id), 403, 'second_person_needed')
    assert.equal(await countPayments(other.id), 0)
    expect(await approve(other.approver, id), 201)
    expect(await release(other.admin, id), 201)
    assert.equal(await countPayments(other.id), 1)
  })

  test('a release of an earlier version is refused after the rows were replaced', async () => {
    const other = await newTeam({ dual_control: true, rules: [] })
    const { body: seen } = expect(await save(other.preparer), 201)
    const url = `/v3/batch/${seen.id}`
    const file = [to('mallory@example.com', { amount: 20 })]
    const { body: changed } = expect(await other.preparer.put(url, { name: 'Vendors', file }), 200)
    const { version } = seen
    expect(await other.approver.post(`${url}/approve`, { version }), 400, 'batch_changed')
    expect(await other.approver.post(`${url}/release`, { version }), 400, 'batch_changed')
    assert.equal(await countPayments(other.id), 0)
    const [item] = (await other.approver.get('/web/v1/approvals')).body.approvals
    assert.equal(item.version, changed.version)
    expect(await other.approver.post(`${url}/release`, { version: changed.version }), 201)
  })

  test('of two concurrent releases, or a release and a replacement, one succeeds', async () => {
    const other = await newTeam({ dual_control: true, rules: [] })
    const id = await create(other.preparer, rows(3))
    const answers = await Promise.all([release(other.approver, id), release(other.admin, id)])
    assert.deepEqual(answers.map(({ status, body }) => [status, body.code]).toSorted(), [
      [201, undefined],
      [400, 'approval_not_open'],
    ])
    assert.equal(await countPayments(other.id), 3)
    const next = await create(other.preparer, rows(3))
    const [released, replaced] = await Promise.all([
      release(other.approver, next),
      other.preparer.put(`/v3/batch/${next}`, { name: 'Changed', file: rows(5) }),
    ])
    assert.equal(released.status, 201, released.text)
    const isReplaced = replaced.status === 200
    if (!isReplaced) expect(replaced, 400, 'approval_not_open')
    assert.equal(await countPayments(other.id), isReplaced ? 8 : 6)
  })

  test('the batches of a member end with the membership', async () => {
    const other = await newTeam()
    const id = await create(other.admin)
    expect(await other.owner.del(`/web/v1/team/${other.adminId}`), 200)
    assert.equal((await other.owner.get(`/v3/batch/${id}`)).body.outcome, 'VOIDED')
  })
})

test('a template has the columns of a batch, and its examples are valid', async () => {
  const { status, headers, text } = await team.preparer.get('/v3/batch/template')
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv; charset=utf-8'])
  const { rows: shown } = await preview(team.preparer, text)
  assert.equal(shown.length, 3)
  assert.ok(shown.every(({ errors }: { errors: unknown[] }) => errors.length === 0))
})
