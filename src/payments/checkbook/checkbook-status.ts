import type { Transitions } from '../../foundation/lib/transitions.ts'

export const CHECKBOOK_STATUSES = ['PENDING', 'IN_PROCESS', 'MAILED', 'CANCELED', 'RETURNED'] as const
export type CheckbookStatus = (typeof CHECKBOOK_STATUSES)[number]

export const checkbookTransitions = {
  // event    may leave                            leads to   specification.md 6.2
  print: { from: ['PENDING'], to: 'IN_PROCESS' }, //          it goes to the printer
  recall: { from: ['IN_PROCESS', 'MAILED'], to: 'PENDING' }, // the printer refused the file of the book, or never got it
  mail: { from: ['IN_PROCESS'], to: 'MAILED' }, //            handed to the post
  cancel: { from: ['PENDING'], to: 'CANCELED' }, // by its user, or because its bank or user can no longer send
  return: { from: ['MAILED'], to: 'RETURNED' }, //            the mail came back
} as const satisfies Transitions<CheckbookStatus>

export type CheckbookEvent = keyof typeof checkbookTransitions
