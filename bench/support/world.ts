import { EVERY_PERMISSION } from '../../src/foundation/core/permission-rules.ts'
import type { Deps } from '../../src/foundation/db/deps.ts'
import { inTransaction } from '../../src/foundation/db/transaction.ts'
import type { Caller } from '../../src/foundation/http/caller.ts'
import { addBank } from '../../src/money/bank/bank-actions.ts'
import { updateBankStatus } from '../../src/money/bank/bank-store.ts'
import { post } from '../../src/money/ledger/ledger-actions.ts'
import { createWallet } from '../../src/money/wallet/wallet-actions.ts'
import { createOwner } from '../../src/people/auth/owner/owner-actions.ts'
import { changeLimits, decideUser } from '../../src/people/user/operator-actions.ts'
import { createUser } from '../../src/people/user/user-actions.ts'

/** A user who can send: VERIFIED, with a VERIFIED bank, a funded wallet and limits. */
export type BenchUser = { id: string; userId: string; authorization: string; bankId: string; walletId: string }

export type World = { platformId: string; email: string; authorization: string; webhookKey: string; users: BenchUser[] }

/** The password of each owner. */
export const PASSWORD = 'a long password of a benchmark'

/** Limits that are checked but too high to refuse a payment. */
const OWN_LIMITS = { paymentCents: 1_000_000, dayCents: 1e12, monthCents: 1e12 }
const WALLET_CENTS = 100_000_000_00
const AT_ONCE = 8

/** Creates an owner and the users of its platform. */
export async function makeWorld(deps: Deps, { name, userCount }: { name: string; userCount: number }): Promise<World> {
  const email = `${name}@example.com`
  const { id, apiKey, webhookKey } = await inTransaction(deps, (tx) =>
    createOwner(tx, { email, password: PASSWORD, name }),
  )
  const users: BenchUser[] = []
  const rest = Array.from({ length: userCount }, (_, index) => index)
  const makeRest = async () => {
    for (let index = rest.shift(); index !== undefined; index = rest.shift()) {
      users[index] = await makeUser(deps, { platformId: id, userId: `${name}-${index}` })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, makeRest))
  return { platformId: id, email, authorization: `${apiKey.key}:${apiKey.secret}`, webhookKey, users }
}

let accountCount = 10_000_000_000

function makeUser(deps: Deps, { platformId, userId }: { platformId: string; userId: string }): Promise<BenchUser> {
  return inTransaction(deps, async (tx) => {
    const { id, apiKey } = await createUser(tx, { platformId, externalId: userId, name: `Name of ${userId}` })
    const user = { platformId, userId: id }
    await decideUser(tx, user, 'verify')
    await changeLimits(tx, user, OWN_LIMITS)
    const account = String(++accountCount)
    const bank = await addBank(
      tx,
      { ...user, credential: { kind: 'service' }, origin: null },
      { routing: '021000021', account, type: 'CHECKING', name: null },
    )
    const verified = { from: ['DEPOSIT_ONLY'], to: 'VERIFIED', microDepositsSealed: null, lapsesAt: null } as const
    await updateBankStatus(tx.sql, { platformId, id: bank.id }, verified)
    const wallet = await createWallet(tx, callerOf(user), { name: 'Cash', type: 'INTERNAL' })
    const money = { cents: WALLET_CENTS, recipientWallet: wallet.id }
    await post(tx, { platformId, paymentId: null }, 'fund', money)
    return { id, userId, authorization: `${apiKey.key}:${apiKey.secret}`, bankId: bank.id, walletId: wallet.id }
  })
}

const callerOf = (user: { platformId: string; userId: string }): Caller => ({
  ...user,
  isOwner: false,
  permissions: EVERY_PERMISSION,
  credential: { kind: 'api_key', id: '0'.repeat(32) },
  origin: { address: '127.0.0.1', userAgent: null },
})
