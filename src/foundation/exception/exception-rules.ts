/** The kinds of exceptions, with the decision that the operator has to make. */
export const exceptionKinds = {
  refund_returned: 'A refund was returned. Find out where the sender can be paid, then send it again.',
  stopped_check_paid: 'A check was cashed although its payment ended. Its money is used up. Tell the sender.',
  return_needs_review: 'A return code has no automatic consequence. Talk to the account holder before the next debit.',
  holder_gone: 'Money was returned for a user or an account that no longer exists. Find out whom to pay.',
  user_closed: 'Money waits for a user that is closed, and only the user could send it on. Find out whom to pay.',
  debt_paid_in_part: 'Money was returned for a debt that was paid in part. Settle the rest, then send the refund.',
  mail_set_aside:
    'A piece of mail could not be used. Its report is in inbound/set-aside. Correct it, and put it back under another name.',
  check_scanned_twice: 'A check in the mail was scanned before. Compare the two letters, and tell the user.',
  own_check_refused:
    'A check of this service came by mail, but is not outstanding or differs from its record. Find out who has its money, and tell the user of the mailbox.',
  above_bank_limit:
    'An entry is above a limit of the bank, so no file can contain it. Ask the bank for a higher limit, and change connections.json.',
  order_refused:
    'The bank would refuse an order, so it was not sent. Correct what the note names, then close this: the order is tried again. Or void the payment.',
  leg_unsendable:
    'A check cannot be printed, or an entry would move money of an account of this service. Correct what the note names, then close this: it is tried again. Or void the payment.',
  maybe_at_bank:
    'The database was restored. The bank, the printer or the processor may already have this payment. Check its records. If it does not have the payment, close this, and the payment is sent. If the bank has its entry or order, or the printer has its check, apply this with --trace, with --trace and --code ACSC, or with --number.',
} as const satisfies Record<string, string>

export type ExceptionKind = keyof typeof exceptionKinds

/** The kinds of exceptions that stop the legs of their payment while they are open. */
export const holdingKinds: readonly ExceptionKind[] = ['maybe_at_bank', 'order_refused', 'leg_unsendable']
