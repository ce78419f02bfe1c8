import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { addDays } from '../src/foundation/lib/clock.ts'
import { getMails } from '../src/foundation/mail/mail-actions.ts'
import type { Answer, Api } from './support/api.ts'
import { type Browser, signIn } from './support/browser.ts'
import { newWallet } from './support/money.ts'
import { newAccountHolder } from './support/oauth.ts'
import { triggerStatus } from './support/payments.ts'
import { addBank, addVerifiedBank, newAccountNumber, startTestService } from './support/service.ts'
import { newMember } from './support/team.ts'

// The rules that say which payments need approvals (specification.md 5.8).

const service = await startTestService({ after })
const { deps } = service
const POLICY = '/v3/approval/policy'
const RULE = { min_amount: 0, new_payee: false, rail: null, source: null, approvals: 1 }
const order = (more: object = {}) => ({ amount: 10, name: 'Vendor', recipient: 'vendor@example.com', ...more })

type Client = Pick<Browser | Api, 'get' | 'post' | 'put' | 'del'>

function expect(answer: Answer, status: number, code?: string): Answer {
  assert.deepEqual([answer.status, answer.body?.code], [status, code], answer.text)
  return answer
}

const put = (by: Client, rules: object[], dual_control = false) => by.put(POLICY, { dual_control, rules })
const send = (by: Client, more: object = {}) => by.post('/v3/check/digital', order(more))
const prepare = async (by: Client, more: object = {}): Promise<string> =>
  expect(await by.post('/v3/approval/digital', order(more)), 201).body.id
const release = (by: Client, id: string) => by.post('/v3/approval/release', { id })
const approve = (by: Client, id: string) => by.post(`/v3/approval/${id}/approve`)

/** A platform with an owner, an admin, a preparer, an approver and a viewer. */
async function newTeam() {
  const holder = await newAccountHolder(service)
  const admin = await newMember(service, holder.id, 'admin')
  const preparer = await newMember(service, holder.id, 'preparer')
  const approver = await newMember(service, holder.id, 'approver')
  const ageBy8Days = async () => {
    const before = addDays(service.clock.now(), -8)
    await deps.sql`
      update payments
      set created_at = ${before}, deposited_at = case when deposited_at is not null then ${before}::timestamptz end
      where platform_id = ${holder.id}
    `
    await deps.sql`update banks set created_at = ${before} where platform_id = ${holder.id}`
  }
  return { ...holder, owner: holder.browser, admin, preparer, approver, ageBy8Days }
}

async function keyOf(by: Client): Promise<Api> {
  const { body } = expect(await by.post('/v3/user/api_key', {}), 201)
  return service.as(`${body.id}:${body.secret}`)
}

const team = await newTeam()
const [owner, admin, preparer, approver] = [
  team.owner,
  team.admin.browser,
  team.preparer.browser,
  team.approver.browser,
]

suite('the approval policy', () => {
  test('is changed by an owner, returned as given, and has at most 20 rules', async () => {
    const { body: empty } = expect(await team.owner.get(POLICY), 200)
    assert.deepEqual(empty, {
      dual_control: false,
      rules: [],
      changed_at: null,
      changed_by: null,
      proposal: null,
      people: { members: 4, approvers: 3, others: ['The admin', 'The approver'], are_enough: true },
    })
    const rules = [
      { ...RULE, min_amount: 1000.5, rail: 'ACH' },
      { ...RULE, source: 'API', approvals: 0 },
    ]
    const { body } = expect(await put(team.owner, rules), 200)
    assert.deepEqual(body.rules, rules)
    const seen = (await preparer.get(POLICY)).body
    const { others } = seen.people
    assert.deepEqual(seen, { ...body, people: { ...body.people, others } })
    assert.deepEqual([others.length, others.slice(1)], [3, body.people.others])
    expect(await put(admin, []), 403, 'permission_denied')
    expect(await put(team.api, []), 403, 'permission_denied')
    for (const [wrong, field] of [
      [Array(21).fill(RULE), 'rules'],
      [[{ ...RULE, approvals: 3 }], 'rules.0.approvals'],
      [[RULE, { ...RULE, min_amount: 0.001 }], 'rules.1.min_amount'],
      [[{ ...RULE, rail: 'CASH' }], 'rules.0.rail'],
    ] as const) {
      const answer = expect(await put(team.owner, [...wrong]), 400, 'invalid_request')
      assert.deepEqual(Object.keys(answer.body.errors), [field], answer.text)
    }
    assert.deepEqual((await team.owner.get(POLICY)).body.rules, rules)
    expect(await put(owner, []), 200)
  })

  test('requires no more approvers than there are members besides the preparer', async () => {
    const alone = await newAccountHolder(service)
    const refused = expect(await put(alone.browser, [RULE]), 400, 'invalid_request')
    assert.deepEqual(Object.keys(refused.body.errors), ['rules.0.approvals'])
    expect(await put(alone.browser, [{ ...RULE, approvals: 0 }]), 200)
    await newMember(service, alone.id, 'preparer')
    expect(await put(alone.browser, [RULE]), 200)
    expect(await put(alone.browser, [{ ...RULE, approvals: 2 }]), 400, 'invalid_request')
  })

  test('applies the strictest rule that matches amount, rail, source and payee', async () => {
    const { owner, api } = team
    const direct = { account_number: newAccountNumber(), routing_number: '021000021', account_type: 'CHECKING' }
    const address = { line_1: '1 Main St', city: 'Springfield', state: 'IL', zip: '62701', country: 'US' }
    const refused = [403, 'approval_required'] as const
    const sendDirect = (by: Client) => by.post('/v3/check/direct', order(direct))
    const mail = (by: Client) => by.post('/v3/check/physical', order({ recipient: address }))
    expect(await put(owner, [{ ...RULE, min_amount: 100 }]), 200)
    expect(await send(owner, { amount: 99.99 }), 201)
    expect(await send(owner, { amount: 100 }), ...refused)
    expect(await send(api, { amount: 1 }), ...refused) // no rule exempts keys
    expect(
      await put(owner, [
        { ...RULE, min_amount: 100 },
        { ...RULE, source: 'API', approvals: 0 },
      ]),
      200,
    )
    expect(await send(api, { amount: 99.99 }), 201)
    expect(await send(api, { amount: 100 }), ...refused)
    expect(await put(owner, [{ ...RULE, rail: 'MAIL' }]), 200)
    expect(await mail(owner), ...refused)
    expect(await sendDirect(owner), 201)
    expect(await send(owner, { deposit_options: ['BANK'] }), 201)
    expect(await send(owner, { deposit_options: ['BANK', 'MAIL'] }), ...refused) // it could be mailed
    expect(
      await put(owner, [
        { ...RULE, source: 'WEB' },
        { ...RULE, source: 'API', approvals: 0 },
      ]),
      200,
    )
    expect(await send(owner), ...refused)
    expect(await send(api), 201)
    expect(await put(owner, []), 200)
    expect(await send(api), 201)
    expect(await send(owner), 201)
  })

  test('requires an approval for payees that are new or got another account in the last 7 days', async () => {
    const other = await newTeam()
    const to = (account_number: string) => ({ account_number, routing_number: '021000021', account_type: 'CHECKING' })
    const [known, changed] = [newAccountNumber(), newAccountNumber()]
    const direct = (account: string) => other.owner.post('/v3/check/direct', order({ ...to(account), amount: 1 }))
    expect(await send(other.owner, { amount: 1 }), 201)
    expect(await direct(known), 201)
    expect(await put(other.owner, [{ ...RULE, new_payee: true }]), 200)
    expect(await send(other.owner), 403, 'approval_required')
    await other.ageBy8Days()
    expect(await send(other.owner), 201)
    expect(await send(other.owner, { recipient: 'new@example.com' }), 403, 'approval_required')
    expect(await direct(known), 201)
    expect(await direct(changed), 403, 'approval_required')
  })

  test('knows a user by its id and its accounts, and a recipient only by payments that it could deposit', async () => {
    const other = await newTeam()
    const weekAgo = () => other.ageBy8Days()
    const account = { account_number: newAccountNumber(), routing_number: '021000021', account_type: 'CHECKING' }
    const newUser = async (user_id: string) =>
      expect(await other.api.post('/v3/user', { user_id, name: 'A user' }), 201).body
    const user = await newUser('vendor-1')
    const to = (recipient: string) => send(other.owner, { recipient, amount: 1 })
    expect(await to('vendor-1'), 201)
    expect(await other.owner.post('/v3/check/direct', order({ ...account, recipient: 'mallory@example.com' })), 201)
    await weekAgo()
    expect(await put(other.owner, [{ ...RULE, new_payee: true }]), 200)
    expect(await to('vendor-1'), 201)
    await newUser('VENDOR-1')
    expect(await to('VENDOR-1'), 403, 'approval_required')
    expect(await to('mallory@example.com'), 403, 'approval_required')
    await addVerifiedBank(service.as(`${user.key}:${user.secret}`))
    expect(await to('vendor-1'), 403, 'approval_required')
    await weekAgo()
    expect(await to('vendor-1'), 201)
  })

  test('checks each recipient of a payment to several recipients separately', async () => {
    const other = await newTeam()
    const newUser = async (user_id: string) =>
      expect(await other.api.post('/v3/user', { user_id, name: 'A user' }), 201).body
    await newUser('ann')
    const bob = await newUser('bob')
    const several = (...names: string[]) => ({
      amount: 1,
      recipients: names.map((recipient) => ({ name: 'An', recipient })),
    })
    const sendTo = (...names: string[]) => other.owner.post('/v3/check/multi', several(...names))
    expect(await sendTo('ann', 'bob'), 201)
    expect(await send(other.owner, { recipient: 'carl@example.com', amount: 1 }), 201)
    expect(await put(other.owner, [{ ...RULE, new_payee: true }]), 200)
    expect(await sendTo('ann', 'bob'), 403, 'approval_required')
    await other.ageBy8Days()
    expect(await sendTo('ann', 'bob'), 201)
    expect(await send(other.owner, { recipient: 'bob', amount: 1 }), 201)
    expect(await sendTo('bob', 'Carl@example.com'), 201)
    expect(await sendTo('ann', 'dora@example.com'), 403, 'approval_required')

    await addVerifiedBank(service.as(`${bob.key}:${bob.secret}`))
    expect(await sendTo('ann', 'bob'), 403, 'approval_required')
    const { id } = expect(await other.preparer.browser.post('/v3/approval/multi', several('ann', 'bob')), 201).body
    const waits = await other.owner.get('/web/v1/approvals')
    assert.deepEqual(waits.body.approvals[0].needed, 1)
    expect(await release(other.preparer.browser, id), 403, 'permission_denied')
    expect(await release(other.approver.browser, id), 200)
    await other.ageBy8Days()
    expect(await sendTo('ann', 'bob'), 201)

    await deps.sql`update users set external_id = 'ann-before' where platform_id = ${other.id} and external_id = 'ann'`
    await newUser('ann')
    expect(await sendTo('ann', 'bob'), 403, 'approval_required')
  })

  test('knows a payee only by payments that can still reach it or have reached it', async () => {
    const other = await newTeam()
    const { body: vendor } = expect(await other.api.post('/v3/user', { user_id: 'vendor-1', name: 'A user' }), 201)
    const payee = service.as(`${vendor.key}:${vendor.secret}`)
    const [account, otherAccount] = [await addBank(payee), await addBank(payee)]
    const to = (recipient: unknown) => send(other.owner, { recipient, amount: 1 })
    const first = async (recipient: unknown): Promise<string> => expect(await to(recipient), 201).body.id
    const [toVoid, toFail, toAccount] = ['void@example.com', 'fail@example.com', { id: 'vendor-1', account }]
    const [voided, failed, moved] = [await first(toVoid), await first(toFail), await first(toAccount)]
    await triggerStatus(other.api, failed, 'FAILED')
    await other.ageBy8Days()
    expect(await put(other.owner, [{ ...RULE, new_payee: true }]), 200)
    expect(await to(toVoid), 201)
    expect(await to(toAccount), 201)
    expect(await to(toFail), 403, 'approval_required')
    expect(await other.owner.del(`/v3/check/${voided}`), 200)
    expect(await to(toVoid), 403, 'approval_required')
    await triggerStatus(other.api, failed, 'IN_PROCESS')
    expect(await to(toFail), 201)
    await triggerStatus(other.api, moved, 'FAILED')
    expect(await to(toAccount), 403, 'approval_required')
    expect(await payee.post(`/v3/check/deposit/${moved}`, { account: otherAccount }), 201)
    expect(await to(toAccount), 403, 'approval_required')
  })

  test('knows of several recipients those that could deposit, and then the one that did', async () => {
    const other = await newTeam()
    const users: Record<string, Api> = {}
    for (const user_id of ['ann', 'bob', 'carl']) {
      const { body } = expect(await other.api.post('/v3/user', { user_id, name: 'A user' }), 201)
      users[user_id] = service.as(`${body.key}:${body.secret}`)
    }
    const account = await addBank(users.ann as Api)
    const recipients = Object.keys(users).map((recipient) => ({
      name: 'An',
      recipient,
      endorse_only: recipient === 'carl',
    }))
    const { id } = expect(await other.owner.post('/v3/check/multi', { amount: 1, recipients }), 201).body
    await other.ageBy8Days()
    expect(await put(other.owner, [{ ...RULE, new_payee: true }]), 200)
    const to = (recipient: string) => send(other.owner, { recipient, amount: 1 })
    expect(await to('ann'), 201)
    expect(await to('bob'), 201)
    expect(await to('carl'), 403, 'approval_required')
    for (const user of ['bob', 'carl']) {
      expect(await (users[user] as Api).post(`/v3/check/endorse/${id}`, { name: 'An' }), 201)
    }
    expect(await (users.ann as Api).post(`/v3/check/deposit/${id}`, { account }), 201)
    expect(await to('ann'), 201)
    expect(await to('bob'), 403, 'approval_required')
  })

  test('exempts a payment only if its rule names all its rails and each way in which it was made', async () => {
    const { owner } = team
    const exempt = { ...RULE, source: 'API', rail: 'ACH', approvals: 0 }
    expect(await put(owner, [exempt]), 200)
    expect(await send(team.api, { deposit_options: ['BANK'] }), 201)
    expect(await send(team.api, { deposit_options: ['BANK', 'MAIL'] }), 403, 'approval_required')
    expect(
      await put(owner, [
        { ...RULE, source: 'API', approvals: 0 },
        { ...RULE, source: 'WEB' },
      ]),
      200,
    )
    const id = await prepare(admin)
    expect(await release(await keyOf(admin), id), 403, 'second_person_needed')
    expect(await release(approver, id), 200)
    expect(await put(owner, []), 200)
  })

  test('judges a WIRE that is offered as a SWIFT too, because the payee may choose a bank abroad', async () => {
    const account = await newWallet(team.api)
    const wire = (more: object = {}) => send(owner, { account, deposit_options: ['WIRE'], ...more })
    expect(await put(owner, [{ ...RULE, rail: 'SWIFT' }]), 200)
    expect(await wire(), 403, 'approval_required')
    expect(await wire({ deposit_options: ['RTP'] }), 201)
    expect(await put(owner, [{ ...RULE, rail: 'WIRE', approvals: 0 }]), 200)
    expect(await send(team.api, { account, deposit_options: ['WIRE'] }), 403, 'approval_required')
    expect(await put(owner, []), 200)
  })

  test('does not apply to payments that users send with their keys', async () => {
    const { body } = expect(await team.api.post('/v3/user', { user_id: 'own-key', name: 'Own key' }), 201)
    const user = service.as(`${body.key}:${body.secret}`)
    expect(await put(team.owner, [RULE]), 200)
    expect(await user.get(POLICY), 403, 'owner_only')
    const sent = await send(user)
    assert.equal(sent.body.code, 'no_verified_bank')
    expect(await put(owner, []), 200)
  })

  test('changes under dual control when a second person confirms', async () => {
    const other = await newTeam()
    const [second, preparing] = [other.approver.browser, other.preparer.browser]
    const confirm = (by: Client, id: string) => by.post(`${POLICY}/confirm`, { id })
    expect(await put(other.owner, [], true), 200)
    const first = expect(await put(other.owner, [RULE]), 200).body
    assert.deepEqual([first.dual_control, first.rules, first.proposal.rules], [true, [], [RULE]])
    const { proposal } = expect(await put(other.owner, []), 200).body
    expect(await confirm(other.owner, proposal.id), 403, 'second_person_needed')
    for (const key of [await keyOf(other.owner), other.api]) {
      expect(await confirm(key, proposal.id), 403, 'second_person_needed')
    }
    expect(await confirm(preparing, proposal.id), 403, 'permission_denied')
    expect(await confirm(second, first.proposal.id), 404, 'policy_change_not_found')
    const { body } = expect(await confirm(second, proposal.id), 201)
    assert.deepEqual([body.dual_control, body.rules, body.proposal], [false, [], null])
    expect(await confirm(second, proposal.id), 404, 'policy_change_not_found')
    expect(await send(other.owner), 201)
    const { audit } = (await other.owner.get('/v3/audit?q=approval_policy')).body
    assert.deepEqual(
      audit.map(({ action }: { action: string }) => action),
      ['approval_policy_changed', 'approval_policy_proposed', 'approval_policy_proposed', 'approval_policy_changed'],
    )
  })

  test('is not changed by a proposal that is withdrawn, rejected or older than 30 days', async () => {
    const other = await newTeam()
    const end = (by: Client, id: string) => by.del(`${POLICY}/proposal/${id}`)
    const propose = async (): Promise<string> => expect(await put(other.owner, []), 200).body.proposal.id
    expect(await put(other.owner, [RULE], true), 200)
    const first = await propose()
    expect(await end(other.preparer.browser, first), 403, 'permission_denied')
    expect(await end(other.approver.browser, other.id), 404, 'policy_change_not_found')
    for (const by of [other.owner, other.approver.browser]) {
      const id = await propose()
      expect(await end(team.owner, id), 404, 'policy_change_not_found') // of another platform
      expect(await end(by, id), 200)
      expect(await end(by, id), 404, 'policy_change_not_found')
      expect(await other.approver.browser.post(`${POLICY}/confirm`, { id }), 404, 'policy_change_not_found')
    }
    const { body } = await other.owner.get(POLICY)
    assert.deepEqual([body.dual_control, body.rules, body.proposal], [true, [RULE], null])
    const old = await propose()
    await deps.sql`
      update approval_policies
      set proposed_at = ${addDays(service.clock.now(), -30)}
      where platform_id = ${other.id}
    `
    assert.equal((await other.owner.get(POLICY)).body.proposal, null)
    expect(await other.approver.browser.post(`${POLICY}/confirm`, { id: old }), 404, 'policy_change_not_found')
  })

  test('reports when there are too few members for its rules', async () => {
    const other = await newTeam()
    expect(await put(other.owner, [{ ...RULE, approvals: 2 }]), 200)
    assert.equal((await other.owner.get(POLICY)).body.people.are_enough, true)
    for (const member of [other.admin, other.approver]) {
      expect(await other.owner.put(`/web/v1/team/${member.loginId}`, { role: 'viewer' }), 200)
    }
    const { people } = (await other.owner.get(POLICY)).body
    assert.deepEqual(people, { members: 4, approvers: 1, others: [], are_enough: false })
  })
})

suite('a payment that needs approvals', () => {
  test('is released by a member other than its preparer, its editors and their keys', async () => {
    expect(await put(team.owner, [RULE]), 200)
    const id = await prepare(admin)
    expect(await release(admin, id), 403, 'second_person_needed')
    expect(await release(await keyOf(admin), id), 403, 'second_person_needed')
    expect(await release(await signIn(service, { email: team.admin.email }), id), 403, 'second_person_needed')
    expect(await team.owner.put(`/v3/approval/${id}`, { amount: 11 }), 200)
    expect(await release(team.owner, id), 403, 'second_person_needed')
    expect(await release(approver, id), 200)
  })

  test('that needs two approvals is approved by one member and released by another, and an edit withdraws the approval', async () => {
    expect(await put(team.owner, [{ ...RULE, approvals: 2 }]), 200)
    const id = await prepare(preparer)
    expect(await release(approver, id), 403, 'second_person_needed')
    expect(await approve(preparer, id), 403, 'permission_denied')
    expect(await approve(approver, id), 201)
    expect(await approve(approver, id), 201)
    const again = await signIn(service, { email: team.approver.email })
    expect(await approve(again, id), 201)
    expect(await release(again, id), 403, 'second_person_needed')
    expect(await preparer.put(`/v3/approval/${id}`, { amount: 12 }), 200)
    expect(await release(admin, id), 403, 'second_person_needed')
    expect(await approve(approver, id), 201)
    expect(await release(admin, id), 200)
    expect(await approve(approver, id), 400, 'approval_not_open')
    const own = await prepare(admin)
    expect(await approve(admin, own), 403, 'second_person_needed')
    expect(await release(admin, own), 403, 'second_person_needed')
    for (const by of [approver, team.owner]) expect(await approve(by, own), 201)
    expect(await release(admin, own), 403, 'second_person_needed') // although enough people approved
    expect(await release(approver, own), 200)
  })

  test('does not count the approval of a member who may no longer release, nor two approvals of one owner', async () => {
    const id = await prepare(preparer)
    const former = await newMember(service, team.id, 'approver')
    expect(await approve(former.browser, id), 201)
    await deps.sql`update members set role = 'viewer' where login_id = ${former.loginId}`
    expect(await release(admin, id), 403, 'second_person_needed')
    expect(await approve(team.api, id), 201) // a key that no member created
    expect(await release(team.owner, id), 403, 'second_person_needed')
    expect(await release(admin, id), 200)
    expect(await put(owner, []), 200)
  })

  test('is checked against the policy at the time of its release', async () => {
    const id = await prepare(admin)
    expect(await put(team.owner, [RULE]), 200)
    expect(await release(admin, id), 403, 'second_person_needed')
    expect(await put(owner, []), 200)
    expect(await release(admin, id), 200)
  })
})

suite('one of two approvals no longer counts after', () => {
  const item = async (by: Client, id: string) =>
    (await by.get('/web/v1/approvals')).body.approvals.find((each: { id: string }) => each.id === id)
  const bankOf = () => ({ routing: '021000021', account: newAccountNumber(), type: 'CHECKING' })
  const several = (recipients: string[]) => ({
    amount: 10,
    recipients: recipients.map((recipient) => ({ name: 'Payee', recipient })),
  })

  async function newPayee() {
    const payee = await service.newUser(undefined, team.api)
    return { payee, bank: await addBank(payee) }
  }

  async function newEntry() {
    const { id } = expect(await owner.post('/v3/directory', { name: 'Vendor', email: 'v@example.com' }), 201).body
    const account = async () => expect(await owner.post(`/v3/directory/${id}/account/bank`, bankOf()), 201).body.id
    return { id, account, recipient: { id, account: await account() } }
  }

  type Prepared = { path?: string; body: object; change: () => Promise<Answer>; code?: string }
  const cases: Record<string, () => Promise<Prepared>> = {
    'the payee adds a bank': async () => {
      const { payee } = await newPayee()
      return { body: order({ recipient: payee.userId }), change: () => payee.post('/v3/bank', bankOf()) }
    },
    'the payee adds a card': async () => {
      const { payee } = await newPayee()
      const card = { card_number: '4242424242424242', expiration_date: '2099-12' }
      return { body: order({ recipient: payee.userId }), change: () => payee.post('/v3/account/card', card) }
    },
    'the payee swaps the bank that is paid into': async () => {
      const { payee, bank } = await newPayee()
      const change = async () => {
        await addBank(payee)
        return payee.del(`/v3/bank/${bank}`)
      }
      return { body: order({ recipient: { id: payee.userId, account: bank } }), change, code: 'bank_not_found' }
    },
    'a saved payee is edited': async () => {
      const { id, recipient } = await newEntry()
      const change = () => owner.put(`/v3/directory/${id}`, { name: 'Vendor', email: 'mallory@example.com' })
      return { body: order({ recipient }), change }
    },
    'a saved payee gets another account': async () => {
      const { id, recipient } = await newEntry()
      return { body: order({ recipient }), change: () => owner.post(`/v3/directory/${id}/account/bank`, bankOf()) }
    },
    'the account of a saved payee is replaced': async () => {
      const { id, recipient, account } = await newEntry()
      const change = async () => {
        await account()
        return owner.del(`/v3/directory/${id}/account/${recipient.account}`)
      }
      return { body: order({ recipient }), change, code: 'recipient_not_found' }
    },
    'one of several payees adds a bank': async () => {
      const [{ payee }, { payee: other }] = [await newPayee(), await newPayee()]
      const body = several([other.userId, payee.userId])
      return { path: 'approval/multi', body, change: () => payee.post('/v3/bank', bankOf()) }
    },
    'a user takes the address of one of several payees': async () => {
      const { payee } = await newPayee()
      const body = several([payee.userId, 'several@acme.example'])
      const change = () => team.api.post('/v3/user', { user_id: 'several@acme.example', name: 'Mallory' })
      return { path: 'approval/multi', body, change, code: 'approval_payee_changed' }
    },
  }

  for (const [name, newCase] of Object.entries(cases)) {
    test(name, async () => {
      expect(await put(team.owner, [{ ...RULE, approvals: 2 }]), 200)
      const { path = 'approval/digital', body, change, code } = await newCase()
      const { id } = expect(await preparer.post(`/v3/${path}`, body), 201).body
      const url = `/v3/approval/${id}`
      const { version } = await item(admin, id)
      assert.equal((await admin.get(url)).headers.get('etag'), `"${version}"`)
      expect(await approver.post(`${url}/approve`, { version }), 201)
      assert.deepEqual((await item(admin, id)).approved_by, ['The approver'])
      const changed = await change()
      assert.ok(changed.status < 300, changed.text)
      if (code === 'approval_payee_changed') {
        expect(await release(admin, id), 400, code)
        return
      }
      const now = await item(admin, id)
      assert.deepEqual([now.approved_by, now.is_payee_changed, now.next], [[], true, 'approve'])
      assert.notEqual(now.version, version)
      expect(await admin.post('/v3/approval/release', { id, version }), 409, 'approval_changed')
      expect(await admin.post(`${url}/approve`, { version }), 409, 'approval_changed')
      expect(await preparer.put(url, { description: 'Rent', version }), 409, 'approval_changed')
      const seen = { id, version: now.version }
      expect(await admin.post('/v3/approval/release', seen), 403, 'second_person_needed')
      expect(await approver.post(`${url}/approve`, { version: now.version }), 201)
      assert.deepEqual((await item(admin, id)).is_payee_changed, false)
      const released = await admin.post('/v3/approval/release', seen)
      assert.equal(released.body.code, code, released.text)
    })
  }

  test('an edit, and refuses a release of the earlier version', async () => {
    const id = await prepare(preparer)
    const { version } = await item(admin, id)
    expect(await approver.post(`/v3/approval/${id}/approve`, { version }), 201)
    expect(await preparer.put(`/v3/approval/${id}`, { amount: 9_999, version }), 200)
    for (const by of [admin, approver]) {
      expect(await by.post('/v3/approval/release', { id, version }), 409, 'approval_changed')
      expect(await by.post(`/v3/approval/${id}/approve`, { version }), 409, 'approval_changed')
    }
    expect(await preparer.put(`/v3/approval/${id}`, { amount: 10, version }), 409, 'approval_changed')
    assert.deepEqual((await item(admin, id)).amount, 9_999)
    expect(await put(owner, []), 200)
    expect(await admin.post('/v3/approval/release', { id, version: (await item(admin, id)).version }), 200)
    expect(await admin.post('/v3/approval/release', { id, version }), 400, 'approval_not_open')
  })
})

suite('the end of a prepared payment', () => {
  const reject = (by: Client, id: string, reason = 'Paid already') => by.post(`/v3/approval/${id}/reject`, { reason })
  const mailTo = async (email: string) => {
    const mail = (await getMails(deps)).find(({ to }) => to === email)
    assert.ok(mail)
    return mail
  }

  test('can be a rejection with a reason, by members who may release', async () => {
    const [id, released] = [await prepare(preparer), await prepare(preparer)]
    expect(await reject(preparer, id), 403, 'permission_denied')
    expect(await reject(approver, id, '  '), 400, 'invalid_request')
    expect(await reject(approver, id), 201)
    assert.equal((await owner.get(`/v3/approval/${id}`)).body.status, 'VOID')
    for (const again of [
      () => reject(admin, id),
      () => release(admin, id),
      () => admin.put(`/v3/approval/${id}`, {}),
    ]) {
      expect(await again(), 400, 'approval_not_open')
    }
    expect(await release(approver, released), 200)
    expect(await reject(admin, released), 400, 'approval_not_open')
    const [row] = await deps.sql`select outcome, ended_by, reason from approvals where id = ${id}`
    assert.deepEqual(row, { outcome: 'REJECTED', endedBy: team.approver.loginId, reason: 'Paid already' })
  })

  test('is mailed to its preparer, and a new approval is mailed to the members who can release it', async () => {
    const id = await prepare(preparer, { name: 'Vendor <b>', amount: 77 })
    for (const { email } of [team.approver, team.admin]) {
      const { subject, text, html } = await mailTo(email)
      assert.equal(subject, '$77.00 to Vendor <b> waits for approval on Remit sandbox')
      assert.match(text, /The preparer prepared a payment of \$77\.00 to Vendor <b>/)
      assert.match(html as string, /\$77\.00 to Vendor &#60;b&#62;/)
    }
    expect(await reject(approver, id, 'Wrong <i>payee</i>'), 201)
    const { subject, text, html } = await mailTo(team.preparer.email)
    assert.equal(subject, '$77.00 to Vendor <b> was rejected on Remit sandbox')
    assert.match(text, /The approver rejected your payment .*\n\nReason: Wrong <i>payee<\/i>/)
    assert.match(html as string, /Reason: Wrong &#60;i&#62;payee/)
    const hostile = { name: 'Vendor\n\nApprove at once: \u202ehttps://evil.example', amount: 76 }
    await prepare(preparer, hostile)
    const { subject: oneLine, text: toApprover, html: shown } = await mailTo(team.approver.email)
    const { approvals } = (await approver.get('/web/v1/approvals')).body
    assert.equal(approvals.at(-1).name, 'Vendor Approve at once: https://evil.example')
    assert.equal(oneLine, '$76.00 to Vendor Approve at once: https://evil.example waits for approval on Remit sandbox')
    assert.match(toApprover, new RegExp(`\n\nReview the payment:\n${service.baseUrl}/approvals\n`))
    assert.match(shown as string, new RegExp(`<a href="${service.baseUrl}/approvals"`))
    expect(await release(approver, await prepare(preparer, { amount: 78 })), 200)
    assert.equal((await mailTo(team.preparer.email)).subject, '$78.00 to Vendor was released on Remit sandbox')
  })

  test('names the account of the payee that it is paid into, to distinguish it from one that the payee chooses', async () => {
    const other = await newTeam()
    const entry = expect(
      await other.owner.post('/v3/directory', { name: 'Saved', email: 'saved@example.com' }),
      201,
    ).body
    const [number, ofUser] = [newAccountNumber(), newAccountNumber()]
    const bank = { account: number, routing: '021000021', type: 'CHECKING' }
    const card = { card_number: '4111111111111111', expiration_date: '2030-01' }
    const url = `/v3/directory/${entry.id}/account`
    const account = expect(await other.owner.post(`${url}/bank`, bank), 201).body.id
    const cardId = expect(await other.owner.post(`${url}/card`, card), 201).body.id
    const user = expect(await other.api.post('/v3/user', { user_id: 'ann', name: 'Ann' }), 201).body
    const own = await addBank(service.as(`${user.key}:${user.secret}`), ofUser)
    const wallet = await newWallet(other.api, 100)
    const to = (id: string, account: string) =>
      prepare(other.preparer.browser, { recipient: { id, account }, ...(account === cardId && { account: wallet }) })
    await to(entry.id, account)
    await to(entry.id, cardId)
    await to('ann', own)
    await to('ann', '0'.repeat(32))
    await prepare(other.preparer.browser)
    const { approvals } = (await other.approver.browser.get('/web/v1/approvals')).body
    assert.deepEqual(
      approvals.map(({ pays_into }: { pays_into: string | null }) => pays_into),
      [
        `account ending in ${number.slice(-4)}`,
        'card ending in 1111',
        `account ending in ${ofUser.slice(-4)}`,
        'an account of the payee',
        null,
      ],
    )
  })

  test('comes after 30 days', async () => {
    const other = await newTeam()
    const id = await prepare(other.preparer.browser)
    await deps.sql`update approvals set expires_at = ${service.clock.now()} where id = ${id}`
    await service.doDueWork()
    assert.equal((await other.owner.get(`/v3/approval/${id}`)).body.status, 'VOID')
    expect(await release(other.approver.browser, id), 400, 'approval_not_open')
    assert.equal((await mailTo(other.preparer.email)).subject, '$10.00 to Vendor has expired on Remit sandbox')
    const { audit } = (await other.owner.get('/v3/audit?q=approval_expired')).body
    assert.equal(audit.length, 1)
  })

  test('is listed among the ended approvals of the platform, with the member who ended it and its payment', async () => {
    const ids = [await prepare(preparer), await prepare(preparer, { name: 'Released' }), await prepare(preparer)]
    const [rejected, released, withdrawn] = ids as [string, string, string]
    service.clock.advance(1)
    expect(await reject(approver, rejected, 'Not ours'), 201)
    service.clock.advance(1)
    const payment = expect(await release(approver, released), 200).body
    service.clock.advance(1)
    expect(await preparer.del(`/v3/approval/${withdrawn}`), 200)
    const viewer = (await newMember(service, team.id, 'viewer')).browser
    const first = expect(await viewer.get('/web/v1/approvals/ended?per_page=10'), 200)
    const shown = first.body.approvals.slice(0, 3).map((each: Record<string, unknown>) => {
      const { id, outcome, reason, prepared_by, ended_by, payment_id } = each
      return [id, outcome, reason, prepared_by, ended_by, payment_id]
    })
    assert.deepEqual(shown, [
      [withdrawn, 'VOIDED', null, 'The preparer', 'The preparer', null],
      [released, 'RELEASED', null, 'The preparer', 'The approver', payment.id],
      [rejected, 'REJECTED', 'Not ours', 'The preparer', 'The approver', null],
    ])
    const seen: string[] = []
    for (let next: string | undefined = '/web/v1/approvals/ended?per_page=10'; next; ) {
      const { body, headers } = expect(await viewer.get(next), 200)
      seen.push(...body.approvals.map(({ id }: { id: string }) => id))
      const [, link] = /<([^>]*)>;\s*rel="?next"?/.exec(headers.get('link') ?? '') ?? []
      next = link?.slice(link.indexOf('/web/v1'))
    }
    const rows = await deps.sql`select 1 from approvals where platform_id = ${team.id} and status <> 'UNPAID'`
    assert.deepEqual([seen.length, new Set(seen).size], [rows.length, rows.length])
    const stranger = await newAccountHolder(service)
    assert.deepEqual((await stranger.browser.get('/web/v1/approvals/ended')).body.approvals, [])
  })

  test('happens once when a rejection and two releases arrive together', async () => {
    const id = await prepare(preparer)
    const answers = await Promise.all([release(approver, id), reject(admin, id), release(admin, id)])
    const isDone = ({ status }: Answer) => status < 300
    assert.equal(answers.filter(isDone).length, 1)
    for (const answer of answers.filter((each) => !isDone(each))) expect(answer, 400, 'approval_not_open')
    const payments =
      await deps.sql`select 1 from payments p join approvals a on a.platform_id = p.platform_id and a.payment_id = p.id where a.id = ${id}`
    assert.equal(payments.length, answers[1] && isDone(answers[1]) ? 0 : 1)
  })

  test('shows on the payment who prepared it and who released it', async () => {
    const id = await prepare(preparer)
    const payment = expect(await release(approver, id), 200).body
    const [row] = await deps.sql`select prepared_by, released_by from payments where id = ${payment.id}`
    assert.deepEqual(row, { preparedBy: team.preparer.loginId, releasedBy: team.approver.loginId })
    const details = (await team.owner.get(`/v3/payment/${payment.id}`)).body
    assert.deepEqual([details.prepared_by, details.released_by], ['The preparer', 'The approver'])
  })
})
