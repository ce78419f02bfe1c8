import { type AddressLines, addressBody, addressLines } from '../../form/address-fields.tsx'
import type { AttachedFile } from '../../form/attachment-field.tsx'
import { parseAmount } from '../../form/form-rules.ts'
import type { Body } from '../../operation.ts'

/** The values of the form. Amounts and numbers are text. */
export type SendFields = {
  kind: 'DIGITAL' | 'PHYSICAL' | 'MULTI'
  /** The id of a saved payee. Empty: another payee. */
  payee: string
  /** The account of the saved payee. Empty: the payee chooses by email. */
  payee_account: string
  recipient: string
  name: string
  /** The two to five payees of a payment to several payees. */
  recipients: RecipientFields[]
  amount: string
  account: string
  description: string
  address: AddressLines
  mail_type: string
  /** Whether the payee is saved after the payment is made. */
  saves_payee: boolean
  attachment: AttachedFile | null
  /** The invoices that the payment pays. */
  remittance_advice: RemittanceFields[]
  /** Empty: the payment is made now. `ONCE`: on a later day. */
  interval: '' | 'ONCE' | 'WEEKLY' | 'MONTHLY'
  /** Empty: today. */
  start_date: string
  /** The number of payments. Empty: until it is ended. */
  duration: string
}

export type RemittanceFields = { key: string; id: string; date: string; amount: string; description: string }

export type RecipientFields = { key: string; name: string; recipient: string; role: 'deposit' | 'endorse' }

export const MIN_RECIPIENTS = 2
export const MAX_RECIPIENTS = 5

let rowCount = 0

export const newRemittance = (): RemittanceFields => ({
  key: String(++rowCount),
  id: '',
  date: '',
  amount: '',
  description: '',
})

export const MAX_REMITTANCE_LINES = 50

export const newRecipient = (): RecipientFields => ({
  key: String(++rowCount),
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
  address: addressLines(),
  mail_type: 'USPS_FIRST_CLASS',
  saves_payee: false,
  attachment: null,
  remittance_advice: [],
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

/** Joins names as on a check: `A and B`, `A, B and C`. */
const joinedNames = new Intl.ListFormat('en-GB', { type: 'conjunction' })

/** Returns the name on the check. */
export const checkName = ({ kind, name, recipients }: SendFields): string =>
  kind === 'MULTI' ? joinedNames.format(recipients.map((one) => one.name.trim())) : name.trim()

export const intervals = { ONCE: 'On a later day', WEEKLY: 'Every week', MONTHLY: 'Every month' } as const

/** Returns whether the payment is made now, and not later by the service. */
export const isNow = ({ interval }: SendFields): boolean => interval === ''

/** Returns the request that creates the payment of a form later, once or repeatedly. */
export function subscriptionBody(fields: SendFields): Body<'post', '/v3/subscription/check'> {
  const { mail_type: _, attachment: __, ...order } = buildOrder(fields).body as Physical
  const { interval, duration } = fields
  return {
    ...order,
    ...(interval === 'WEEKLY' || interval === 'MONTHLY'
      ? { interval, duration: duration.trim() === '' ? null : Number(duration) }
      : { interval: 'MONTHLY', duration: 1 }),
    ...(fields.start_date !== '' && { start_date: fields.start_date }),
  }
}

/** Returns the request that draws the check of a form. Several payees are joined to one name. */
export function previewBody(fields: SendFields): Body<'post', '/v3/check/preview'> {
  const order = buildOrder(fields)
  if (order.kind !== 'MULTI') return order.body
  const { recipients: _, ...body } = order.body
  return { ...body, name: checkName(fields) }
}

/** Returns the request that makes the payment of a form now. */
export function buildOrder(given: SendFields): Order {
  const { kind, address, payee, payee_account, recipient, mail_type, ...fields } = given
  const payment = {
    amount: parseAmount(fields.amount),
    ...(fields.account !== '' && { account: fields.account }),
    ...(fields.description.trim() !== '' && { description: fields.description.trim() }),
    ...(fields.attachment && { attachment: fields.attachment }),
    ...(fields.remittance_advice.length > 0 && { remittance_advice: fields.remittance_advice.map(remittanceOf) }),
  }
  if (kind === 'MULTI') {
    const recipients = fields.recipients.map((one) => ({
      name: one.name.trim(),
      recipient: one.recipient.trim(),
      endorse_only: one.role === 'endorse',
    }))
    return { kind, body: { ...payment, recipients } }
  }
  const common = { ...payment, name: checkName(given) }
  if (kind === 'DIGITAL') {
    const account = payee !== '' && payee_account !== '' ? { id: payee, account: payee_account } : null
    return { kind, body: { ...common, recipient: account ?? recipient.trim() } }
  }
  return {
    kind,
    body: { ...common, recipient: addressBody(address), mail_type: mail_type as Physical['mail_type'] } as Physical,
  }
}

const remittanceOf = ({ id, date, amount, description }: RemittanceFields) => ({
  ...{ id: id.trim(), date },
  ...(amount.trim() !== '' && { amount: parseAmount(amount) }),
  ...(description.trim() !== '' && { description: description.trim() }),
})

/** Returns the request that saves the payee of a form, or null if the payee cannot be saved. */
export function payeeBody(fields: SendFields): Body<'post', '/v3/directory'> | null {
  if (!canSavePayee(fields)) return null
  const { kind, recipient, address } = fields
  return {
    name: checkName(fields),
    email: kind === 'DIGITAL' ? recipient.trim() : null,
    address: kind === 'PHYSICAL' ? addressBody(address) : null,
  }
}

/** Returns whether the payee can be saved: it has an email address or a postal address, and is not saved yet. */
export const canSavePayee = ({ kind, payee, recipient }: SendFields): boolean =>
  kind === 'PHYSICAL' || (kind === 'DIGITAL' && payee === '' && recipient.includes('@'))
