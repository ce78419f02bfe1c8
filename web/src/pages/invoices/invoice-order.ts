import {
  type InvoiceItem,
  MAX_QUANTITY,
  readItem,
  type ShownItems,
  shownItems,
  totalsOfItems,
} from '../../../../src/orders/invoice/invoice-items-rules.ts'
import type { InvoiceBody } from '../../api.ts'
import type { AttachedFile } from '../../form/attachment-field.tsx'
import { isAmount, isGiven, parseAmount } from '../../form/form-rules.ts'

/** The values of the fields of a line. */
export type ItemFields = { key: string; description: string; quantity: string; unit_price: string; tax_rate: string }

/** The form of an invoice. With lines, the amount is their total and `amount` is not used. */
export type InvoiceFields = {
  recipient: string
  name: string
  amount: string
  description: string
  number: string
  account: string
  due_date: string
  terms: string
  items: ItemFields[]
  attachment: AttachedFile | null
}

export const emptyInvoice: InvoiceFields = {
  recipient: '',
  name: '',
  amount: '',
  description: '',
  number: '',
  account: '',
  due_date: '',
  terms: '',
  items: [],
  attachment: null,
}

let lastKey = 0

/** Creates an empty line. `key` identifies it while other lines are removed. */
export function newItem(): ItemFields {
  lastKey += 1
  return { key: String(lastKey), description: '', quantity: '1', unit_price: '', tax_rate: '' }
}

/** The rules that the form checks. The service checks all other rules. */
export const invoiceRules = (today: string) => ({
  recipient: isGiven('Enter an email.'),
  name: isGiven('Enter a name.'),
  amount: (amount: string, { items }: InvoiceFields) => (items.length > 0 ? null : isAmount(amount)),
  description: isGiven('Enter a description.'),
  due_date: (date: string) => (date !== '' && date < today ? 'Choose today or a later day.' : null),
  items: {
    description: isGiven('Enter a text.'),
    quantity: isQuantity,
    unit_price: isPrice,
    tax_rate: isTaxRate,
  },
})

const THREE_DECIMALS = /^(\d+(\.\d{1,3})?|\.\d{1,3})$/

function isQuantity(text: string): string | null {
  const plain = text.trim().replaceAll(',', '')
  if (!THREE_DECIMALS.test(plain) || Number(plain) === 0) return 'Enter a number, such as 2.5.'
  return Number(plain) > MAX_QUANTITY ? 'Enter less than a million.' : null
}

function isPrice(text: string): string | null {
  return isAmount(text) !== null || parseAmount(text) === 0 ? 'Enter a price, such as 40.00.' : null
}

function isTaxRate(text: string): string | null {
  const plain = text.trim()
  return plain === '' || (THREE_DECIMALS.test(plain) && Number(plain) <= 100) ? null : 'Enter 0 to 100, such as 8.25.'
}

/** Converts a line whose fields pass the rules to the form that the service expects. */
const givenItem = ({ description, quantity, unit_price, tax_rate }: ItemFields) => ({
  description: description.trim(),
  quantity: parseAmount(quantity),
  unit_price: parseAmount(unit_price),
  tax_rate: tax_rate.trim() === '' ? null : Number(tax_rate),
})

/** Reads a line. Null if its fields do not make a total yet. */
export function toItem(fields: ItemFields): InvoiceItem | null {
  const problem = isQuantity(fields.quantity) ?? isPrice(fields.unit_price) ?? isTaxRate(fields.tax_rate)
  if (problem !== null) return null
  const item = readItem(givenItem(fields))
  return 'problem' in item ? null : item
}

const itemsOf = ({ items }: InvoiceFields): InvoiceItem[] => items.map(toItem).filter((item) => item !== null)

/** Adds up the lines that have a total, in cents. */
export const addUpItems = (fields: InvoiceFields) => totalsOfItems(itemsOf(fields))

export const shownLines = (fields: InvoiceFields): ShownItems =>
  shownItems(fields.items.length > 0 ? itemsOf(fields) : null)

/** Returns the amount in dollars. */
export const amountOfInvoice = (fields: InvoiceFields): number =>
  fields.items.length > 0 ? addUpItems(fields).totalCents / 100 : parseAmount(fields.amount)

/** Returns the request that creates the invoice. */
export const invoiceBody = (fields: InvoiceFields): InvoiceBody => ({
  recipient: fields.recipient.trim(),
  name: fields.name.trim(),
  amount: amountOfInvoice(fields),
  description: fields.description.trim(),
  number: fields.number.trim() || null,
  account: fields.account || null,
  due_date: fields.due_date || null,
  terms: fields.terms.trim() || null,
  items: fields.items.length > 0 ? fields.items.map(givenItem) : null,
  attachment: fields.attachment,
})
