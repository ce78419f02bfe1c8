import { type AddressLines, addressOf, linesOf } from '../../form/address-fields.tsx'
import { amountOf } from '../../form/form-rules.ts'
import type { Body } from '../../operation.ts'

/** What the form holds. Every value is text. */
export type SendFields = {
  kind: 'DIGITAL' | 'PHYSICAL' | 'MULTI'
  /** A saved payee. Empty: somebody else. */
  payee: string
  /** The account of the saved payee. Empty: the payee chooses by email. */
  payee_account: string
  recipient: string
  name: string
  /** The payees of one payment to several: two to five. */
  recipients: RecipientFields[]
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

export type RecipientFields = { key: string; name: string; recipient: string; role: 'deposit' | 'endorse' }

export const MIN_RECIPIENTS = 2
export const MAX_RECIPIENTS = 5

let recipientCount = 0

export const newRecipient = (): RecipientFields => ({
  key: String(++recipientCount),
  name: '',
  recipient: '',
  role: 'deposit',
})

export const emptyOrder: SendFields = {
  kind: 'DIGITAL',
  payee: '',
  payee_account: '',
  recipient: '',
  name: '',
  recipients: [newRecipient(), newRecipient()],
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

type Multi = Body<'post', '/v3/check/multi'>

export type Order =
  | { kind: 'DIGITAL'; body: Digital }
  | { kind: 'PHYSICAL'; body: Physical }
  | { kind: 'MULTI'; body: Multi }

/** `A and B`, `A, B and C`, as the check is made out. */
const joinedNames = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** The name on the check. */
export const nameOf = ({ kind, name, recipients }: SendFields): string =>
  kind === 'MULTI' ? joinedNames.format(recipients.map((one) => one.name.trim())) : name.trim()

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

/** The request that draws the check of a form. Several payees are one name on it. */
export function previewOf(fields: SendFields): Body<'post', '/v3/check/preview'> {
  const order = orderOf(fields)
  if (order.kind !== 'MULTI') return order.body
  const { recipients: _, ...body } = order.body
  return { ...body, name: nameOf(fields) }
}

/** The request that a form makes. */
export function orderOf(given: SendFields): Order {
  const { kind, address, payee, payee_account, recipient, mail_type, ...fields } = given
  const payment = {
    amount: amountOf(fields.amount),
    ...(fields.account !== '' && { account: fields.account }),
    ...(fields.description.trim() !== '' && { description: fields.description.trim() }),
  }
  if (kind === 'MULTI') {
    const recipients = fields.recipients.map((one) => ({
      name: one.name.trim(),
      recipient: one.recipient.trim(),
      endorse_only: one.role === 'endorse',
    }))
    return { kind, body: { ...payment, recipients } }
  }
  const common = { ...payment, name: nameOf(given) }
  if (kind === 'DIGITAL') {
    const account = payee !== '' && payee_account !== '' ? { id: payee, account: payee_account } : null
    return { kind, body: { ...common, recipient: account ?? recipient.trim() } }
  }
  return {
    kind,
    body: { ...common, recipient: addressOf(address), mail_type: mail_type as Physical['mail_type'] } as Physical,
  }
}
