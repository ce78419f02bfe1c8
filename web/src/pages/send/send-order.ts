import { type AddressLines, addressOf, linesOf } from '../../form/address-fields.tsx'
import { amountOf } from '../../form/form-rules.ts'
import type { Body } from '../../operation.ts'

/** What the form holds. Every value is text. */
export type SendFields = {
  kind: 'DIGITAL' | 'PHYSICAL'
  /** A saved payee. Empty: somebody else. */
  payee: string
  /** The account of the saved payee. Empty: the payee chooses by email. */
  payee_account: string
  recipient: string
  name: string
  amount: string
  account: string
  description: string
  address: AddressLines
  mail_type: string
  /** Empty: once. */
  interval: '' | 'WEEKLY' | 'MONTHLY'
  /** Empty: today. */
  start_date: string
  /** The number of payments. Empty: until it is ended. */
  duration: string
}

export const emptyOrder: SendFields = {
  kind: 'DIGITAL',
  payee: '',
  payee_account: '',
  recipient: '',
  name: '',
  amount: '',
  account: '',
  description: '',
  address: linesOf(),
  mail_type: 'USPS_FIRST_CLASS',
  interval: '',
  start_date: '',
  duration: '',
}

export const mailTypes = {
  USPS_FIRST_CLASS: 'First class',
  USPS_CERTIFIED: 'Certified',
  TWO_DAY: 'Two days',
  OVERNIGHT: 'Overnight',
} as const

type Digital = Body<'post', '/v3/check/digital'>
type Physical = Body<'post', '/v3/check/physical'>

export type Order = { kind: 'DIGITAL'; body: Digital } | { kind: 'PHYSICAL'; body: Physical }

export const intervals = { WEEKLY: 'Every week', MONTHLY: 'Every month' } as const

/** The request that repeats the payment of a form. */
export function repeatedOrderOf(fields: SendFields): Body<'post', '/v3/subscription/check'> {
  const { mail_type: _, ...order } = orderOf(fields).body as Physical
  return {
    ...order,
    interval: fields.interval as 'WEEKLY' | 'MONTHLY',
    duration: fields.duration.trim() === '' ? null : Number(fields.duration),
    ...(fields.start_date !== '' && { start_date: fields.start_date }),
  }
}

/** The request that a form makes. */
export function orderOf({ kind, address, payee, payee_account, recipient, mail_type, ...fields }: SendFields): Order {
  const common = {
    amount: amountOf(fields.amount),
    name: fields.name.trim(),
    ...(fields.account !== '' && { account: fields.account }),
    ...(fields.description.trim() !== '' && { description: fields.description.trim() }),
  }
  if (kind === 'DIGITAL') {
    const account = payee !== '' && payee_account !== '' ? { id: payee, account: payee_account } : null
    return { kind, body: { ...common, recipient: account ?? recipient.trim() } }
  }
  return {
    kind,
    body: { ...common, recipient: addressOf(address), mail_type: mail_type as Physical['mail_type'] } as Physical,
  }
}
