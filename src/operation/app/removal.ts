import type { TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { type BankHooks, deleteBanksOfUser } from '../../money/bank/bank-actions.ts'
import { chooseBanks } from '../../money/bank/bank-choice-actions.ts'
import { deleteDestinationsOfUser } from '../../money/destination/destination-actions.ts'
import { deleteDirectoryOfUser } from '../../money/directory/directory-actions.ts'
import { forgetConfirmations } from '../../money/iav/iav-actions.ts'
import { requireEmptyCards } from '../../money/virtual-card/virtual-card-actions.ts'
import { deleteWalletsOfUser, type WalletHooks } from '../../money/wallet/wallet-actions.ts'
import { voidApprovalsOfMember, voidApprovalsOfUser } from '../../orders/approval/approval-actions.ts'
import { dropProposal, requireMayEndDualControl } from '../../orders/approval/approval-policy-actions.ts'
import { voidInvoicesOfUser } from '../../orders/invoice/invoice-actions.ts'
import { cancelSubscriptionsOfUser } from '../../orders/subscription/subscription-actions.ts'
import { cancelCheckbooksOfUser } from '../../payments/checkbook/checkbook-actions.ts'
import { closeMailboxesOfUser } from '../../payments/mailbox/mailbox-actions.ts'
import { hasPaymentInProcess } from '../../payments/payment/payment-store.ts'
import { findBusyReason } from '../../payments/payment/user-busy-actions.ts'
import { isFundingOpenPayment } from '../../payments/payment/user-busy-store.ts'
import type { MemberHooks } from '../../people/auth/team/team-actions.ts'
import { endMemberGrants } from '../../people/oauth/grant-actions.ts'
import { followStatus } from '../../people/user/user-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import type { UserHooks } from '../../people/user/user-types.ts'
import { setWebhookUrl } from '../../webhook/endpoint/webhook-actions.ts'

// Lists the work that belongs to the removal of a user, a member or an account. Lower folders get these functions as hooks.

type Removal<Given extends unknown[]> = (deps: TxDeps, ...given: Given) => Promise<unknown>

export const bankHooks: BankHooks = {
  isInUse: (tx, bank) => hasPaymentInProcess(tx.sql, { ...bank, bankId: bank.id }),
}

export const walletHooks: WalletHooks = { isInUse: (tx, wallet) => isFundingOpenPayment(tx.sql, wallet) }

/** The work when a user is deleted, in this order. */
const userRemovals: Removal<[user: UserKey]>[] = [
  deleteBanksOfUser,
  forgetConfirmations,
  cancelCheckbooksOfUser,
  cancelSubscriptionsOfUser,
  closeMailboxesOfUser,
  voidApprovalsOfUser,
  async (tx, user) => {
    const { isDone } = await voidInvoicesOfUser(tx, user)
    if (!isDone) await followStatus(tx, user) // background work voids the rest
  },
  (tx, user) => deleteWalletsOfUser(tx, user, walletHooks),
  requireEmptyCards,
  deleteDestinationsOfUser,
  deleteDirectoryOfUser,
  (tx, user) => setWebhookUrl(tx, user, null),
]

/** The work when a member leaves a team. */
const memberRemovals: Removal<[caller: Caller, loginId: string]>[] = [
  endMemberGrants, // the applications that the member connected
  voidApprovalsOfMember, // the payments that the member prepared and that are not released yet
]

const removeAll =
  <Given extends unknown[]>(removals: Removal<Given>[]) =>
  async (deps: TxDeps, ...given: Given): Promise<void> => {
    for (const remove of removals) await remove(deps, ...given)
  }

export const userHooks: UserHooks = {
  findBusyReason,
  removeBelongings: removeAll(userRemovals),
  chooseBanks,
  requireMayEndDualControl,
  dropProposal,
}

export const memberHooks: MemberHooks = { endMemberWork: removeAll(memberRemovals) }
