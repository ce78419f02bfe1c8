import { newId } from '../lib/ids.ts'

/** The ledger accounts that a payment touches, by what they are to it. */
export type Role =
  | 'sender_wallet'
  | 'recipient_wallet'
  | 'payable'
  | 'clearing'
  | 'world'
  | 'receivable'
  | 'micro_deposits'

/** A hold is a pending transfer, which is posted or voided later. */
type Mode = 'hold' | 'post' | 'post_held' | 'void_held'

type Rule = readonly (readonly [mode: Mode, debit: Role, credit: Role])[]

/**
 * What each event does to the books, in the order of a payment's life. Cents go from the first account to the second:
 * `payable` is what was taken and is still owed to somebody, `clearing` what is on its way over one rail, `world` what is
 * outside, `receivable` what a user owes because its debit came back after the money had left: the debt that
 * `post_transfers_v1` keeps in user_counters.
 */
export const postingRules = {
  // of a payment from a wallet; one from a bank has nothing to post before its pull
  accept: [['hold', 'sender_wallet', 'payable']],
  deposit: [['post_held', 'sender_wallet', 'payable']],
  receive: [
    ['post_held', 'sender_wallet', 'payable'],
    ['post', 'payable', 'recipient_wallet'],
  ],
  receive_elsewhere: [
    ['post_held', 'sender_wallet', 'payable'],
    ['post', 'payable', 'world'], //                             a wallet of another platform
  ],
  release: [['void_held', 'sender_wallet', 'payable']], //       void or expired before it was deposited
  give_back: [['post', 'payable', 'sender_wallet']], //          void, expired or refunded afterwards

  // of the leg that pulls from a bank
  pull_sent: [['hold', 'world', 'payable']],
  pull_settled: [['post_held', 'world', 'payable']],
  pull_returned_unsettled: [['void_held', 'world', 'payable']],
  pull_returned: [['post', 'payable', 'world']], //              the money is still here
  pull_returned_late: [['post', 'receivable', 'world']], //      it has left: the sender owes it
  debt_covered: [['post', 'payable', 'receivable']], //          by a credit that came back, or a check that was stopped
  debt_settled: [['post', 'world', 'receivable']], //            the debtor paid from outside

  // of the leg that pushes to the recipient, or back to the sender's bank
  push_sent: [['post', 'payable', 'clearing']],
  push_settled: [['post', 'clearing', 'world']],
  push_returned_unsettled: [['post', 'clearing', 'payable']], // or the paper was stopped
  push_returned: [['post', 'world', 'payable']],

  // of a micro-deposit
  micro_deposit_sent: [['post', 'micro_deposits', 'clearing']],
  micro_deposit_settled: [['post', 'clearing', 'world']],
  micro_deposit_returned_unsettled: [['post', 'clearing', 'micro_deposits']],
  micro_deposit_returned: [['post', 'world', 'micro_deposits']],
  micro_offset_settled: [['post', 'world', 'micro_deposits']], // the debit that takes both back, in files
  micro_offset_returned: [['post', 'micro_deposits', 'world']],

  // of a wallet: in the sandbox, or from another platform
  fund: [['post', 'world', 'recipient_wallet']],
} as const satisfies Record<string, Rule>

export type PostingRule = keyof typeof postingRules

/** One row as the database posts it (`post_transfers_v1`). */
export type Posting = { id: string; mode: Mode; debit: string; credit: string; cents: number; reason: PostingRule }

/** Which ledger account stands for which role; the others have one name for all. */
export type Accounts = { senderWallet?: string; recipientWallet?: string; rail?: string; debtor?: string }

/** The rows of a rule, for `cents`. */
export function postingsOf(
  ids: Parameters<typeof newId>[0],
  rule: PostingRule,
  { cents, ...accounts }: Accounts & { cents: number },
): Posting[] {
  return postingRules[rule].map(([mode, debit, credit]) => ({
    id: newId(ids),
    mode,
    debit: accountName(debit, accounts),
    credit: accountName(credit, accounts),
    cents,
    reason: rule,
  }))
}

function accountName(role: Role, { senderWallet, recipientWallet, rail, debtor }: Accounts): string {
  switch (role) {
    case 'sender_wallet':
      return `wallet:${needed(senderWallet, role)}`
    case 'recipient_wallet':
      return `wallet:${needed(recipientWallet, role)}`
    case 'clearing':
      return `clearing:${needed(rail, role)}`
    case 'receivable':
      return `receivable:${needed(debtor, role)}`
    default:
      return role
  }
}

function needed(value: string | undefined, role: Role): string {
  if (value === undefined) throw new Error(`nobody said which ${role}`)
  return value
}
