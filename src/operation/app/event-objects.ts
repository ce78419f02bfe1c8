import { ApiError } from '../../foundation/core/errors.ts'
import type { Permission } from '../../foundation/core/permission-rules.ts'
import type { Deps, ReadEventObject } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import type { AnyInput, Route } from '../../foundation/http/route.ts'
import { buildSerializer } from '../../foundation/http/serialization.ts'
import { bankRoutes } from '../../money/bank/bank-routes.ts'
import { walletRoutes } from '../../money/wallet/wallet-routes.ts'
import { invoiceRoutes } from '../../orders/invoice/invoice-routes.ts'
import { subscriptionRoutes } from '../../orders/subscription/subscription-routes.ts'
import { checkbookRoutes } from '../../payments/checkbook/checkbook-routes.ts'
import { mailboxRoutes } from '../../payments/mailbox/mailbox-routes.ts'
import { paymentRoutes } from '../../payments/payment/payment-routes.ts'
import { profileRoutes } from '../../people/user/profile-routes.ts'
import type { EventType } from '../../webhook/event/event-rules.ts'
import { bankHooks, userHooks } from './removal.ts'

// Finds and runs the `GET` routes of event objects, for full webhook bodies, which contain the object as its `GET` returns it.

/** Returns the `GET` route of the object for each event type. */
export function eventObjectRoutes(own: { baseUrl: () => string }): Record<EventType, Route> {
  const find = (url: string, routes: Route[]): Route => {
    const route = routes.find((one) => one.method === 'GET' && one.url === url)
    if (!route) throw new Error(`there is no GET ${url}`)
    return route
  }
  return {
    CHECK: find('/v3/check/:id', paymentRoutes()),
    INVOICE: find('/v3/invoice/:id', invoiceRoutes(own)),
    BANK: find('/v3/bank/:id', bankRoutes(bankHooks)),
    USER: find('/v3/user/:id', profileRoutes(userHooks)),
    PREFUND_ACCOUNT: find('/v3/account/wallet/:id', walletRoutes),
    CHECKBOOK: find('/v3/checkbook/:id', checkbookRoutes),
    SUBSCRIPTION: find('/v3/subscription/:id', subscriptionRoutes),
    MAIL: find('/v3/mailbox/:id/mail/:item', mailboxRoutes),
  }
}

const READ_ONLY: ReadonlySet<Permission> = new Set(['read'])

/** Creates the reader of event objects. */
export function createEventObjectReader(own: { baseUrl: () => string }): ReadEventObject {
  const readers = new Map(
    Object.entries(eventObjectRoutes(own)).map(([type, route]) => {
      let serialize: ((value: unknown) => string) | null = null
      const read = async (deps: Deps, input: Pick<AnyInput, 'caller' | 'params'>) => {
        const object = await route.run(deps, input as AnyInput, null)
        serialize ??= buildSerializer(route.spec.answer as object)
        return serialize(object)
      }
      return [type, read] as const
    }),
  )
  return async (deps, { platformId, type, subjectId, body }) => {
    const clock = await deps.clocks.of(platformId)
    const params = type === 'MAIL' ? { id: JSON.parse(body).mailbox, item: subjectId } : { id: subjectId }
    try {
      return (await readers.get(type)?.({ ...deps, clock }, { caller: ownerOf(platformId), params })) ?? null
    } catch (error) {
      // null if the owner cannot read the object, or it was deleted
      if (error instanceof ApiError && error.status === 404) return null
      throw error
    }
  }
}

/** Returns the owner of a platform as a caller with a read-only API key, so that account numbers are masked. */
const ownerOf = (platformId: string): Caller => ({
  platformId,
  userId: platformId,
  isOwner: true,
  permissions: READ_ONLY,
  credential: { kind: 'api_key', id: platformId },
  origin: { address: '', userAgent: null },
})
