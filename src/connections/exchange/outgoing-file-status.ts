import type { Transitions } from '../../foundation/lib/transitions.ts'

export const OUTGOING_FILE_KINDS = ['ach', 'print', 'stop', 'issue', 'checkbook', 'orders', 'recall'] as const
export type OutgoingFileKind = (typeof OUTGOING_FILE_KINDS)[number]

export const OUTGOING_FILE_STATUSES = ['WRITTEN', 'TRANSMITTED', 'ACCEPTED', 'REJECTED', 'CANCELED'] as const
export type OutgoingFileStatus = (typeof OUTGOING_FILE_STATUSES)[number]

export const outgoingFileTransitions = {
  // event     may leave                    leads to
  transmit: { from: ['WRITTEN'], to: 'TRANSMITTED' }, //      the transfer job moved it to outbound/sent/
  accept: { from: ['TRANSMITTED'], to: 'ACCEPTED' }, //       acknowledged, or its settlement time has passed
  reject: { from: ['TRANSMITTED'], to: 'REJECTED' }, //       the bank rejected the whole file
  cancel: { from: ['WRITTEN'], to: 'CANCELED' }, //           Remit removed it from outbound/
  resend: { from: ['TRANSMITTED'], to: 'WRITTEN' }, //        the operator sends the same bytes again
} as const satisfies Transitions<OutgoingFileStatus>

export type OutgoingFileEvent = keyof typeof outgoingFileTransitions

/**
 * The effect of a file's status on its legs. `accept`: the bank or the printer has them. `recall`: they were never sent. `print_again`: the
 * printer rejected them, but may have printed some. `end_stop`: the bank now refuses the stopped checks. `list_again`: the checks are put
 * on the next list. `keep`: the bank did not receive the request to cancel, so the order stays.
 */
export type FollowUp = 'accept' | 'recall' | 'print_again' | 'end_stop' | 'list_again' | 'keep'

export const followUps: Record<OutgoingFileKind, Partial<Record<OutgoingFileStatus, FollowUp>>> = {
  ach: { ACCEPTED: 'accept', REJECTED: 'recall', CANCELED: 'recall' },
  print: { TRANSMITTED: 'accept', ACCEPTED: 'accept', REJECTED: 'print_again', CANCELED: 'recall' },
  checkbook: { TRANSMITTED: 'accept', ACCEPTED: 'accept', REJECTED: 'recall', CANCELED: 'recall' },
  stop: { ACCEPTED: 'end_stop', REJECTED: 'list_again', CANCELED: 'list_again' },
  issue: { REJECTED: 'list_again', CANCELED: 'list_again' },
  orders: { REJECTED: 'recall', CANCELED: 'recall' },
  recall: { REJECTED: 'keep', CANCELED: 'keep' },
}
