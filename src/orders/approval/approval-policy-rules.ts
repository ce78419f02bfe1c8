import type { Rail } from '../../money/rail/rail-rules.ts'
import { ORDER_SOURCES, type OrderSource } from '../../payments/payment/payment-types.ts'

export const MAX_RULES = 20

/** The sources that a rule can name. */
export const RULE_SOURCES = ORDER_SOURCES

/** The number of approvals that a kind of payment needs. A null condition matches every payment. */
export type PolicyRule = {
  minCents: number
  /** Whether the rule only applies to payees that were not paid in the last 7 days (`is_new_payee_v1`). */
  isNewPayee: boolean
  rail: Rail | null
  source: OrderSource | null
  approvals: number
}

/** The rules about approvals of the owner's payments. With `dualControl`, every payment needs one. */
export type Policy = { dualControl: boolean; rules: PolicyRule[] }

/**
 * Returns the maximum number of approvals that a payment of the owner can need. A payment by a program needs one unless a rule requires
 * more.
 */
export const maxApprovals = ({ dualControl, rules }: Policy): number =>
  Math.max(dualControl || rules.length > 0 ? 1 : 0, ...rules.map(({ approvals }) => approvals))

/** The number of people with each right. `onlyPreparers` may prepare payments but not release them. */
export type People = { members: number; approvers: number; onlyPreparers: number; onlyApprovers: number }

/** Returns whether there are enough people: approvers, and another person who prepares payments. */
export function hasPeopleFor(approvals: number, { approvers, onlyPreparers, onlyApprovers }: People): boolean {
  if (approvals === 0 || (onlyPreparers > 0 && approvers >= approvals)) return true
  return approvers > onlyApprovers && approvers > approvals
}
