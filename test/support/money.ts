import assert from 'node:assert/strict'
import { isClean, verifyLedger } from '../../src/money/ledger/verify-actions.ts'
import type { Api } from './api.ts'
import type { TestService } from './service.ts'

/** Creates a wallet with the given dollars. @returns its id */
export async function newWallet(user: Api, amount = 100): Promise<string> {
  const { body, status, text } = await user.post('/v3/account/wallet', { name: 'Cash' })
  if (status !== 201) throw new Error(`no wallet was made: ${text}`)
  if (amount > 0) await user.post(`/v3/sandbox/wallet/${body.id}/fund`, { amount })
  return body.id
}

/** The available dollars. */
export const balanceOf = async (user: Api, wallet: string): Promise<number> =>
  (await user.get(`/v3/account/wallet/${wallet}`)).body.balance

/** Checks that the ledgers of all platforms balance. */
export const assertLedger = ({ deps }: Pick<TestService, 'deps'>): Promise<void> => assertBooks(deps)

export async function assertBooks(deps: Parameters<typeof verifyLedger>[0]): Promise<void> {
  const verification = await verifyLedger(deps)
  assert.ok(isClean(verification), JSON.stringify(verification, null, 1))
}
