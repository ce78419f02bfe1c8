import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { requirePermission } from '../../foundation/http/permission.ts'
import { lowestIdOf, newId } from '../../foundation/lib/ids.ts'
import { failPendingDeliveries } from '../delivery/delivery-store.ts'
import { requireWebhookUrl } from '../delivery/webhook-rules.ts'
import { type BodyFormat, DEFAULT_EVENT_TYPES, type EventType } from '../event/event-rules.ts'
import {
  DELIVERIES_FAILED_AT_ONCE,
  type EndpointStatus,
  endpointStatus,
  MAX_ENDPOINTS,
  missedSince,
} from './endpoint-rules.ts'
import {
  countFailedDeliveries,
  disableEndpoint,
  type EndpointRow,
  enableEndpoint,
  findEndpoint,
  insertEndpoint,
  listEndpoints,
  lockEndpoint,
  lockEndpoints,
  markEndpointRemoved,
  updateEndpoint,
} from './endpoint-store.ts'

export type NewEndpoint = {
  url: string
  name: string | null
  eventTypes: readonly EventType[] | undefined
  bodyFormat: BodyFormat
}

/**
 * Creates an endpoint of the caller's platform.
 *
 * @throws ApiError invalid_request, permission_denied, endpoint_exists, endpoint_limit_reached
 */
export async function addEndpoint(deps: TxDeps, caller: Caller, given: NewEndpoint): Promise<EndpointRow> {
  const { platformId } = caller
  const url = requireUrl(deps, given.url)
  requireMayReceive(caller, given.bodyFormat)
  await lockEndpoints(deps.sql, platformId)
  const endpoints = await listEndpoints(deps.sql, platformId)
  refuseKnownUrl(endpoints, url)
  if (endpoints.length >= MAX_ENDPOINTS) throw new ApiError('endpoint_limit_reached')
  const endpoint = await insertEndpoint(deps.sql, {
    platformId,
    id: newId(deps),
    url,
    name: given.name,
    eventTypes: given.eventTypes ?? DEFAULT_EVENT_TYPES,
    bodyFormat: given.bodyFormat,
    now: deps.clock.now(),
  })
  await recordAudit(deps, caller, 'endpoint_created', hostAndPortOf(endpoint))
  return endpoint
}

const requireUrl = ({ settings }: TxDeps, url: string): string => requireWebhookUrl(url, 'url', settings)

/** Requires that a caller who sets the receiver of full bodies can read the objects in them. @throws ApiError permission_denied */
function requireMayReceive(caller: Caller, bodyFormat: BodyFormat): void {
  if (bodyFormat === 'FULL') requirePermission('read', caller)
}

function refuseKnownUrl(endpoints: EndpointRow[], url: string): void {
  if (!endpoints.some((endpoint) => endpoint.url === url)) return
  throw new ApiError('endpoint_exists', { fields: { url: ['already belongs to an endpoint'] } })
}

/** Returns the host and port of a URL for the audit trail. The rest of the URL may contain a secret. */
const hostAndPortOf = ({ url }: EndpointRow): string => new URL(url).host

export const getEndpoints = (deps: Deps, { platformId }: Caller): Promise<EndpointRow[]> =>
  listEndpoints(deps.sql, platformId)

/** Returns an endpoint of the caller's platform. @throws ApiError endpoint_not_found */
export async function getEndpoint(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<EndpointRow> {
  const endpoint = await findEndpoint(deps.sql, { platformId: caller.platformId, id })
  if (!endpoint) throw new ApiError('endpoint_not_found')
  return endpoint
}

export type EndpointChanges = {
  url?: string | undefined
  name?: string | null | undefined
  eventTypes?: EventType[] | undefined
  bodyFormat?: BodyFormat | undefined
  status?: EndpointStatus | undefined
}

/** An endpoint after a change. `missed` counts the deliveries that failed since `missedSince`, if the change enabled the endpoint again. */
export type ChangedEndpoint = { endpoint: EndpointRow; missed: number; missedSince: Date | null }

/**
 * Changes an endpoint. Omitted fields are unchanged.
 *
 * @throws ApiError endpoint_not_found, invalid_request, permission_denied, endpoint_exists
 */
export async function changeEndpoint(
  deps: TxDeps,
  caller: Caller,
  { id, status, ...changes }: EndpointChanges & { id: string },
): Promise<ChangedEndpoint> {
  const url = changes.url === undefined ? undefined : requireUrl(deps, changes.url)
  await lockEndpoints(deps.sql, caller.platformId)
  const before = await lockOwnerEndpoint(deps, caller, id)
  const others = await listEndpoints(deps.sql, caller.platformId)
  if (url !== undefined)
    refuseKnownUrl(
      others.filter((other) => other.id !== id),
      url,
    )
  const next = {
    url: url ?? before.url,
    name: changes.name === undefined ? before.name : changes.name,
    eventTypes: changes.eventTypes ?? before.eventTypes,
    bodyFormat: changes.bodyFormat ?? before.bodyFormat,
  }
  requireMayReceive(caller, next.bodyFormat)
  if (Object.values(changes).some((change) => change !== undefined)) {
    await updateEndpoint(deps.sql, before, next)
    await recordAudit(deps, caller, 'endpoint_changed', hostAndPortOf({ ...before, ...next }))
  }
  const missed = status === undefined ? nothingMissed : await changeStatus(deps, caller, before, status)
  return { endpoint: await getEndpoint(deps, caller, id), ...missed }
}

async function lockOwnerEndpoint(deps: TxDeps, { platformId }: Caller, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(deps.sql, { platformId, id })
  if (!endpoint) throw new ApiError('endpoint_not_found')
  return endpoint
}

type Missed = Pick<ChangedEndpoint, 'missed' | 'missedSince'>

const nothingMissed: Missed = { missed: 0, missedSince: null }

async function changeStatus(
  deps: TxDeps,
  caller: Caller,
  endpoint: EndpointRow,
  status: EndpointStatus,
): Promise<Missed> {
  const { disabledAt, failingSince } = endpoint
  if (status === endpointStatus(endpoint)) return nothingMissed
  if (disabledAt === null) {
    await disableEndpoint(deps.sql, endpoint, { now: deps.clock.now(), reason: 'OWNER' })
    await failPending(deps, endpoint)
    await recordAudit(deps, caller, 'endpoint_disabled', hostAndPortOf(endpoint))
    return nothingMissed
  }
  const since = missedSince({ disabledAt, failingSince })
  await enableEndpoint(deps.sql, endpoint)
  await recordAudit(deps, caller, 'endpoint_enabled', hostAndPortOf(endpoint))
  return { missed: await countFailedDeliveries(deps.sql, endpoint, lowestIdOf(since)), missedSince: since }
}

const failPending = (deps: TxDeps, { platformId, id }: EndpointRow): Promise<number> =>
  failPendingDeliveries(deps.sql, { platformId, endpointId: id }, DELIVERIES_FAILED_AT_ONCE)

/** Removes an endpoint and fails its pending deliveries. @throws ApiError endpoint_not_found */
export async function removeEndpoint(deps: TxDeps, caller: Caller, id: string): Promise<void> {
  const endpoint = await lockOwnerEndpoint(deps, caller, id)
  await markEndpointRemoved(deps.sql, endpoint, deps.clock.now())
  await failPending(deps, endpoint)
  await recordAudit(deps, caller, 'endpoint_removed', hostAndPortOf(endpoint))
}
