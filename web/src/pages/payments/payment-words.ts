import { railWords } from '../../../../src/money/rail/rail-rules.ts'
import type { PaymentDetails, PaymentStatus, Rail, TimelineEntry } from '../../answers.ts'
import { dayText } from '../../shown/moment.tsx'

export const paymentStatusWords: Record<PaymentStatus, string> = {
  UNPAID: 'Unpaid',
  IN_PROCESS: 'In process',
  PAID: 'Paid',
  FAILED: 'Failed',
  PRINTED: 'Printed',
  VOID: 'Voided',
  EXPIRED: 'Expired',
  MAILED: 'Mailed',
  REFUNDED: 'Refunded',
}

export { railWords }

const railInText: Record<Rail, string> = {
  ACH: 'ACH',
  MAIL: 'mailed check',
  PRINT: 'printed check',
  INSTANT: 'debit card',
  RTP: 'real-time payment',
  WALLET: 'wallet',
  PAYPAL: 'PayPal',
  VENMO: 'Venmo',
  INTERAC: 'Interac',
  WIRE: 'wire',
  SWIFT: 'international wire',
}

const byRail = (rail: Rail | null) => (rail === null ? '' : ` by ${railInText[rail]}`)

/** Describes the state of a payment in one sentence. */
export function stateWords({ status, rail, direction, name, expected, expires }: PaymentDetails): string {
  const isIncoming = direction === 'INCOMING'
  const sentences: Record<PaymentStatus, string> = {
    UNPAID: isIncoming
      ? `You can deposit it until ${dayText(expires)}.`
      : `Waiting for ${name} to choose how to get paid. Expires on ${dayText(expires)}.`,
    IN_PROCESS: `On its way${byRail(rail)}.${expected === null ? '' : ` Expected on ${dayText(expected)}.`}`,
    PAID: `Paid${byRail(rail)}.`,
    FAILED: 'The money did not arrive.',
    PRINTED: 'The check was printed and is not cashed yet.',
    VOID: 'This payment was voided.',
    EXPIRED: 'Nobody deposited this payment in time.',
    MAILED: 'The check is in the mail.',
    REFUNDED: isIncoming ? 'The money went back to the sender.' : 'The money is back in the account it came from.',
  }
  return sentences[status]
}

type Told = Pick<TimelineEntry, 'kind' | 'event' | 'rail'>

const paymentEvents: Record<string, (rail: Rail | null) => string> = {
  create: () => 'Payment created',
  deposit: (rail) => `Deposit started${byRail(rail)}`,
  receive: () => 'Received in the wallet',
  print: () => 'Check printed',
  send: () => 'Check sent to the printer',
  mail: () => 'Check handed to the postal service',
  pay: () => 'Paid',
  fail: () => 'Failed',
  reinstate: () => 'Paid after all',
  void: () => 'Voided',
  expire: () => 'Expired',
  refund: () => 'Refunded',
  refund_return: () => 'The refund came back',
}

const legEvents: Record<'debit' | 'credit' | 'refund', Record<string, string>> = {
  debit: {
    send: 'Debit of the sender’s account sent',
    accept: 'Debit accepted by the bank',
    recall: 'Debit not accepted; it will be sent again',
    settle: 'Debit settled',
    trust: 'Funds confirmed',
    return: 'Debit returned',
    cancel: 'Debit canceled',
  },
  credit: {
    send: 'Sent to the payee',
    accept: 'Accepted by the bank',
    recall: 'Not accepted by the bank; it will be sent again',
    settle: 'Money arrived',
    stop: 'Bank or processor asked not to pay',
    keep: 'Not called back by the bank',
    reinstate: 'Paid by the bank after all',
    return: 'Returned by the payee’s bank',
    cancel: 'Sending canceled',
  },
  refund: {
    send: 'Refund sent to the sender',
    accept: 'Refund accepted by the bank',
    recall: 'Refund not accepted; it will be sent again',
    settle: 'Refund arrived',
    return: 'Refund returned',
    cancel: 'Refund canceled',
  },
}

const mailEvents: Record<string, string> = { invite: 'Mail sent to the payee', notify: 'Mail sent to the payee again' }

/** The title of a timeline entry. Unknown events, of a newer service, keep their own name. */
export function entryWords({ kind, event, rail }: Told): string {
  if (kind === 'payment') return paymentEvents[event]?.(rail as Rail | null) ?? nameOf(event)
  if (kind === 'mail') return mailEvents[event] ?? nameOf(event)
  return legEvents[kind][event] ?? `${nameOf(kind)}: ${event}`
}

const nameOf = (event: string) => event.charAt(0).toUpperCase() + event.slice(1).replaceAll('_', ' ')

/** Returns who caused an entry, for example "by Ada Lovelace". */
export function actorWords({ kind, name }: NonNullable<TimelineEntry['actor']>): string {
  if (kind === 'recipient') return 'by the payee'
  if (kind === 'person') return `by ${name ?? 'a member'}`
  const tool = kind === 'api_key' ? 'API key' : 'application'
  if (name?.startsWith(tool)) return `by ${name}` // the default name of a key
  return name === null ? `by an ${tool}` : `by the ${tool} “${name}”`
}

export const ledgerStatusWords = { PENDING: 'Pending', POSTED: 'Posted', VOIDED: 'Voided' } as const

const ledgerReasons: Record<string, string> = {
  fund: 'Money added',
  fund_returned: 'Transfer returned',
  wallet_paid_outside: 'Paid out by the operator',
  accept: 'Funds reserved',
  deposit: 'Funds taken from the wallet',
  receive: 'Received in a wallet',
  receive_elsewhere: 'Received in a wallet of another platform',
  release: 'Reservation released',
  give_back: 'Returned to the wallet',
  pull_sent: 'Debit sent',
  pull_settled: 'Debit settled',
  pull_returned_unsettled: 'Debit returned before it settled',
  pull_returned: 'Debit returned',
  pull_returned_late: 'Debit returned after the payout',
  debt_covered: 'Debt covered',
  debt_settled: 'Debt settled',
  push_sent: 'Credit sent',
  push_settled: 'Credit settled',
  push_returned_unsettled: 'Credit returned before it settled',
  push_returned: 'Credit returned',
}

export const ledgerWords = (reason: string): string => ledgerReasons[reason] ?? nameOf(reason)

const ledgerAccounts: Record<string, string> = {
  wallet: 'Wallet',
  payable: 'Payable',
  world: 'Outside banks',
  receivable: 'Receivable',
  micro_deposits: 'Micro-deposits',
  card: 'Virtual card',
}

/** The name of a ledger account, which has a kind and sometimes a rail or an id: `clearing:ACH`, `wallet:019c…`. */
export function ledgerAccountWords(account: string): string {
  const [kind = '', of] = account.split(':')
  if (kind === 'clearing' && of !== undefined) return `Clearing (${railWords[of as Rail] ?? of})`
  return ledgerAccounts[kind] ?? account
}
