import type { CurrentConnections } from '../core/connections.ts'
import type { Drawings } from '../core/drawing.ts'
import type { EnvironmentSettings } from '../core/environment.ts'
import type { Meter } from '../core/meter.ts'
import type { KeyRing } from '../core/seal.ts'
import type { Clock } from '../lib/clock.ts'
import type { Random } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Nodes } from './cluster/nodes.ts'
import type { Pool } from './connect.ts'
import type { PlatformClocks } from './platform-clock.ts'
import type { Failures } from './step-failures.ts'
import type { InTransaction } from './transaction.ts'

/** The dependencies of actions. Every action takes them as its first parameter. */
export type Deps = {
  sql: Pool
  /** Whether each statement must name one platform (`cluster/by-platform.ts`). */
  isDistributed: boolean
  nodes: Nodes
  settings: EnvironmentSettings
  /** The contracts with banks. An environment with simulated rails has none. */
  connections: CurrentConnections
  keyRing: KeyRing
  random: Random
  log: Log
  meter: Meter
  /** Recent failures of background work (`isolate`). */
  failures: Failures
  /** Decodes images and draws paper in another process. */
  drawings: Drawings
  /** Domain time, for dates, due times and retries. In a request, it is the time of the caller's platform. */
  clock: Clock
  /** The domain time of other platforms. */
  clocks: PlatformClocks
  /** Real time, for sessions, OAuth, mail, idempotency records, rate limits, leases and `webhook-timestamp`. */
  realClock: Clock
  /** The person or program that makes the request, or null in background work. */
  actor: RequestActor | null
  /** Returns the URL of a page for mails, or null while the public URL of the service is unknown. */
  pageUrl(path: string): string | null
  /** Reads the object of a webhook event, for full bodies. */
  readEventObject: ReadEventObject
  /** Wakes the workers of this and other processes. */
  wake(): void
}

/**
 * Returns the object of an event as JSON, as `GET` returns it to an API key of the platform's owner with the permission `read`. Returns null
 * if that key cannot read the object, or if it no longer exists.
 */
export type ReadEventObject = (
  deps: Deps,
  event: { platformId: string; type: string; subjectId: string; body: string },
) => Promise<string | null>

/** The person or program that makes a request: an API key, a person, an application, or a payee who opened the link in a mail. */
export type RequestActor = { kind: 'api_key' | 'person' | 'application' | 'recipient'; id: string | null }

/** The dependencies of actions that change data. They run in a transaction. */
export type TxDeps = InTransaction<Deps>
