import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { fieldError } from '../lib/errors.ts'
import {
  isCardNumber,
  type OtherDestinationKind,
  requireContact,
  requireExpiry,
  requireWireAccount,
  requireWireBank,
} from './destination-rules.ts'

/** What is kept of a destination. `accountNumber` is sealed; everything else is shown. */
export type KeptDestination = { details: Record<string, string>; accountNumber?: string }

/** What is asked for, what of it is kept, and what can be changed: not a number. `today` is `YYYY-MM-DD`. */
export type DestinationSpec<Fields extends TProperties = TProperties, Changes extends TProperties = TProperties> = {
  list: string
  what: string
  fields: Fields
  /** @throws ApiError invalid_request */
  kept(given: Static<TObject<Fields>>, today: string): KeptDestination
  changes: Changes
  /** @throws ApiError invalid_request */
  changed(given: Static<TObject<Changes>>, today: string): KeptDestination['details']
}

const specOf = <Fields extends TProperties, Changes extends TProperties>(
  spec: DestinationSpec<Fields, Changes>,
): DestinationSpec => spec as never

const name = (minLength: number) =>
  Type.String({ minLength, maxLength: 128, pattern: '\\S', description: 'a text that is not only white space' })
const username = Type.String({ minLength: 1, maxLength: 254 })

const expiration = Type.String({ minLength: 7, maxLength: 7, description: 'a month, as YYYY-MM' })

const contactDetails = ({ username: given }: { username: string }) => ({ username: requireContact(given, 'username') })

const contact = {
  fields: { username },
  kept: (given: { username: string }) => ({ details: contactDetails(given) }),
  changes: { username },
  changed: contactDetails,
}

/** Where somebody can be paid beside banks and wallets (api.md 6). */
export const destinationSpecs: Record<OtherDestinationKind, DestinationSpec> = {
  card: specOf({
    list: 'cards',
    what: 'debit card',
    fields: {
      card_number: Type.String({ pattern: '^\\d{12,19}$', description: '12 to 19 digits' }),
      expiration_date: expiration,
      name: Type.Optional(name(1)),
    },
    kept: ({ card_number: number, expiration_date: expiry, name }, today) => {
      if (!isCardNumber(number))
        throw fieldError('invalid_request', 'card_number', 'must be a card number: its check digit is wrong')
      const expirationDate = requireExpiry(expiry, today)
      return { details: { card_number: number.slice(-4), expiration_date: expirationDate, ...(name && { name }) } }
    },
    changes: { expiration_date: Type.Optional(expiration), name: Type.Optional(name(1)) },
    changed: ({ expiration_date: expiry, name }, today) => ({
      ...(expiry && { expiration_date: requireExpiry(expiry, today) }),
      ...(name && { name }),
    }),
  }),
  paypal: specOf({ list: 'paypals', what: 'PayPal account', ...contact }),
  venmo: specOf({ list: 'venmos', what: 'Venmo account', ...contact }),
  interac: specOf({ list: 'interacs', what: 'Interac address', ...contact }),
  wire: specOf({
    list: 'wires',
    what: 'bank account for wires',
    fields: {
      name: name(2),
      routing: Type.String({
        minLength: 8,
        maxLength: 11,
        pattern: '^[A-Z0-9]+$',
        description: 'an ABA routing number or a BIC',
      }),
      account: Type.String({
        minLength: 4,
        maxLength: 34,
        pattern: '^[A-Za-z0-9]+$',
        description: 'an account number or IBAN of letters and digits',
      }),
      country: Type.Optional(
        Type.String({ pattern: '^[A-Z]{2}$', description: 'a country of two letters, such as US' }),
      ),
    },
    kept: ({ name, routing, account, country: named }) => {
      const country = requireWireBank({ routing, country: named })
      const accountNumber = requireWireAccount({ account, country })
      return { details: { name, routing, account: accountNumber.slice(-4), country }, accountNumber }
    },
    changes: { name: name(2) },
    changed: ({ name }) => ({ name }),
  }),
}
