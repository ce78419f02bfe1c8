import { ORDER_SOURCES, type OrderSource } from '../payment/payment-types.ts'
import type { Rail } from '../rail/rail-rules.ts'

export const MAX_RULES = 20

/** The sources that a rule can name. */
export const RULE_SOURCES = ORDER_SOURCES

/** Which payments need how many approvals. Null: any. */
export type PolicyRule = {
  minCents: number
  /** Only payees that were new or got another account in the last 7 days. */
  isNewPayee: boolean
  rail: Rail | null
  source: OrderSource | null
  approvals: number
}

/** Which payments of the owner need approvals. `dualControl`: every payment needs one. */
export type Policy = { dualControl: boolean; rules: PolicyRule[] }

/** `approvers`: who may release. */
export type People = { members: number; approvers: number }

/** Whether there are enough people: the approvers, and somebody else who prepares. */
export const hasPeopleFor = (approvals: number, { members, approvers }: People): boolean =>
  approvers >= approvals && members >= (approvals === 0 ? 0 : approvals + 1)
