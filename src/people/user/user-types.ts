import type { TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import type { UserKey } from './user-store.ts'

/** Functions of higher folders that changes of a user call (operation/app/removal.ts). */
export type UserHooks = {
  /** Returns the reason why the user must stay and be able to sign in, or null. */
  findBusyReason(deps: TxDeps, user: UserKey): Promise<string | null>
  /** Removes the accounts and other objects of the user. @throws ApiError user_busy if the user has money */
  removeBelongings(deps: TxDeps, user: UserKey): Promise<void>
  chooseBanks(deps: TxDeps, caller: Caller, chosen: { billing?: string; default?: string }): Promise<void>
  /** Refuses a caller who may not end dual control. @throws ApiError permission_denied, second_person_needed */
  requireMayEndDualControl(deps: TxDeps, caller: Caller): Promise<void>
  dropProposal(deps: TxDeps, caller: Caller): Promise<void>
}
