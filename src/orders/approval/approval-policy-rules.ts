import type { Rail } from '../../money/rail/rail-rules.ts'
import { ORDER_SOURCES, type OrderSource } from '../../payments/payment/payment-types.ts'

export const MAX_RULES = 20

/** The sources that a rule can name. */
export const RULE_SOURCES = ORDER_SOURCES

/** How many approvals a kind of payment needs. A condition that is null matches every payment. */
export type PolicyRule = {
  minCents: number
  /** Only payees that were not paid for 7 days: see `is_new_payee_v1`. */
  isNewPayee: boolean
  rail: Rail | null
  source: OrderSource | null
  approvals: number
}

/** The rules about approvals of the owner's payments. With `dualControl`, every payment needs one. */
export type Policy = { dualControl: boolean; rules: PolicyRule[] }

/** The most approvals that a payment of the owner can need. A payment by a program needs one unless a rule says otherwise. */
export const maxApprovals = ({ dualControl, rules }: Policy): number =>
  Math.max(dualControl || rules.length > 0 ? 1 : 0, ...rules.map(({ approvals }) => approvals))

/** How many people may do what. `onlyPreparers` may prepare payments and not release them. */
export type People = { members: number; approvers: number; onlyPreparers: number; onlyApprovers: number }

/** Whether there are enough people: the approvers, and somebody else who prepares. */
export function hasPeopleFor(approvals: number, { approvers, onlyPreparers, onlyApprovers }: People): boolean {
  if (approvals === 0 || (onlyPreparers > 0 && approvers >= approvals)) return true
  return approvers > onlyApprovers && approvers > approvals
}
