import { Type } from 'typebox'
import { pageNumbersSchema, pageOfShortList, shortListQuery } from '../http/list-query.ts'
import { del, get, post, put, type Route } from '../http/route.ts'
import { closed, idParams, nothing } from '../http/schema.ts'
import { formatDate, formatDateTime } from '../lib/clock.ts'
import {
  addDestination,
  changeDestination,
  deleteDestination,
  getDestination,
  getDestinations,
} from './destination-actions.ts'
import { type DestinationSpec, destinationSpecs } from './destination-kind-rules.ts'
import type { OtherDestinationKind } from './destination-rules.ts'
import type { DestinationRow } from './destination-store.ts'

const tag = 'Other accounts'

/** `/v3/account/{card,paypal,venmo,interac,wire}`: where a user can be paid beside banks and wallets (api.md 6). */
export const destinationRoutes: Route[] = Object.entries(destinationSpecs).flatMap(([kind, spec]) =>
  routesOf(kind as OtherDestinationKind, spec),
)

function routesOf(kind: OtherDestinationKind, spec: DestinationSpec): Route[] {
  const { list, what, fields, kept, changes, changed } = spec
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
        query: shortListQuery,
        answer: closed({ [list]: Type.Array(Destination), ...pageNumbersSchema }),
      },
      async (deps, { caller, query }) => {
        const { rows, numbers } = pageOfShortList(await getDestinations(deps, caller, kind), query)
        return { [list]: rows.map(destinationAnswer), ...numbers }
      },
    ),
    post(
      url,
      { access: 'user', tag, summary: `Add a ${what}`, body: closed(fields), status: 201, answer: Destination },
      async (deps, { caller, body }) =>
        destinationAnswer(
          await addDestination(deps, caller, { kind, ...kept(body as never, formatDate(deps.clock.now())) }),
        ),
    ),
    get(
      `${url}/:id`,
      { access: 'user', tag, summary: `Read a ${what}`, params: idParams, answer: Destination },
      async (deps, { caller, params }) =>
        destinationAnswer(await getDestination(deps, caller, { id: params.id, kind })),
    ),
    put(
      `${url}/:id`,
      {
        access: 'user',
        tag,
        summary: `Change a ${what}`,
        params: idParams,
        body: closed(changes),
        answer: nothing,
      },
      async (deps, { caller, params, body }) => {
        const details = changed(body as never, formatDate(deps.clock.now()))
        await changeDestination(deps, caller, { id: params.id, kind, details })
      },
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
