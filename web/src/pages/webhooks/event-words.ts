import type { Delivery, EventType } from '../../answers.ts'

type TypeWords = { type: EventType; plural: string; about: string; event: string; subject: string }

/** Texts for each event type: the subscription, an event, and its subject. */
export const eventTypes: TypeWords[] = [
  {
    type: 'CHECK',
    plural: 'Payments',
    about: 'A payment changes status, such as paid or failed',
    event: 'Payment changed',
    subject: 'Payment',
  },
  {
    type: 'INVOICE',
    plural: 'Invoices',
    about: 'An invoice changes status, such as paid or unpaid again',
    event: 'Invoice changed',
    subject: 'Invoice',
  },
  {
    type: 'BANK',
    plural: 'Bank accounts',
    about: 'A bank account changes status, such as verified',
    event: 'Bank account changed',
    subject: 'Bank account',
  },
  {
    type: 'USER',
    plural: 'Users',
    about: 'A user changes status, such as verified or suspended',
    event: 'User changed',
    subject: 'User',
  },
  {
    type: 'PREFUND_ACCOUNT',
    plural: 'Wallet balances',
    about: 'Money enters or leaves a wallet',
    event: 'Wallet balance changed',
    subject: 'Wallet',
  },
  {
    type: 'CHECKBOOK',
    plural: 'Checkbooks',
    about: 'A book of blank checks changes status, such as mailed',
    event: 'Checkbook changed',
    subject: 'Checkbook',
  },
  {
    type: 'SUBSCRIPTION',
    plural: 'Recurring payments',
    about: 'A recurring payment was not made, or was canceled',
    event: 'Recurring payment changed',
    subject: 'Recurring payment',
  },
  {
    type: 'MAIL',
    plural: 'Mail',
    about: 'A mailbox receives a letter',
    event: 'Mail received',
    subject: 'Mail',
  },
]

/** Returns the texts of a type. Unknown types, of a newer service, keep their own name. */
export const wordsOfType = (type: EventType): TypeWords =>
  eventTypes.find((words) => words.type === type) ?? { type, plural: type, about: '', event: type, subject: 'Object' }

const paymentWords: Record<string, string> = {
  IN_PROCESS: 'in process',
  PAID: 'paid',
  FAILED: 'failed',
  PRINTED: 'printed',
  VOID: 'voided',
  EXPIRED: 'expired',
  MAILED: 'mailed',
  REFUNDED: 'refunded',
}

/** The title of a delivery, such as `Payment paid`. */
export const eventTitle = ({ type, payment }: Pick<Delivery, 'type' | 'payment'>): string =>
  payment === null ? wordsOfType(type).event : paymentEventTitle(payment.status)

export const paymentEventTitle = (status: string): string => `Payment ${paymentWords[status] ?? status}`
