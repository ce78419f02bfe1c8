import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Api } from '../../../../test/support/api.ts'
import { createTestDatabase } from '../../../../test/support/postgres.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { newPayee, newSender } from '../../../../test/support/webhooks.ts'
import { connect } from '../../../foundation/db/connect.ts'
import { createAccountKindsReader } from './prepare-actions.ts'

test('the kind of an account is read once, and looked for again while the account is unknown', async () => {
  const database = await createTestDatabase()
  const service = await startTestService({ after }, { databaseUrl: database.url })
  after(() => database.drop())
  const { api, id: platformId } = await service.newOwner()
  const sender = await newSender(service, api)
  const payee = await newPayee(service, api)
  const sql = connect(database.url, { max: 1, applicationName: 'test' })
  const readAccountKinds = createAccountKindsReader(sql)
  const known = { platformId, fundingId: null, destinationId: payee.bankId }
  const kinds = { funding: 'bank', destination: 'bank', isAbroad: false }
  const unknown = { ...known, destinationId: sender.id }
  assert.deepEqual(await readAccountKinds(known), kinds)
  assert.equal((await readAccountKinds(unknown)).destination, 'unknown')
  await sql.end()
  assert.deepEqual(await readAccountKinds(known), kinds)
  await assert.rejects(readAccountKinds(unknown))
  await assert.rejects(readAccountKinds({ ...known, platformId: sender.id }), 'another platform does not have it')
})

test('an account that was deleted after its kind was remembered is not paid into', async () => {
  const service = await startTestService({ after })
  const sender = await newSender(service)
  const payee = await newPayee(service)
  const withoutBank = await service.newUser()
  const deposit = (by: Api) =>
    by.post('/v3/check/digital', { amount: 10, name: 'Payee', recipient: { id: payee.userId, account: payee.bankId } })
  assert.equal((await deposit(withoutBank)).body.code, 'no_verified_bank')
  assert.equal((await payee.del(`/v3/bank/${payee.bankId}`)).status, 200)
  const refused = await deposit(sender)
  assert.deepEqual(
    [refused.status, refused.body.code, Object.keys(refused.body.errors)],
    [404, 'bank_not_found', ['recipient.account']],
  )
})
