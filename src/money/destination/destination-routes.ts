import { type TBoolean, type TOptional, Type } from 'typebox'
import { accountList } from '../../foundation/http/list/short-list.ts'
import { del, get, post, put, type Route } from '../../foundation/http/route.ts'
import { closed, idParams, named, nothing, nullable } from '../../foundation/http/schema.ts'
import { formatDate, formatDateTime } from '../../foundation/lib/clock.ts'
import {
  addDestination,
  changeDestination,
  deleteDestination,
  getDestination,
  getDestinations,
} from './destination-actions.ts'
import { type DestinationSpec, destinationName, destinationSpecs } from './destination-kind-rules.ts'
import type { OtherDestinationKind } from './destination-rules.ts'
import type { DestinationRow } from './destination-store.ts'

const tag = 'Other accounts'
const changesAccounts = { access: 'user', permission: 'accounts', needsStepUp: true, tag } as const
const reads = { access: 'user', permission: 'read', tag } as const

/** Routes for payout accounts other than banks and wallets: `/v3/account/{card,paypal,venmo,interac,wire}` (specification.md 6). */
export const destinationRoutes: Route[] = Object.entries(destinationSpecs).flatMap(([kind, spec]) => [
  ...listRoutesOf(kind as OtherDestinationKind, spec),
  ...itemRoutesOf(kind as OtherDestinationKind, spec),
])

function listRoutesOf(kind: OtherDestinationKind, spec: DestinationSpec): Route[] {
  const { list, what, note, fields, kept, shown, hasPageNumbers } = spec
  return [
    accountList(
      urlOf(kind),
      {
        ...reads,
        operationId: `list${nounOf(spec)}s`,
        summary: `List your ${what}s`,
        description: `Lists the user’s ${what}s. Payments from a wallet can be deposited into them.`,
      },
      {
        items: { [list]: readSchema(spec) },
        hasNumbers: hasPageNumbers,
        read: (deps, { caller }) => getDestinations(deps, caller, kind),
        nameOf: ({ details }) => details.name ?? null,
        show: (destination) => destinationAnswer(destination),
      },
    ),
    post(
      urlOf(kind),
      {
        ...changesAccounts,
        operationId: `add${nounOf(spec)}`,
        summary: `Add ${articleOf(spec)} ${what}`,
        description: `Adds ${articleOf(spec)} ${what} that can receive the user’s payments. ${note}`,
        body: closed(fields),
        status: 201,
        answer: destinationSchema(shown, spec),
      },
      async (deps, { caller, body }) =>
        destinationAnswer(
          await addDestination(deps, caller, { kind, ...kept(body as never, formatDate(deps.clock.now())) }),
        ),
    ),
  ]
}

function itemRoutesOf(kind: OtherDestinationKind, spec: DestinationSpec): Route[] {
  const { what, hasDefault } = spec
  const article = articleOf(spec)
  const changes = {
    ...((hasDefault ? { default: Type.Optional(Type.Boolean()) } : {}) as { default: TOptional<TBoolean> }),
    name: Type.Optional(destinationName),
  }
  return [
    get(
      `${urlOf(kind)}/:id`,
      {
        ...reads,
        operationId: `get${nounOf(spec)}`,
        summary: `Retrieve ${article} ${what}`,
        description: `Returns one of the user’s ${what}s. An owner’s key can retrieve those of its whole platform.`,
        errors: ['destination_not_found'],
        params: idParams,
        answer: readSchema(spec),
      },
      async (deps, { caller, params }) =>
        destinationAnswer(await getDestination(deps, caller, { id: params.id, kind })),
    ),
    put(
      `${urlOf(kind)}/:id`,
      {
        ...changesAccounts,
        operationId: `update${nounOf(spec)}`,
        isRepeatable: true,
        summary: `Update ${article} ${what}`,
        description: hasDefault
          ? `Renames ${article} ${what}, or makes it the default. To remove the default, assign it to another one.`
          : `Renames ${article} ${what}. Its account details cannot change. Add another one instead.`,
        errors: ['destination_not_found', 'not_the_holder'],
        params: idParams,
        body: closed(changes),
        answer: nothing,
      },
      async (deps, { caller, params, body }) => changeDestination(deps, caller, { id: params.id, kind, changes: body }),
    ),
    del(
      `${urlOf(kind)}/:id`,
      {
        ...changesAccounts,
        operationId: `delete${nounOf(spec)}`,
        summary: `Delete ${article} ${what}`,
        description: `Deletes ${article} ${what}. You cannot delete it while a payment to it is in progress.`,
        errors: ['destination_not_found', 'not_the_holder', 'destination_busy'],
        params: idParams,
        answer: nothing,
      },
      async (deps, { caller, params }) => deleteDestination(deps, caller, { id: params.id, kind }),
    ),
  ]
}

function readSchema(spec: DestinationSpec) {
  return destinationSchema([...spec.shown, ...spec.shownWhenRead], spec)
}

function urlOf(kind: OtherDestinationKind): string {
  return `/v3/account/${kind}`
}

function articleOf({ what }: DestinationSpec): string {
  return /^[aei]/i.test(what) ? 'an' : 'a'
}

/** Returns the noun in the names of the operations: `debit card` → `DebitCard`. */
function nounOf({ what }: DestinationSpec): string {
  return what.replaceAll(/(?:^| )(\w)/g, (_match, letter: string) => letter.toUpperCase())
}

/** Returns the schema of an answer. The serializer drops all other fields. */
function destinationSchema(details: readonly string[], spec: DestinationSpec) {
  const isWhole = details.length === spec.shown.length + spec.shownWhenRead.length
  return named(isWhole ? nounOf(spec) : `Created${nounOf(spec)}`, {
    id: Type.String(),
    ...Object.fromEntries(details.map((detail) => [detail, Type.String()])),
    name: nullable(Type.String()),
    ...(spec.hasDefault && { default: Type.Boolean() }),
    date: Type.String(),
  })
}

const destinationAnswer = ({ id, details, isDefault, createdAt }: DestinationRow) => ({
  id,
  ...details,
  name: details.name ?? null,
  default: isDefault,
  date: formatDateTime(createdAt),
})
