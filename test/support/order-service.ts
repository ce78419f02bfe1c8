import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { makeExchangeFolders } from '../../src/connections/exchange/exchange-folder-actions.ts'
import { type Connection, type IsoContract, STATEMENT_NAMES } from '../../src/foundation/core/connections.ts'
import type { EnvironmentSettings } from '../../src/foundation/core/environment.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { getBankCases } from '../../src/foundation/exception/bank-case-actions.ts'
import { readAnswers, writeOrders } from '../../src/money/iso20022/order/order-worker.ts'
import { post } from '../../src/money/ledger/ledger-actions.ts'
import { matchBankStatements, readBankStatements } from '../../src/money/reconciliation/statement-worker.ts'
import { exceptionCommand } from '../../src/operation/cli/exception-commands.ts'
import { legHandlers, orderHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { achFolder, connection, connectionsOf, exchange, putInbound, upload } from './ach.ts'
import type { Api } from './api.ts'
import { DAY, type FileService, pay, startFileService } from './file-service.ts'
import { isoContract } from './iso-contract.ts'
import { newWallet } from './money.ts'
import { type BankOrder, type BankRecall, readOrders, readRecall } from './order-bank.ts'
import { addBank } from './service.ts'
import { bai2Lines } from './statement-files.ts'

// Production with one bank that gets files of orders (pain.001) over an exchange folder.

export const DEBTOR = { routingNumber: '091000019', accountNumber: '4400112233' }

export const rails = (id: string) => ({ ACH: id, RTP: id, WIRE: id, SWIFT: id })

export const withOrders = (one: Connection, iso: Partial<IsoContract> = {}): Connection => ({
  ...one,
  accounts: [...one.accounts, { ...DEBTOR, id: 'operating', type: 'checking', currency: 'USD' }],
  iso20022: isoContract(iso),
  statements: { format: null, names: STATEMENT_NAMES, csv: null, rules: [] },
})

export async function fund({ deps }: FileService, { account, cents }: { account: string; cents: number }) {
  await inTransaction(deps, async (tx) => {
    const [wallet] = await tx.sql<{ platformId: string }[]>`select platform_id from wallets where id = ${account}`
    await post(tx, { platformId: wallet?.platformId as string, paymentId: null }, 'fund', {
      cents,
      recipientWallet: account,
    })
  })
}

/** A sender with a wallet, and a recipient with a bank. @param owner of another platform */
export async function newParties(service: FileService, owner?: Api) {
  const [sender, recipient] = [await service.newUser(undefined, owner), await service.newUser(undefined, owner)]
  const wallet = await newWallet(sender, 0)
  await fund(service, { account: wallet, cents: 100_000 })
  return { sender, recipient, wallet, account: await addBank(recipient) }
}

export type Parties = Awaited<ReturnType<typeof newParties>>

export const payByRtp = (parties: Parties, amount: number, more: object = {}) =>
  pay(parties, amount, { account: parties.wallet, deposit_options: ['RTP'], name: 'Łucja Ørsted', ...more })

/** A bank with an exchange folder. */
export async function startOrders(
  t: TestContext,
  iso: Partial<IsoContract> = {},
  settings: Partial<EnvironmentSettings> = {},
  carried: Partial<ReturnType<typeof rails>> = rails('first'),
) {
  const folder = await achFolder(t)
  const connections = connectionsOf([withOrders(connection({ folder }), iso)], carried)
  const service = await startFileService(t, { connections, settings })
  await makeExchangeFolders(folder)
  const { deps } = service
  /** Moves all waiting files to the bank. @returns the orders that it has, of this and earlier messages */
  const send = async (): Promise<BankOrder[]> => {
    await writeOrders(deps, orderHooks)
    await exchange(deps)
    await upload(folder, /\.xml$/)
    await exchange(deps)
    const names = (await readdir(join(folder, 'outbound/sent'))).filter((name) => name.startsWith('orders-')).sort()
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'outbound/sent', name), 'utf8')))
    return texts.flatMap(readOrders)
  }
  /** The recall requests that the bank has. */
  const recalls = async (): Promise<BankRecall[]> => {
    await send()
    const names = (await readdir(join(folder, 'outbound/sent'))).filter((name) => name.startsWith('recall-')).sort()
    return Promise.all(
      names.map(async (name) => readRecall(await readFile(join(folder, 'outbound/sent', name), 'utf8'))),
    )
  }
  let answers = 0
  const answer = async (content: string) => {
    await putInbound(folder, `pain002-${++answers}.xml`, content)
    await readAnswers(deps, legHandlers)
    await exchange(deps)
  }
  return { service, folder, send, recalls, answer, parties: await newParties(service) }
}

type BookedLine = { cents: number; reference: string }

/** Writes the bank's statement of the next day with these lines. */
export async function book(
  { service: { deps, clock }, folder }: Pick<Awaited<ReturnType<typeof startOrders>>, 'service' | 'folder'>,
  lines: readonly BookedLine[],
  openingCents = 0,
): Promise<void> {
  clock.advance(DAY)
  const day = clock.now().toISOString().slice(0, 10)
  const booked = lines.map((line) => ({ ...line, code: line.cents < 0 ? '495' : '195', text: 'RTP' }))
  const statement = bai2Lines({ account: DEBTOR.accountNumber, openingCents, lines: booked, day })
  await putInbound(folder, `statement-${day}`, statement.join('\n'))
  await readBankStatements(deps)
  await matchBankStatements(deps, { legHandlers })
}

/** Applies the only case of a kind. */
export async function decide(
  { deps }: FileService,
  { kind, ...values }: { kind: string; code: string; trace?: string[] },
) {
  const [one] = (await getBankCases(deps)).filter((row) => row.kind === kind)
  await exceptionCommand({ note: 'by phone', ...values }, ['apply', one?.id ?? ''])(deps)
}

/** The kinds of the open cases. */
export const casesOf = async ({ deps }: Pick<FileService, 'deps'>) => (await getBankCases(deps)).map(({ kind }) => kind)
