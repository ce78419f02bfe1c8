import { newId } from '../../foundation/lib/ids.ts'

/** The ledger accounts of a payment, by their role. */
export type Role =
  | 'sender_wallet'
  | 'recipient_wallet'
  | 'payable'
  | 'clearing'
  | 'world'
  | 'receivable'
  | 'micro_deposits'
  | 'card'

/** A hold is a pending transfer, to be posted or voided later. */
type Mode = 'hold' | 'post' | 'post_held' | 'void_held'

type Rule = readonly (readonly [mode: Mode, debit: Role, credit: Role])[]

/**
 * The postings of each event, in the order of a payment's life. Cents go from the first account to the second. The
 * accounts are explained in docs/money.md, "The books".
 */
export const postingRules = {
  // a payment from a wallet; a payment from a bank has no posting before its pull
  accept: [['hold', 'sender_wallet', 'payable']],
  deposit: [['post_held', 'sender_wallet', 'payable']],
  receive: [
    ['post_held', 'sender_wallet', 'payable'],
    ['post', 'payable', 'recipient_wallet'],
  ],
  receive_elsewhere: [
    ['post_held', 'sender_wallet', 'payable'],
    ['post', 'payable', 'clearing'], //                          on its way to a wallet of another platform
  ],
  arrive: [['post', 'clearing', 'recipient_wallet']], //         on that platform
  arrive_unclaimed: [['post', 'clearing', 'payable']], //        its holder was deleted, so the operator decides
  release: [['void_held', 'sender_wallet', 'payable']], //       void or expired before it was deposited
  give_back: [['post', 'payable', 'sender_wallet']], //          void, expired or refunded afterwards

  // the leg that pulls from a bank
  pull_sent: [['hold', 'world', 'payable']],
  pull_settled: [['post_held', 'world', 'payable']],
  pull_returned_unsettled: [['void_held', 'world', 'payable']],
  pull_returned: [['post', 'payable', 'world']], //              the money is still here
  pull_returned_late: [['post', 'receivable', 'world']], //      it has left, so the sender owes it
  debt_covered: [['post', 'payable', 'receivable']], //          by a returned credit or a stopped check
  debt_settled: [['post', 'world', 'receivable']], //            the debtor paid from outside

  // the leg that pushes to the recipient, or refunds the sender's bank
  push_sent: [['post', 'payable', 'clearing']],
  push_settled: [['post', 'clearing', 'world']],
  push_returned_unsettled: [['post', 'clearing', 'payable']], // or the paper was stopped
  push_returned: [['post', 'world', 'payable']],
  paid_outside: [['post', 'payable', 'world']], //               the operator paid it by wire or check

  // a micro-deposit
  micro_deposit_sent: [['post', 'micro_deposits', 'clearing']],
  micro_deposit_settled: [['post', 'clearing', 'world']],
  micro_deposit_returned_unsettled: [['post', 'clearing', 'micro_deposits']],
  micro_deposit_returned: [['post', 'world', 'micro_deposits']],
  micro_offset_settled: [['post', 'world', 'micro_deposits']], // the debit that offsets both, in bank files
  micro_offset_returned: [['post', 'micro_deposits', 'world']],

  // a virtual card
  card_loaded: [['post', 'world', 'card']], //                    a payout has arrived on it
  card_unloaded: [['post', 'card', 'world']], //                  the payout went back
  card_spent: [['post', 'card', 'world']],

  // a wallet: funded in the sandbox
  fund: [['post', 'world', 'recipient_wallet']],
} as const satisfies Record<string, Rule>

/** The rail of money on its way from a platform to another one. */
export const OTHER_PLATFORM = 'PLATFORM'

export type PostingRule = keyof typeof postingRules

/** One posting as `post_transfers_v1` takes it. */
export type Posting = { id: string; mode: Mode; debit: string; credit: string; cents: number; reason: PostingRule }

/** The ledger accounts of the roles. Other roles have a fixed account. */
export type Accounts = {
  senderWallet?: string
  recipientWallet?: string
  rail?: string
  debtor?: string
  card?: string
}

/** The postings of a rule, for `cents`. */
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

function accountName(role: Role, { senderWallet, recipientWallet, rail, debtor, card }: Accounts): string {
  switch (role) {
    case 'sender_wallet':
      return `wallet:${needed(senderWallet, role)}`
    case 'recipient_wallet':
      return `wallet:${needed(recipientWallet, role)}`
    case 'clearing':
      return `clearing:${needed(rail, role)}`
    case 'card':
      return `card:${needed(card, role)}`
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
