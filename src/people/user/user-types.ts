import type { TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import type { UserKey } from './user-store.ts'

/** Functions of higher folders that changes of a user call: see operation/app/removal.ts. */
export type UserHooks = {
  /** Why the user must stay and be able to sign in, or null. */
  findBusyReason(deps: TxDeps, user: UserKey): Promise<string | null>
  /** Removes everything that the user has. @throws ApiError user_busy when the user holds money */
  removeBelongings(deps: TxDeps, user: UserKey): Promise<void>
  chooseBanks(deps: TxDeps, caller: Caller, chosen: { billing?: string; default?: string }): Promise<void>
  /** @throws ApiError permission_denied, second_person_needed */
  requireMayEndDualControl(deps: TxDeps, caller: Caller): Promise<void>
  dropProposal(deps: TxDeps, caller: Caller): Promise<void>
}
