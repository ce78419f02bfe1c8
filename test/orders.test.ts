import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { makeExchangeFolders } from '../src/connections/exchange/exchange-folder-actions.ts'
import type { Connection, IsoContract } from '../src/foundation/core/connections.ts'
import { inTransaction } from '../src/foundation/db/transaction.ts'
import { getBankCases } from '../src/foundation/exception/bank-case-actions.ts'
import { readAnswers, writeOrders } from '../src/money/iso20022/order/order-worker.ts'
import { post } from '../src/money/ledger/ledger-actions.ts'
import { legHandlers, orderHooks } from '../src/operation/scheduler/leg-handlers.ts'
import { achFolder, connection, connectionsOf, exchange, putInbound, upload } from './support/ach.ts'
import { type FileService, legsOf, pay, startFileService, statusesOf, statusOf } from './support/file-service.ts'
import { sampleTerms } from './support/iso-messages.ts'
import { ISO_SCHEMAS, withoutSchemas } from './support/iso-schemas.ts'
import { newWallet } from './support/money.ts'
import { answerOrders, type BankOrder, readOrders } from './support/order-bank.ts'
import { addBank } from './support/service.ts'

// Production: real-time payments and wires as files of orders (pain.001), moved by the bank’s answers (pain.002) and nothing else.

const DEBTOR = { routingNumber: '091000019', accountNumber: '4400112233' }

const contract = (changes: Partial<IsoContract> = {}): IsoContract => ({
  terms: sampleTerms,
  account: 'operating',
  holder: { name: 'Example Payments Inc.', address: null },
  bic: 'FIRSUS33',
  cutOffs: { RTP: null, WIRE: '16:30', SWIFT: '14:00' },
  schemaFolder: withoutSchemas ? null : ISO_SCHEMAS,
  reportNames: ['*pain002*', '*camt029*'],
  answerHours: 24,
  ...changes,
})

const rails = (id: string) => ({ ACH: id, RTP: id, WIRE: id, SWIFT: id })

const withOrders = (one: Connection, iso: Partial<IsoContract> = {}): Connection => ({
  ...one,
  accounts: [...one.accounts, { ...DEBTOR, id: 'operating', type: 'checking', currency: 'USD' }],
  iso20022: contract(iso),
})

async function fund({ deps }: FileService, { account, cents }: { account: string; cents: number }) {
  await inTransaction(deps, async (tx) => {
    const [wallet] = await tx.sql<{ platformId: string }[]>`select platform_id from wallets where id = ${account}`
    await post(tx, { platformId: wallet?.platformId as string, paymentId: null }, 'fund', {
      cents,
      recipientWallet: account,
    })
  })
}

/** A sender with a wallet, and a recipient with a bank. */
async function newParties(service: FileService) {
  const [sender, recipient] = [await service.newUser(), await service.newUser()]
  const wallet = await newWallet(sender, 0)
  await fund(service, { account: wallet, cents: 100_000 })
  return { sender, recipient, wallet, account: await addBank(recipient) }
}

type Parties = Awaited<ReturnType<typeof newParties>>

const payByRtp = (parties: Parties, amount: number, more: object = {}) =>
  pay(parties, amount, { account: parties.wallet, deposit_options: ['RTP'], name: 'Łucja Ørsted', ...more })

/** A bank with an exchange folder. */
async function startOrders(t: TestContext, iso: Partial<IsoContract> = {}) {
  const folder = await achFolder(t)
  const connections = connectionsOf([withOrders(connection({ folder }), iso)], rails('first'))
  const service = await startFileService(t, { connections })
  await makeExchangeFolders(folder)
  const { deps } = service
  /** Everything that waits goes to the bank. @returns the orders that it has, of this and former messages */
  const send = async (): Promise<BankOrder[]> => {
    await writeOrders(deps, orderHooks)
    await exchange(deps)
    await upload(folder, /\.xml$/)
    await exchange(deps)
    const names = (await readdir(join(folder, 'outbound/sent'))).filter((name) => name.startsWith('orders-')).sort()
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'outbound/sent', name), 'utf8')))
    return texts.flatMap(readOrders)
  }
  let answers = 0
  const answer = async (content: string) => {
    await putInbound(folder, `pain002-${++answers}.xml`, content)
    await readAnswers(deps, legHandlers)
    await exchange(deps)
  }
  return { service, folder, send, answer, parties: await newParties(service) }
}

const casesOf = async ({ deps }: Pick<FileService, 'deps'>) => (await getBankCases(deps)).map(({ kind }) => kind)

suite('a real-time payment in production', () => {
  test('goes to the bank as one order, and is PAID when the bank says that it is settled, not before', async (t) => {
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
    assert.equal(await statusOf(parties.sender, id), 'IN_PROCESS', 'time is no evidence')
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
})
