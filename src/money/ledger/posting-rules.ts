import { newId } from '../../foundation/lib/ids.ts'

/** The ledger accounts that postings use, by their role. */
export type Role =
  | 'sender_wallet'
  | 'recipient_wallet'
  | 'payable'
  | 'clearing'
  | 'world'
  | 'receivable'
  | 'micro_deposits'
  | 'card'
  | 'operator:fees'

/** The kind of change that a posting makes in the ledger. A hold is a pending transfer that is posted or voided later. */
type Mode = 'hold' | 'post' | 'post_held' | 'void_held'

type Rule = readonly (readonly [mode: Mode, debit: Role, credit: Role])[]

/**
 * The postings of each event, in the order in which a payment goes through them. Money moves from the first account to the second.
 * docs/money.md, "The books", explains the accounts.
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
    ['post', 'payable', 'clearing'], //                          in transit to a wallet of another platform
  ],
  arrive: [['post', 'clearing', 'recipient_wallet']], //         arrived on the other platform
  arrive_unclaimed: [['post', 'clearing', 'payable']], //        the wallet's holder was deleted, so the operator decides
  release: [['void_held', 'sender_wallet', 'payable']], //       voided or expired before it was deposited
  give_back: [['post', 'payable', 'sender_wallet']], //          voided, expired or refunded after it was deposited

  // the leg that pulls from a bank
  pull_sent: [['hold', 'world', 'payable']],
  pull_settled: [['post_held', 'world', 'payable']],
  pull_returned_unsettled: [['void_held', 'world', 'payable']],
  pull_returned: [['post', 'payable', 'world']], //              the money has not left yet
  pull_returned_late: [['post', 'receivable', 'world']], //      the money has left, so the sender owes it
  debt_covered: [['post', 'payable', 'receivable']], //          a returned credit or a stopped check pays the debt
  debt_settled: [['post', 'world', 'receivable']], //            the debtor paid outside of the service

  // the leg that pushes to the recipient, or refunds the sender's bank
  push_sent: [['post', 'payable', 'clearing']],
  push_settled: [['post', 'clearing', 'world']],
  push_returned_unsettled: [['post', 'clearing', 'payable']], // returned before it settled, or the paper was stopped
  push_returned: [['post', 'world', 'payable']],
  paid_outside: [['post', 'payable', 'world']], //               the operator paid it by wire or check

  // what a processor charges the operator for an order
  payout_fee: [['post', 'operator:fees', 'world']],
  payout_fee_returned: [['post', 'world', 'operator:fees']],

  // a micro-deposit
  micro_deposit_sent: [['post', 'micro_deposits', 'clearing']],
  micro_deposit_settled: [['post', 'clearing', 'world']],
  micro_deposit_returned_unsettled: [['post', 'clearing', 'micro_deposits']],
  micro_deposit_returned: [['post', 'world', 'micro_deposits']],
  micro_offset_settled: [['post', 'world', 'micro_deposits']], // in bank files, the debit that offsets both
  micro_offset_returned: [['post', 'micro_deposits', 'world']],

  // a virtual card
  card_loaded: [['post', 'world', 'card']], //                    a payout arrived on the card
  card_unloaded: [['post', 'card', 'world']], //                  a payout was taken back from the card
  card_spent: [['post', 'card', 'world']],

  // a wallet: funded in the sandbox, or by a credit that the bank booked
  fund: [['post', 'world', 'recipient_wallet']],
  fund_returned: [['post', 'sender_wallet', 'world']], // the bank returned the credit
  fund_returned_late: [['post', 'receivable', 'world']], // the credit was returned after its money was spent, so the holder owes it
  wallet_paid_outside: [['post', 'sender_wallet', 'world']], // the operator paid out the wallet of a closed user by wire or check
  fund_return_undone: [['post', 'world', 'receivable']], // the return of a credit was booked by mistake
} as const satisfies Record<string, Rule>

/** The rail of money in transit from one platform to another. */
export const OTHER_PLATFORM = 'PLATFORM'

export type PostingRule = keyof typeof postingRules

/** A posting in the form that `post_transfers_v1` needs. */
export type Posting = { id: string; mode: Mode; debit: string; credit: string; cents: number; reason: PostingRule }

/** The ledger accounts of the roles that depend on the payment. All other roles have a fixed account. */
export type Accounts = {
  senderWallet?: string
  recipientWallet?: string
  rail?: string
  debtor?: string
  card?: string
}

/** Returns the postings of a rule for `cents`. */
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
  if (value === undefined) throw new Error(`the posting needs the account ${role}, which is missing`)
  return value
}
