import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSync } from 'otplib'
import { updateTwoFactorRule } from '../src/people/auth/team/member-store.ts'
import { type Browser, openBrowser, signIn } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { lastMail, newEmail } from './support/login.ts'
import { assertAccessible, enterTabAs, openTab, preloadAxe } from './support/pages.ts'
import { PASSWORD, startTestService } from './support/service.ts'
import { inviteByMail, newMember } from './support/team.ts'

// The pages of a team in a real browser.

const service = await startTestService({ after })
const openContext = await startChromium({ after })
const { context, page, complaints, settle, intercept } = await openTab(openContext, { baseURL: service.baseUrl })
await preloadAxe(context)

const button = (name: string) => page.getByRole('button', { name, exact: true })
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()

async function enterAs(browser: Browser | null): Promise<void> {
  await enterTabAs(page, browser, service.baseUrl)
}

async function newBoss(name: string) {
  const owner = await service.newOwner(name)
  return { ...owner, browser: await signIn(service, owner) }
}

test('an owner invites a person, who joins by the link in the mail; then the role is changed, and the person is removed', async () => {
  const boss = await newBoss('Acme')
  await enterAs(boss.browser)
  const email = newEmail()
  await page.goto('/settings/team')
  await button('Invite person').click()
  const dialog = page.getByRole('dialog', { name: 'Invite a person' })
  await dialog.getByLabel('Email').fill('not an address')
  await page.keyboard.press('Enter')
  await dialog.getByText('must be an email address').waitFor()
  await dialog.getByLabel('Email').fill(email)
  await dialog.getByRole('radio', { name: 'Approver' }).check()
  await button('Send invitation').click()
  await page.getByText(`Invitation sent to ${email}`).waitFor()
  await page.getByRole('row', { name: new RegExp(`${email}.*Approver`) }).waitFor()

  const { text } = await lastMail(openBrowser(service), email)
  const [address] = /http\S+\/invitation\/\w{40}/.exec(text) ?? []
  assert.ok(address, text)
  service.secrets.add(address.slice(-40))
  await enterAs(null)
  await page.goto(address)
  await heading('Join Acme')
  await page.getByText('Approvers approve or reject payments').waitFor()
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await heading('Home') // the first page that an approver can open
  assert.deepEqual(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents(), [
    'Home',
    'Payments',
    'Bulk',
    'Invoices',
    'Recurring',
    'Approvals',
    'Payees',
    'Accounts',
    'Users',
    'Audit trail',
    'Approval policy',
    'Profile',
    'Security',
  ])
  await page.goto('/settings/team')
  await page.getByRole('heading', { level: 2, name: 'Your role doesn’t include this page' }).waitFor()
  await page.goto(address)
  await heading('This invitation doesn’t work anymore')

  await enterAs(boss.browser)
  await page.goto('/settings/team')
  await button('Change role of Grace Hopper').click()
  await page.getByRole('radio', { name: 'Admin' }).check()
  await button('Save').click()
  await page.getByRole('row', { name: /Grace Hopper.*Admin/ }).waitFor()
  await button('Remove Grace Hopper').click()
  await page.getByText('is signed out right away').waitFor()
  await button('Remove').click()
  await page.getByText('Grace Hopper removed').waitFor()
  await page.getByRole('row', { name: /Grace Hopper/ }).waitFor({ state: 'detached' })
  assert.deepEqual(
    complaints.splice(0).filter((complaint) => !/status of 40[04]/.test(complaint)),
    [],
  )
})

test('the API keys of a removed member are listed and revoked', async () => {
  const boss = await newBoss('Globex')
  const admin = await newMember(service, boss.id, 'admin', { name: 'Ada' })
  await admin.browser.post('/v3/user/api_key', { name: 'Payroll' })
  const customer = (await admin.browser.post('/v3/user', { user_id: 'initech', name: 'Initech' })).body
  await enterAs(boss.browser)
  await page.goto('/settings/team')
  await button('Remove Ada').click()
  await page.getByRole('dialog', { name: 'Remove Ada?' }).getByText('Payroll').waitFor()
  await button('Remove').click()
  const dialog = page.getByRole('dialog', { name: 'Revoke API keys?' })
  await dialog.getByText('Payroll').waitFor()
  await dialog.getByText(/Key \w{8}… of Initech/).waitFor()
  await assertAccessible({ page, settle }, 'keys of a removed member')
  await button('Revoke all').click()
  await page.getByText('API keys revoked').waitFor()
  const { api_keys } = (await boss.browser.get('/web/v1/api-keys')).body
  assert.ok(!api_keys.some(({ name }: { name: string }) => name === 'Payroll'))
  assert.equal((await service.as(`${customer.key}:${customer.secret}`).get('/v3/user')).status, 401)
})

test('a change after ten minutes asks for the password and continues, by keyboard alone', async () => {
  const boss = await newBoss('Initech')
  await service.deps.sql`update sessions set created_at = now() - interval '11 minutes' where platform_id = ${boss.id}`
  await enterAs(boss.browser)
  await page.goto('/settings/team')
  await button('Invite person').press('Enter')
  const invitation = page.getByRole('dialog', { name: 'Invite a person' })
  await invitation.getByLabel('Email').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('carl@example.com')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowUp') // from Viewer to Developer
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Confirm it’s you' }).getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('row', { name: /carl@example\.com.*Developer/ }).waitFor()
  complaints.length = 0 // The refusal that asked for the password.
})

test('a person switches platforms in the menu, and a tab of the other platform leaves its page', async () => {
  const [first, second] = [await newBoss('Hooli'), await newBoss('Pied Piper')]
  const token = await inviteByMail(service, second.browser, { email: first.email, role: 'viewer' })
  await enterAs(first.browser)
  await page.goto(`/invitation/${token}`)
  await button('Join Pied Piper').click()
  await heading('Home')
  const stale = await context.newPage()
  await stale.goto('/settings/profile')
  await stale.getByRole('heading', { level: 1, name: 'Profile' }).waitFor()
  await page.getByRole('banner').getByRole('button', { name: /Hooli/ }).click()
  await page.getByRole('menuitem', { name: /^Hooli/ }).click()
  await page.getByRole('banner').getByText('Pied Piper').waitFor({ state: 'detached' }) // the session has switched
  await heading('Home')
  await stale.getByRole('link', { name: 'Audit trail' }).click()
  await stale.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  await stale.close()
  complaints.length = 0
})

test('a person without a second factor sets it up on a platform that requires it, and continues', async () => {
  const boss = await newBoss('Strict')
  const member = await newMember(service, boss.id, 'viewer', { name: 'Mary' })
  await updateTwoFactorRule(service.deps.sql as never, boss.id, true)
  await enterAs(member.browser)
  await page.goto('/settings/audit')
  await heading('Set up two-factor sign-in')
  assert.deepEqual(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents(), [
    'Security',
  ])
  await button('Turn on').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill(PASSWORD)
  await page.keyboard.press('Enter')
  const secret = (await dialog.locator('code').first().textContent())?.trim() as string
  service.secrets.add(secret)
  await dialog.getByLabel('Code').fill(generateSync({ secret }))
  await page.keyboard.press('Enter')
  await dialog.getByText('recovery codes').first().waitFor()
  await page.keyboard.press('Escape')
  await heading('Audit trail')
  complaints.length = 0
})

test('a team that cannot be loaded shows an error, and is loaded again on request', async () => {
  const boss = await newBoss('Umbrella')
  await enterAs(boss.browser)
  const stop = await intercept('**/web/v1/team', (route) =>
    route.fulfill({ status: 500, json: { code: 'internal_error', message: 'Something broke.' } }),
  )
  await page.goto('/settings/team')
  await page.getByText('Something broke.').waitFor()
  await assertAccessible({ page, settle }, 'team that cannot be loaded')
  await stop()
  await button('Try again').click()
  await page.getByRole('row', { name: /Umbrella/ }).waitFor()
  complaints.length = 0
})

test('no team page scrolls horizontally on the narrowest phone', async () => {
  const boss = await newBoss('Wayne Enterprises International')
  await newMember(service, boss.id, 'developer', { name: 'Bartholomew Featherstonehaugh' })
  const token = await inviteByMail(service, boss.browser, {
    email: 'a.very.long.address.of.somebody@accounting.example.com',
    role: 'preparer',
  })
  const invited = await newBoss('A company with a rather long name')
  const known = await inviteByMail(service, boss.browser, { email: invited.email, role: 'viewer' })
  await page.setViewportSize({ width: 320, height: 640 })
  for (const [path, reader] of [
    ['/settings/team', boss.browser],
    ['/settings/security', boss.browser],
    [`/invitation/${token}`, null],
    [`/invitation/${token}`, boss.browser],
    [`/invitation/${known}`, null],
    [`/invitation/${known}`, invited.browser],
  ] as const) {
    await enterAs(reader)
    await page.goto(path)
    await heading(/./)
    await settle()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320, path)
  }
})

/** The menu of each role, as docs/adr/0023-people.md lists its permissions. */
const money = ['Home', 'Payments', 'Bulk', 'Invoices', 'Recurring', 'Approvals', 'Payees', 'Accounts', 'Users']
const developers = ['API keys', 'Webhooks', 'Events', 'Requests', 'Applications']
const settings = ['Approval policy', 'Profile', 'Security']
const menus = {
  owner: ['Send payment', ...money, 'Team', 'Audit trail', ...developers, ...settings],
  admin: ['Send payment', ...money, 'Team', 'Audit trail', ...developers, ...settings],
  preparer: ['Send payment', ...money, ...settings],
  approver: [...money, 'Audit trail', ...settings],
  developer: [...money, 'Audit trail', ...developers, ...settings],
  viewer: [...money, 'Audit trail', ...settings],
} as const

test('each role has the menu of its permissions, and a URL that it cannot open shows the reason and the people who can help', async () => {
  const boss = await newBoss('Roles')
  const addresses = { 'Send payment': '/send', Team: '/settings/team', 'Audit trail': '/settings/audit' }
  await page.setViewportSize({ width: 1440, height: 900 })
  for (const [role, menu] of Object.entries(menus)) {
    const browser = role === 'owner' ? boss.browser : (await newMember(service, boss.id, role as 'viewer')).browser
    await enterAs(browser)
    await page.goto('/')
    await heading('Home')
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link').filter({ visible: true })
    assert.deepEqual(await links.allInnerTexts(), menu, role)
    for (const [name, address] of Object.entries({ ...addresses, 'API keys': '/settings/developer' })) {
      if ((menu as readonly string[]).includes(name)) continue
      await page.goto(address)
      await page.getByRole('heading', { name: 'Your role doesn’t include this page' }).waitFor()
      await page.getByText('To get it, ask an owner or an admin.').waitFor()
    }
  }
  complaints.length = 0
})
