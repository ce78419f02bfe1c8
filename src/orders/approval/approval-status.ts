import type { Transitions } from '../../foundation/lib/transitions.ts'

export const APPROVAL_STATUSES = ['UNPAID', 'APPROVED', 'VOID'] as const
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number]

export const approvalTransitions = {
  // event    may leave            leads to      specification.md 5.8
  edit: { from: ['UNPAID'], to: 'UNPAID' }, //     the editor becomes the preparer
  release: { from: ['UNPAID'], to: 'APPROVED' }, // the payment is made in the same transaction
  void: { from: ['UNPAID'], to: 'VOID' }, // by a person, or because its preparer or user is deleted
  reject: { from: ['UNPAID'], to: 'VOID' }, //     by an approver, with a reason
  expire: { from: ['UNPAID'], to: 'VOID' }, //     after 30 days
} as const satisfies Transitions<ApprovalStatus>

/** The outcomes of an approval. */
export const APPROVAL_OUTCOMES = ['RELEASED', 'VOIDED', 'REJECTED', 'EXPIRED'] as const
export type ApprovalOutcome = (typeof APPROVAL_OUTCOMES)[number]

export type ApprovalEvent = keyof typeof approvalTransitions
