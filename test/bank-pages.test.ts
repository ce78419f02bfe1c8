import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { changeOperator } from '../src/people/auth/operator/operator-actions.ts'
import { achFolder, connection, connectionsOf, putInbound } from './support/ach.ts'
import { signIn } from './support/browser.ts'
import { startChromium } from './support/chromium.ts'
import { newPair, pay, startFileService } from './support/file-service.ts'
import { assertAccessible, enterTabAs, openTab, preloadAxe } from './support/pages.ts'

// The operator's page about banks: one bank works, and the folder of the other one cannot be used.

const folder = await achFolder({ after })
const broken = join(await mkdtemp(join(tmpdir(), 'remit-bank-')), 'folder')
after(() => rm(join(broken, '..'), { recursive: true, force: true }))
await writeFile(broken, 'not a folder')
const connections = connectionsOf([connection({ folder }), connection({ folder: broken, id: 'second' })])
const service = await startFileService({ after }, { connections })
const openContext = await startChromium({ after })
const { context, page, complaints, settle } = await openTab(openContext, { baseURL: service.baseUrl })
await preloadAxe(context)

test('an operator sees each connection with its files and cases; others have neither the menu item nor the answer', async () => {
  const pair = await newPair(service)
  await pay(pair, 12.34)
  await service.openWindow()
  await putInbound(folder, 'unknown.txt', 'not a file of a bank')
  await service.receive('unread.ach', 'neither is this')
  const owner = await service.newOwner('Acme')
  const browser = await signIn(service, owner)

  assert.equal((await browser.get('/web/v1/operator/connections')).body.code, 'permission_denied')
  await enterTabAs(page, browser, service.baseUrl)
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).waitFor()
  assert.equal(await page.getByRole('link', { name: 'Banks' }).count(), 0)

  await inTransaction(service.deps, (tx) => changeOperator(tx, { email: owner.email, isOperator: true }))
  await page.goto('/')
  await page.getByRole('link', { name: 'Banks' }).click()
  await page.getByRole('heading', { level: 1, name: 'Banks' }).waitFor()
  const first = page.getByRole('table', { name: 'Files of first today, newest first' })
  await first
    .getByRole('row', { name: /\.ach|-A/ })
    .first()
    .waitFor()
  await page.getByRole('heading', { level: 2, name: 'second' }).waitFor()
  const answer = (await browser.get('/web/v1/operator/connections')).body.connections
  assert.deepEqual(
    answer.map(({ id, rails, condition, contacted_at }: Record<string, unknown>) => [
      id,
      rails,
      condition,
      contacted_at !== null,
    ]),
    [
      ['first', ['ACH', 'MAIL', 'PRINT'], 'in_use', true],
      ['second', [], 'new', false],
    ],
  )
  assert.ok(answer[0].cases.length > 0, 'the unreadable file becomes a case')
  await page.getByText('In use', { exact: true }).waitFor()
  await page.getByText('Not used yet', { exact: true }).waitFor()
  await page.getByText(`remit exceptions show ${answer[0].cases[0].id}`).waitFor()
  await assertAccessible({ page, settle }, 'banks')
  assert.deepEqual(complaints, [])
})
