import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import type { Connection, ProcessorContract } from '../../src/foundation/core/connections.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import { post } from '../../src/money/ledger/ledger-actions.ts'
import { payByProcessors } from '../../src/money/payout/payout-worker.ts'
import { payoutHooks } from '../../src/operation/scheduler/leg-handlers.ts'
import { achFolder, connection, connectionsOf, fileSettings } from './ach.ts'
import type { Api } from './api.ts'
import { fakeClock } from './clock.ts'
import { newWallet } from './money.ts'
import { sendPayment } from './payments.ts'
import { webhookBodies } from './rows.ts'
import { startTestService, type TestUser } from './service.ts'

type Lifetime = { after(end: () => Promise<void>): void }

export type Rail = 'INSTANT' | 'INTERAC' | 'PAYPAL' | 'VENMO'

/** Production with connections to processors, of which the first carries `rails`. Its bank has an exchange folder. */
export async function startProcessorService(
  t: Lifetime,
  { processors, rails }: { processors: readonly [Connection, ...Connection[]]; rails: readonly Rail[] },
) {
  const realClock = fakeClock(new Date().toISOString())
  const folder = await achFolder(t)
  const carried = Object.fromEntries(rails.map((rail) => [rail, processors[0].id]))
  const service = await startTestService(t, {
    environment: 'production',
    settings: { ...fileSettings, stateFolder: folder },
    connections: connectionsOf([connection({ folder }), ...processors], { ACH: 'first', ...carried }),
    realClock,
    verifiesBooks: true,
  })
  const { deps, clock, newUser } = service
  /** Runs every connection until nothing is due, regardless of earlier failures. */
  const pass = async () => {
    while ((await payByProcessors({ ...deps, failures: new Map() }, payoutHooks)) > 0);
  }
  const later = async (seconds: number) => {
    clock.advance(seconds)
    realClock.advance(seconds)
    await pass()
  }
  /** A sender with a wallet of $1,000, and a recipient. @param owner of another platform */
  const newParties = async (owner?: Api) => {
    const [sender, recipient] = [await newUser(undefined, owner), await newUser(undefined, owner)]
    const wallet = await newWallet(sender, 0)
    await inTransaction(deps, async (tx) => {
      const [row] = await tx.sql<{ platformId: string }[]>`select platform_id from wallets where id = ${wallet}`
      const subject = { platformId: row?.platformId as string, paymentId: null }
      await post(tx, subject, 'fund', { cents: 100_000, recipientWallet: wallet })
    })
    const add = async (kind: string, body: object): Promise<string> => {
      const { status, text, body: added } = await recipient.post(`/v3/account/${kind}`, body)
      assert.equal(status, 201, text)
      return added.id
    }
    const pay = async (account: string, amount = 12.5): Promise<string> =>
      (await sendPayment(sender, { amount, account: wallet, recipient: { id: recipient.userId, account } })).id
    return { sender, recipient, wallet, add, pay }
  }
  const { sender, recipient, wallet, add, pay } = await newParties()
  const statusOf = async (id: string): Promise<string> => (await sender.get(`/v3/check/${id}`)).body.status
  const statusesOf = async (id: string) =>
    (await webhookBodies(deps.sql, id)).map((body) => (body as { status: string }).status)
  /** The order of a payment: its reference and its state. */
  const orderOf = async (id: string) => {
    const [row] = await deps.sql<{ legId: string; status: string; leg: string; feeCents: number | null }[]>`
      select p.leg_id, p.status, l.status as leg, p.fee_cents
      from payouts p join legs l on l.platform_id = p.platform_id and l.id = p.leg_id
      where l.subject_id = ${id}
      order by p.created_at desc, p.leg_id desc
      limit 1
    `
    return row
  }
  const parties = { sender, recipient, wallet, add, pay }
  return { ...service, ...parties, realClock, pass, later, newParties, statusOf, statusesOf, orderOf }
}

export type ProcessorService = Awaited<ReturnType<typeof startProcessorService>>

/** The balance of the sender's wallet. */
export const walletOf = async ({ sender, wallet }: { sender: TestUser; wallet: string }): Promise<number> =>
  (await sender.get(`/v3/account/wallet/${wallet}`)).body.balance

/** Posts an event like an adapter, without the code of the service. */
export async function postEvent(
  { baseUrl, realClock }: { baseUrl: string; realClock: { now(): Date } },
  {
    connectionId = 'cards',
    body,
    key,
    id = 'event-1',
    skewSeconds = 0,
  }: { connectionId?: string; body: string; key: string; id?: string; skewSeconds?: number },
): Promise<number> {
  const timestamp = String(Math.floor(realClock.now().getTime() / 1000) + skewSeconds)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
  return (await fetch(`${baseUrl}/connections/${connectionId}/events`, { method: 'POST', headers, body })).status
}

/** The changes that a test makes to the contract with a processor. */
export type Terms = Partial<Pick<ProcessorContract, 'centsPerOrder' | 'centsPerDay' | 'caseAfterMs' | 'returnDays'>>
