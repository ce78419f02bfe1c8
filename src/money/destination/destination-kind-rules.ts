import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { fieldError } from '../../foundation/core/errors.ts'
import {
  isCardNumber,
  type OtherDestinationKind,
  requireCvv,
  requireExpiry,
  requireWireAccount,
  requireWireBank,
} from './destination-rules.ts'

/**
 * The stored data of a destination, in addition to its name. `accountNumber` is stored sealed. The number of a card is stored only if a
 * processor needs it.
 */
export type KeptDestination = { details: Record<string, string>; accountNumber?: string }

/**
 * A kind of destination: the fields of its requests, the data that is stored, and the fields that answers show in addition to `id`, `date`
 * and `name` (specification.md 6).
 */
export type DestinationSpec<Fields extends TProperties = TProperties> = {
  list: 'cards' | 'accounts'
  what: string
  /** A note for the API reference about adding a destination. */
  note: string
  fields: Fields
  /** Returns the data of a request that is stored. `today` is `YYYY-MM-DD`. @throws ApiError invalid_request */
  kept(given: Static<TObject<Fields>>, today: string): KeptDestination
  /** The details that every answer contains. `shownWhenRead`: details that only the answer about a single destination contains. */
  shown: readonly string[]
  shownWhenRead: readonly string[]
  /** Whether one destination of this kind can be the default. */
  hasDefault: boolean
  /** Whether lists have `page`, `pages` and `total`. In the compatible service, lists of some kinds have none. */
  hasPageNumbers: boolean
}

const specOf = <Fields extends TProperties>(spec: DestinationSpec<Fields>): DestinationSpec => spec as never

const visibleText = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', description: 'a text that is not only white space' })

const textOrNull = (options: object) => Type.Unsafe<string | null>({ type: ['string', 'null'], ...options })

/** The name of a destination, or null. It is the only text that can change. */
export const destinationName = textOrNull({
  minLength: 1,
  maxLength: 128,
  pattern: '\\S',
  description: 'a text that is not only white space, or null',
})

const name = Type.Optional(destinationName)
const countryCode = (description: string) => Type.Optional(textOrNull({ pattern: '^[A-Z]{2}$', description }))

/** The address of the holder of a wire account. Banks want it in separate fields. */
const holderAddress = {
  line_1: Type.Optional(textOrNull({ maxLength: 70 })),
  city: Type.Optional(textOrNull({ maxLength: 35 })),
  state: Type.Optional(textOrNull({ maxLength: 35 })),
  zip: Type.Optional(textOrNull({ maxLength: 16 })),
  holder_country: countryCode('a country of two letters. Default: the country of the bank'),
}

const optionalText = (maxLength: number) => Type.Optional(textOrNull({ maxLength }))

const billingAddress = Type.Object(
  {
    line_1: visibleText(100),
    line_2: optionalText(100),
    city: optionalText(40),
    state: optionalText(30),
    zip: optionalText(10),
    country: optionalText(64),
  },
  { additionalProperties: false },
)

const contact = {
  list: 'accounts',
  note: '`username` is the name under which the account is known there.',
  fields: { username: { ...visibleText(128), format: 'name' } },
  kept: ({ username }: { username: string }) => ({ details: { username: username.trim() } }),
  shown: [],
  shownWhenRead: [],
  hasDefault: false,
  hasPageNumbers: false,
} as const

/** The kinds of payout accounts other than banks and wallets. */
export const destinationSpecs: Record<OtherDestinationKind, DestinationSpec> = {
  card: specOf({
    list: 'cards',
    what: 'debit card',
    note: 'The first one is the default. `cvv` and `address` are checked and not stored. In production, the number is stored encrypted if payments to cards are offered. Otherwise, only its last four digits are.',
    fields: {
      card_number: Type.String({ pattern: '^\\d{12,19}$', description: '12 to 19 digits' }),
      expiration_date: Type.String({ minLength: 7, maxLength: 7, description: 'a month, as YYYY-MM' }),
      cvv: Type.Optional(textOrNull({ pattern: '^\\d{3,4}$', description: '3 or 4 digits' })),
      address: Type.Optional(Type.Union([billingAddress, Type.Null()])),
      name,
    },
    // The security code and the address are only used to check the card. They are not stored.
    kept: ({ card_number: number, expiration_date: expiry, cvv, name }, today) => {
      if (!isCardNumber(number))
        throw fieldError('invalid_request', 'card_number', 'is not a valid card number: its check digit does not match')
      if (cvv != null) requireCvv(cvv, number)
      const expirationDate = requireExpiry(expiry, today)
      const details = { card_number: number.slice(-4), expiration_date: expirationDate, ...(name && { name }) }
      return { details, accountNumber: number }
    },
    shown: ['card_number'],
    shownWhenRead: ['expiration_date'],
    hasDefault: true,
    hasPageNumbers: false,
  }),
  paypal: specOf({
    what: 'PayPal account',
    ...contact,
  }),
  venmo: specOf({
    what: 'Venmo account',
    ...contact,
  }),
  interac: specOf({
    what: 'Interac account',
    ...contact,
    hasPageNumbers: true,
  }),
  wire: specOf({
    list: 'accounts',
    what: 'wire account',
    note: '`routing` is an ABA routing number, or the BIC of a bank abroad; `account` may be an IBAN. Banks want the address of the holder: `city` at least, and `holder_country` if it is not the country of the bank. In production, a payment to an account without it can be refused.',
    fields: {
      account: Type.String({
        minLength: 4,
        maxLength: 34,
        pattern: '^[A-Za-z0-9]+$',
        description: 'an account number or IBAN of letters and digits',
      }),
      routing: Type.String({
        minLength: 8,
        maxLength: 11,
        pattern: '^[A-Z0-9]+$',
        description: 'an ABA routing number or a BIC',
      }),
      type: Type.Unsafe<string>({ type: 'string', enum: ['CHECKING', 'SAVINGS', 'BUSINESS'] }),
      name,
      country: countryCode('a country of two letters, such as US'),
      ...holderAddress,
    },
    kept: ({ account, routing, type, name, country: named, holder_country: holderCountry, ...address }) => {
      const country = requireWireBank({ routing, country: named })
      const accountNumber = requireWireAccount({ account, country })
      const parts = Object.entries(address).flatMap(([key, part]) => (part?.trim() ? [[key, part.trim()]] : []))
      const holder = { ...Object.fromEntries(parts), holder_country: holderCountry ?? country }
      const details = { routing, account: accountNumber.slice(-4), type, country, ...holder, ...(name && { name }) }
      return { details, accountNumber }
    },
    shown: ['account', 'routing'],
    shownWhenRead: [],
    hasDefault: false,
    hasPageNumbers: true,
  }),
}
