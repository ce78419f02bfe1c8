import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { generateSync } from 'otplib'
import { ROLES, type Role } from '../src/foundation/core/permission-rules.ts'
import { sweep } from '../src/operation/scheduler/sweep-table.ts'
import { type Browser, openBrowser, signedInAs, signIn } from './support/browser.ts'
import { fakeClock } from './support/clock.ts'
import { auditActions, lastMail, newEmail } from './support/login.ts'
import { obtainTokens, postForm, refreshForm, registerApplication, TOKEN_PATH } from './support/oauth.ts'
import { addVerifiedBank, PASSWORD, startTestService } from './support/service.ts'
import { inviteByMail, newMember } from './support/team.ts'

// The members of a platform: invitations, roles, removal, several platforms of one person (docs/adr/0023-people.md).

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { deps, newOwner } = service
const DAY = 24 * 3_600
const TEN_MINUTES = 600

async function newTeam() {
  const owner = await newOwner()
  return { ...owner, browser: await signIn(service, owner) }
}

const team = async (browser: Browser) => (await browser.get('/web/v1/team')).body
const invitations = async (browser: Browser) => (await browser.get('/web/v1/invitation')).body.invitations

const invite = (browser: Browser, email: string, role: Role) => inviteByMail(service, browser, { email, role })
const accept = (browser: Browser, body: object) => browser.post('/web/v1/invitation/accept', body)
const codeOf = (secret: string) => generateSync({ secret, epoch: Math.floor(realClock.now().getTime() / 1000) })

async function enroll(browser: Browser): Promise<string> {
  const { secret } = (await browser.post('/web/v1/two-factor', { password: PASSWORD })).body
  assert.equal((await browser.post('/web/v1/two-factor/confirm', { code: codeOf(secret) })).status, 201)
  return secret
}

suite('an invitation', () => {
  test('makes a new person with a password a member, who acts for the platform', async () => {
    const { browser, id, email: ownerEmail } = await newTeam()
    const email = newEmail()
    const token = await invite(browser, email, 'admin')
    const shown = (await openBrowser(service).post('/web/v1/invitation/read', { token })).body
    assert.deepEqual([shown.email, shown.role, shown.has_login, shown.signed_in_as], [email, 'admin', false, null])
    const theirs = openBrowser(service)
    const { status, body } = await accept(theirs, { token, name: 'Grace', password: PASSWORD })
    assert.deepEqual([status, body], [200, { second_factor: false }])
    const { owner } = (await theirs.get('/web/v1/context')).body
    assert.deepEqual([owner.id, owner.email, owner.name, owner.role], [id, email, 'Grace', 'admin'])
    assert.equal((await theirs.post('/v3/bank', {})).body.code, 'invalid_request', 'the role has the permission')
    assert.match((await lastMail(browser, ownerEmail)).subject, /^Grace joined /)
    assert.deepEqual(await invitations(browser), [])
    const member = (await team(browser)).members.find(({ role }: { role: Role }) => role === 'admin')
    assert.deepEqual([member.name, member.email, member.role, member.is_this], ['Grace', email, 'admin', false])
    await signIn(service, { email })
    const rows = await deps.sql<{ row: string }[]>`select i::text as row from invitations i`
    assert.ok(
      rows.every(({ row }) => !row.includes(token)),
      'the token is stored as a hash',
    )
  })

  test('makes an existing person a member, with the password and the second factor, or signed in', async () => {
    const { browser, id } = await newTeam()
    const other = await newTeam()
    const secret = await enroll(other.browser)
    const token = await invite(browser, other.email, 'viewer')
    assert.equal((await openBrowser(service).post('/web/v1/invitation/read', { token })).body.has_login, true)
    const fresh = openBrowser(service)
    assert.equal((await accept(fresh, { token, password: 'not the password' })).body.code, 'wrong_login')
    assert.deepEqual((await accept(fresh, { token, password: PASSWORD })).body, { second_factor: true })
    assert.equal(await signedInAs(fresh), null)
    realClock.advance(30)
    assert.equal((await accept(fresh, { token, password: PASSWORD, code: codeOf(secret) })).status, 200)
    assert.equal((await fresh.get('/web/v1/context')).body.owner.id, id)

    const third = await newTeam()
    const again = await invite(third.browser, other.email, 'developer')
    assert.equal((await accept(other.browser, { token: again })).status, 200)
    assert.equal((await other.browser.get('/web/v1/context')).body.owner.id, third.id)
  })

  test('works only for the invited address, once, and for seven days', async () => {
    const { browser } = await newTeam()
    const email = newEmail()
    const token = await invite(browser, email, 'viewer')
    const stranger = await newTeam()
    const refused = await accept(stranger.browser, { token })
    assert.deepEqual([refused.status, refused.body.code], [403, 'invitation_for_another'])
    for (const body of [{ token: 'x'.repeat(40) }, { token: 'x' }]) {
      assert.equal((await accept(openBrowser(service), body)).body.code, 'invitation_not_found')
    }
    for (const body of [{ token }, { token, password: PASSWORD }]) {
      assert.equal((await accept(openBrowser(service), body)).body.code, 'invalid_request')
    }
    const weak = await accept(openBrowser(service), { token, name: 'Ann', password: 'password1234' })
    assert.equal(weak.body.code, 'weak_password')
    realClock.advance(7 * DAY - 1)
    assert.equal((await accept(openBrowser(service), { token, name: 'Ann', password: PASSWORD })).status, 200)
    assert.equal((await accept(openBrowser(service), { token, password: PASSWORD })).body.code, 'invitation_not_found')

    const late = await newTeam()
    const expired = await invite(late.browser, newEmail(), 'viewer')
    realClock.advance(7 * DAY)
    const answer = await openBrowser(service).post('/web/v1/invitation/read', { token: expired })
    assert.deepEqual([answer.status, answer.body.code], [404, 'invitation_not_found'])
    assert.ok((await sweep(deps, 'sweep verifications')) > 0)
    assert.equal((await deps.sql`select 1 from invitations where expires_at <= ${realClock.now()}`).length, 0)
  })

  test('that is accepted ten times at once creates one member', async () => {
    const { browser } = await newTeam()
    const token = await invite(browser, newEmail(), 'viewer')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => accept(openBrowser(service), { token, name: 'Ann', password: PASSWORD })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await team(browser)).members.length, 2)
  })

  test('is replaced by a new one to the same address, and can be revoked', async () => {
    const { browser, email: ownerEmail } = await newTeam()
    const email = newEmail()
    const first = await invite(browser, email, 'viewer')
    const second = await invite(browser, email, 'approver')
    assert.equal((await openBrowser(service).post('/web/v1/invitation/read', { token: first })).status, 404)
    const [open, ...others] = await invitations(browser)
    assert.deepEqual([open.email, open.role, others.length], [email, 'approver', 0])
    const foreign = await newTeam()
    assert.equal((await foreign.browser.del(`/web/v1/invitation/${open.id}`)).body.code, 'invitation_not_found')
    assert.equal((await browser.del(`/web/v1/invitation/${open.id}`)).status, 200)
    assert.equal((await accept(openBrowser(service), { token: second })).body.code, 'invitation_not_found')
    assert.equal(
      (await browser.post('/web/v1/invitation', { email: ownerEmail, role: 'viewer' })).body.code,
      'already_member',
    )
    const actions = await auditActions(service, ownerEmail)
    assert.deepEqual(actions.slice(1), ['member_invited', 'member_invited', 'invitation_revoked'])
  })

  test('is mailed to one address at most five times without a delay, from all senders together', async () => {
    const email = newEmail()
    const teams = [await newTeam(), await newTeam()]
    const codes: unknown[] = []
    for (let count = 0; count < 6; count++) {
      const { browser } = teams[count % 2] as (typeof teams)[number]
      const { status, body } = await browser.post('/web/v1/invitation', { email, role: 'viewer' })
      codes.push(body.code ?? status)
    }
    assert.deepEqual(codes, [201, 201, 201, 201, 201, 'too_many_tries'])
  })

  test('is refused above 200 members and open invitations', async () => {
    const { browser, id } = await newTeam()
    await deps.sql`update teams set member_count = 199 where platform_id = ${id}`
    const invited = newEmail()
    const token = await invite(browser, invited, 'viewer')
    const full = await browser.post('/web/v1/invitation', { email: newEmail(), role: 'viewer' })
    assert.deepEqual([full.status, full.body.code], [400, 'team_full'])
    await deps.sql`update teams set member_count = 200 where platform_id = ${id}`
    const late = await accept(openBrowser(service), { token, name: 'Ann', password: PASSWORD })
    assert.equal(late.body.code, 'team_full')
    assert.equal(
      (await deps.sql`select 1 from logins where email = ${invited}`).length,
      0,
      'no login without a platform',
    )
  })
})

suite('a role', () => {
  test('is changed at once, and the person gets a mail', async () => {
    const { browser, id, email: ownerEmail } = await newTeam()
    const member = await newMember(service, id, 'viewer')
    assert.equal((await member.browser.get('/web/v1/team')).body.code, 'permission_denied')
    assert.equal((await browser.put(`/web/v1/team/${member.loginId}`, { role: 'admin' })).status, 200)
    assert.equal((await member.browser.get('/web/v1/team')).status, 200)
    assert.match((await lastMail(browser, member.email)).text, /You are now an admin of/)
    assert.ok((await auditActions(service, ownerEmail)).includes('member_role_changed'))
  })

  test('of owner or admin is only given, changed and removed by owners', async () => {
    const { id, browser } = await newTeam()
    const admin = await newMember(service, id, 'admin')
    const other = await newMember(service, id, 'admin')
    const viewer = await newMember(service, id, 'viewer')
    const owners = (await team(browser)).members.filter(({ role }: { role: Role }) => role === 'owner')
    const refused = [
      () => admin.browser.put(`/web/v1/team/${viewer.loginId}`, { role: 'admin' }),
      () => admin.browser.put(`/web/v1/team/${other.loginId}`, { role: 'viewer' }),
      () => admin.browser.put(`/web/v1/team/${admin.loginId}`, { role: 'owner' }),
      () => admin.browser.del(`/web/v1/team/${other.loginId}`),
      () => admin.browser.del(`/web/v1/team/${owners[0].id}`),
      () => admin.browser.post('/web/v1/invitation', { email: newEmail(), role: 'admin' }),
      () => admin.browser.put('/web/v1/team/policy', { two_factor_required: true }),
    ]
    for (const request of refused) {
      const { status, body } = await request()
      assert.deepEqual([status, body.code], [403, 'permission_denied'])
    }
    const { roles } = await team(admin.browser)
    const given = roles
      .filter(({ may_give }: { may_give: boolean }) => may_give)
      .map(({ role }: { role: Role }) => role)
    assert.deepEqual(given, ROLES.slice(2))
    assert.equal((await admin.browser.put(`/web/v1/team/${viewer.loginId}`, { role: 'approver' })).status, 200)
    assert.equal((await admin.browser.del(`/web/v1/team/${viewer.loginId}`)).status, 200)
  })

  test('of an unknown member or one of another platform cannot be changed', async () => {
    const { browser } = await newTeam()
    const other = await newTeam()
    const foreign = (await team(other.browser)).members[0].id
    for (const id of [foreign, '0'.repeat(32)]) {
      assert.equal((await browser.put(`/web/v1/team/${id}`, { role: 'viewer' })).body.code, 'member_not_found')
      assert.equal((await browser.del(`/web/v1/team/${id}`)).body.code, 'member_not_found')
    }
  })

  test('that is lowered revokes the invitations that it could not have sent', async () => {
    const { browser, id } = await newTeam()
    const second = await newMember(service, id, 'owner')
    await invite(second.browser, newEmail(), 'admin')
    const kept = newEmail()
    await invite(second.browser, kept, 'viewer')
    await browser.put(`/web/v1/team/${second.loginId}`, { role: 'admin' })
    assert.deepEqual(
      (await invitations(browser)).map(({ email }: { email: string }) => email),
      [kept],
    )
    await browser.put(`/web/v1/team/${second.loginId}`, { role: 'viewer' })
    assert.deepEqual(await invitations(browser), [])
  })
})

suite('the last owner', () => {
  test('can neither leave nor get another role', async () => {
    const { browser, id } = await newTeam()
    await newMember(service, id, 'admin')
    const own = (await team(browser)).members.find(({ is_this }: { is_this: boolean }) => is_this)
    for (const request of [
      () => browser.post('/web/v1/team/leave'),
      () => browser.del(`/web/v1/team/${own.id}`),
      () => browser.put(`/web/v1/team/${own.id}`, { role: 'admin' }),
    ]) {
      const { status, body } = await request()
      assert.deepEqual([status, body.code], [400, 'last_owner'])
    }
  })

  test('stays when two owners leave at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const { browser, id } = await newTeam()
      const second = await newMember(service, id, 'owner')
      const answers = await Promise.all([browser, second.browser].map((each) => each.post('/web/v1/team/leave')))
      assert.deepEqual(answers.map(({ status, body }) => body.code ?? status).sort(), [201, 'last_owner'])
      const [row] = await deps.sql`
        select t.owner_count, (select count(*) from members m where m.platform_id = t.platform_id) as members
        from teams t
        where t.platform_id = ${id}
      `
      assert.deepEqual({ ...row }, { ownerCount: 1, members: 1 })
    }
  })

  test('is also protected by the database', async () => {
    const { id } = await newTeam()
    await assert.rejects(
      async () => deps.sql`update teams set owner_count = 0 where platform_id = ${id}`,
      /teams_last_owner/,
    )
  })
})

suite('a member who is removed', () => {
  test('loses sessions and invitations at once, and the member’s keys are listed', async () => {
    const { browser, id } = await newTeam()
    const admin = await newMember(service, id, 'admin')
    const elsewhere = await signIn(service, admin)
    const key = (await admin.browser.post('/v3/user/api_key', { name: 'Payroll' })).body
    const invited = newEmail()
    const token = await invite(admin.browser, invited, 'viewer')
    const listed = (await team(browser)).members.find(({ id: each }: { id: string }) => each === admin.loginId)
    assert.deepEqual(listed.api_keys, [{ id: key.id, name: 'Payroll' }])
    const removed = await browser.del(`/web/v1/team/${admin.loginId}`)
    assert.deepEqual([removed.status, removed.body], [200, { api_keys: [{ id: key.id, name: 'Payroll', user: null }] }])
    for (const each of [admin.browser, elsewhere]) assert.equal(await signedInAs(each), null)
    assert.equal((await openBrowser(service).post('/web/v1/invitation/read', { token })).status, 404)
    assert.match((await lastMail(browser, admin.email)).subject, /^You are no longer a member of /)
    assert.equal((await browser.del(`/v3/user/api_key/${key.id}`)).status, 204, 'the key can be revoked')
  })

  test('lists the user keys whose secret the member has seen, and an owner revokes them', async () => {
    const { browser, api, id } = await newTeam()
    const admin = await newMember(service, id, 'admin')
    const made = (await admin.browser.post('/v3/user', { user_id: 'globex', name: 'Globex' })).body
    const more = (await admin.browser.post(`/v3/user/${made.id}/api_key`, { name: 'Spare' })).body
    await api.post(`/v3/user/${made.id}/api_key`, { name: 'Of a program' })
    const { api_keys: left } = (await browser.del(`/web/v1/team/${admin.loginId}`)).body
    const user = { id: made.id, name: 'Globex' }
    const named = (key: { id: string }) => key.id
    assert.deepEqual(
      left.toSorted((a: { id: string }, b: { id: string }) => (named(a) < named(b) ? -1 : 1)),
      [
        { id: made.key, name: null, user },
        { id: more.id, name: 'Spare', user },
      ].toSorted((a, b) => (named(a) < named(b) ? -1 : 1)),
    )
    const spare = service.as(`${more.id}:${more.secret}`)
    assert.equal((await spare.get('/v3/user')).status, 200, 'the key belongs to the user')
    assert.equal((await browser.del(`/v3/user/${made.id}/api_key/${more.id}`)).status, 204)
    assert.equal((await spare.get('/v3/user')).status, 401)
    assert.equal((await browser.del(`/v3/user/${made.id}/api_key/${more.id}`)).body.code, 'api_key_not_found')
    const [entry] = (await api.get('/v3/audit?q=api_key_revoked')).body.audit
    assert.equal(entry.subject, `${more.id} of user ${made.id}`)
  })

  test('loses the grants that the member gave to applications, and their tokens cannot be refreshed', async () => {
    const { browser, id } = await newTeam()
    const application = await registerApplication(browser)
    for (const leave of ['removed', 'left'] as const) {
      const admin = await newMember(service, id, 'admin')
      const tokens = await obtainTokens(service, admin.browser, application)
      const kept = await obtainTokens(service, browser, application)
      const asApplication = service.as(`Bearer ${tokens.access_token}`)
      assert.equal((await asApplication.get('/v3/bank')).status, 200)
      if (leave === 'left') await admin.browser.post('/web/v1/team/leave')
      else await browser.del(`/web/v1/team/${admin.loginId}`)
      assert.equal((await asApplication.get('/v3/bank')).body.code, 'invalid_token', leave)
      const refreshed = await postForm(service, TOKEN_PATH, refreshForm(application, tokens.refresh_token))
      assert.equal(refreshed.body.error, 'invalid_grant', leave)
      assert.equal((await service.as(`Bearer ${kept.access_token}`).get('/v3/bank')).status, 200, leave)
      const entries = await deps.sql`
        select 1 from audit_entries where platform_id = ${id} and action = 'grant_revoked' and subject = ${application.id}
      `
      assert.equal(entries.length, leave === 'removed' ? 1 : 2)
    }
  })

  test('keeps the login and the other platforms', async () => {
    const first = await newTeam()
    const second = await newTeam()
    const token = await invite(second.browser, first.email, 'viewer')
    await accept(first.browser, { token })
    const { members } = await team(second.browser)
    const member = members.find(({ email }: { email: string }) => email === first.email)
    assert.equal((await second.browser.del(`/web/v1/team/${member.id}`)).status, 200)
    assert.equal(await signedInAs(first.browser), null)
    const again = await signIn(service, first)
    assert.equal((await again.get('/web/v1/context')).body.owner.id, first.id)
  })
})

suite('a person with several platforms', () => {
  test('lists and switches them, signs in to the last one, and sees nothing of the others', async () => {
    const [first, second] = [await newTeam(), await newTeam()]
    await accept(first.browser, { token: await invite(second.browser, first.email, 'viewer') })
    const { platforms } = (await first.browser.get('/web/v1/platforms')).body
    const current = platforms.find(({ is_this }: { is_this: boolean }) => is_this)
    assert.deepEqual([platforms.length, current.id, current.role], [2, second.id, 'viewer'])
    realClock.advance(1)
    const enter = (platform: string) => first.browser.post('/web/v1/platforms/switch', { platform })
    assert.equal((await enter(first.id)).status, 201)
    const { owner } = (await first.browser.get('/web/v1/context')).body
    assert.deepEqual([owner.id, owner.role], [first.id, 'owner'])
    const third = await newTeam()
    for (const unknown of [third.id, '0'.repeat(32)]) {
      const { status, body } = await enter(unknown)
      assert.deepEqual([status, body.code], [404, 'platform_not_found'])
    }
    const again = await signIn(service, first)
    assert.equal((await again.get('/web/v1/context')).body.owner.id, first.id)
  })

  test('cannot act on a platform with a page that still shows another one', async () => {
    const [first, second] = [await newTeam(), await newTeam()]
    await accept(first.browser, { token: await invite(second.browser, first.email, 'admin') })
    const stale = await first.browser.post('/v3/user/api_key', {}, { 'remit-platform': first.id })
    assert.deepEqual([stale.status, stale.body.code], [409, 'platform_changed'])
    assert.equal((await first.browser.get('/v3/bank', { 'remit-platform': second.id })).status, 200)
  })

  test('changes the password without signing out other people', async () => {
    const { browser, id, email } = await newTeam()
    const member = await newMember(service, id, 'viewer')
    await browser.put('/web/v1/password', { current: PASSWORD, password: 'another good battery' })
    service.secrets.add('another good battery')
    assert.equal(await signedInAs(member.browser), member.email)
    assert.equal(await signedInAs(browser), email)
  })
})

suite('a payment to an email address', () => {
  test('reaches the platform by its first owner’s address, and never by that of another member', async () => {
    const sender = await newOwner()
    await addVerifiedBank(sender.api)
    const { browser, id, email } = await newTeam()
    const second = await newMember(service, id, 'owner')
    const viewer = await newMember(service, id, 'viewer')
    const pay = async (recipient: string) => {
      const { body, text } = await sender.api.post('/v3/check/digital', { amount: 1, name: 'Payee', recipient })
      const [row] = await deps.sql<{ recipientId: string | null }[]>`
        select recipient_id from payments where platform_id = ${sender.id} and id = ${body.id}
      `
      assert.ok(row, text)
      return row.recipientId
    }
    assert.equal(await pay(email), id)
    for (const other of [second, viewer]) assert.equal(await pay(other.email), null)
    assert.equal((await browser.post('/web/v1/team/leave')).status, 201)
    assert.equal(await pay(second.email), id, 'the next owner')
    assert.equal(await pay(email), null)
  })
})

suite('authentication within ten minutes', () => {
  test('is required for changes of the team, with the second factor if it is on', async () => {
    const { browser, id } = await newTeam()
    const secret = await enroll(browser)
    const { loginId } = await newMember(service, id, 'viewer')
    const changes = () => [
      browser.post('/web/v1/invitation', { email: newEmail(), role: 'viewer' }),
      browser.put(`/web/v1/team/${loginId}`, { role: 'approver' }),
      browser.put('/web/v1/team/policy', { two_factor_required: false }),
      browser.del(`/v3/user/api_key/${'0'.repeat(32)}`),
      browser.del(`/web/v1/team/${'0'.repeat(32)}`),
      browser.del(`/web/v1/invitation/${'0'.repeat(32)}`),
    ]
    realClock.advance(TEN_MINUTES + 1)
    for (const { body } of await Promise.all(changes())) assert.equal(body.code, 'confirmation_needed')
    const password = await browser.post('/web/v1/step-up', { password: PASSWORD })
    assert.deepEqual([password.status, Object.keys(password.body.errors)], [400, ['code']])
    assert.equal((await browser.post('/web/v1/step-up', { code: codeOf(secret) })).status, 201)
    for (const { body } of await Promise.all(changes())) assert.notEqual(body?.code, 'confirmation_needed')
  })

  test('is not renewed when a signed-in person accepts an invitation', async () => {
    const [first, second] = [await newTeam(), await newTeam()]
    const token = await invite(second.browser, first.email, 'admin')
    realClock.advance(TEN_MINUTES + 1)
    assert.equal((await accept(first.browser, { token })).status, 200)
    for (const platform of [second.id, first.id]) {
      await first.browser.post('/web/v1/platforms/switch', { platform })
      const { body } = await first.browser.post('/v3/user/api_key', {})
      assert.equal(body.code, 'confirmation_needed')
    }
  })
})

suite('the two-factor rule', () => {
  test('lets members without a second factor only set one up', async () => {
    const { browser, id, email } = await newTeam()
    const member = await newMember(service, id, 'admin')
    const early = await browser.put('/web/v1/team/policy', { two_factor_required: true })
    assert.deepEqual([early.status, early.body.code], [400, 'two_factor_is_off'], 'the owner has none')
    await enroll(browser)
    assert.equal((await browser.put('/web/v1/team/policy', { two_factor_required: true })).status, 200)
    assert.equal((await team(browser)).two_factor_required, true)
    assert.equal((await member.browser.get('/v3/bank')).body.code, 'two_factor_required')
    assert.equal((await member.browser.get('/web/v1/context')).body.owner.must_enroll, true)
    await enroll(member.browser)
    assert.equal((await member.browser.get('/v3/bank')).status, 200)
    assert.equal((await member.browser.get('/web/v1/context')).body.owner.must_enroll, false)
    assert.ok((await auditActions(service, email)).includes('two_factor_rule_on'))
  })
})
