import { type Static, type TProperties, Type } from 'typebox'
import type { Deps } from '../db/deps.ts'
import { del, get, post, type Route } from '../http/route.ts'
import { closed, idParams, nothing, text, visible } from '../http/schema.ts'
import { formatDate, formatDateTime } from '../lib/clock.ts'
import { fieldError } from '../lib/errors.ts'
import { addDestination, deleteDestination, getDestination, getDestinations } from './destination-actions.ts'
import { isCardNumber, type OtherDestinationKind, requireContact, requireExpiry } from './destination-rules.ts'
import type { DestinationRow } from './destination-store.ts'

const tag = 'Other accounts'

/** What is asked for, and what of it is kept. */
type Kind<Fields extends TProperties> = {
  list: string
  what: string
  fields: Fields
  kept(
    body: Static<ReturnType<typeof closed<Fields>>>,
    deps: Pick<Deps, 'clock'>,
  ): {
    details: Record<string, string>
    accountNumber?: string
  }
}

const kindOf = <Fields extends TProperties>(kind: Kind<Fields>): Kind<TProperties> => kind as never

const username = text(1, 254)
const contact =
  (field: string) =>
  ({ username: value }: { username: string }) => ({
    details: { username: requireContact(value, field) },
  })

const kinds: Record<OtherDestinationKind, Kind<TProperties>> = {
  card: kindOf({
    list: 'cards',
    what: 'debit card',
    fields: {
      card_number: Type.String({ pattern: '^\\d{12,19}$', description: '12 to 19 digits' }),
      expiration_date: text(7, 7),
      name: Type.Optional(text(1, 128, visible)),
    },
    kept: ({ card_number: number, expiration_date: expiry, name }, { clock }) => {
      if (!isCardNumber(number))
        throw fieldError('invalid_request', 'card_number', 'must be a card number: its check digit is wrong')
      const expirationDate = requireExpiry(expiry, formatDate(clock.now()))
      return { details: { card_number: number.slice(-4), expiration_date: expirationDate, ...(name && { name }) } }
    },
  }),
  paypal: kindOf({ list: 'paypals', what: 'PayPal account', fields: { username }, kept: contact('username') }),
  venmo: kindOf({ list: 'venmos', what: 'Venmo account', fields: { username }, kept: contact('username') }),
  interac: kindOf({ list: 'interacs', what: 'Interac address', fields: { username }, kept: contact('username') }),
  wire: kindOf({
    list: 'wires',
    what: 'bank account for wires',
    fields: {
      name: text(2, 128, visible),
      routing: text(8, 11, { pattern: '^[A-Z0-9]+$', description: 'an ABA routing number or a BIC' }),
      account: text(4, 34, {
        pattern: '^[A-Za-z0-9]+$',
        description: 'an account number or IBAN of letters and digits',
      }),
      country: Type.Optional(
        Type.String({ pattern: '^[A-Z]{2}$', description: 'a country of two letters, such as US' }),
      ),
    },
    kept: ({ name, routing, account, country = 'US' }) => ({
      details: { name, routing, account: account.slice(-4), country },
      accountNumber: account,
    }),
  }),
}

/** `/v3/account/{card,paypal,venmo,interac,wire}`: where a user can be paid beside banks and wallets (api.md 6). */
export const destinationRoutes: Route[] = Object.entries(kinds).flatMap(([kind, spec]) =>
  routesOf(kind as OtherDestinationKind, spec),
)

function routesOf(kind: OtherDestinationKind, { list, what, fields, kept }: Kind<TProperties>): Route[] {
  const url = `/v3/account/${kind}`
  const shown = Object.fromEntries(Object.keys(fields).map((field) => [field, Type.Optional(Type.String())]))
  const Destination = closed({
    id: Type.String(),
    ...shown,
    country: Type.Optional(Type.String()),
    date: Type.String(),
  })
  return [
    get(
      url,
      {
        access: 'user',
        tag,
        summary: `List each ${what} of the user`,
        answer: closed({ [list]: Type.Array(Destination) }),
      },
      async (deps, { caller }) => ({ [list]: (await getDestinations(deps, caller, kind)).map(destinationAnswer) }),
    ),
    post(
      url,
      { access: 'user', tag, summary: `Add a ${what}`, body: closed(fields), status: 201, answer: Destination },
      async (deps, { caller, body }) =>
        destinationAnswer(await addDestination(deps, caller, { kind, ...kept(body as never, deps) })),
    ),
    get(
      `${url}/:id`,
      { access: 'user', tag, summary: `Read a ${what}`, params: idParams, answer: Destination },
      async (deps, { caller, params }) =>
        destinationAnswer(await getDestination(deps, caller, { id: params.id, kind })),
    ),
    del(
      `${url}/:id`,
      { access: 'user', tag, summary: `Delete a ${what}`, params: idParams, answer: nothing },
      async (deps, { caller, params }) => deleteDestination(deps, caller, { id: params.id, kind }),
    ),
  ]
}

const destinationAnswer = ({ id, details, createdAt }: DestinationRow) => ({
  id,
  ...details,
  date: formatDateTime(createdAt),
})
