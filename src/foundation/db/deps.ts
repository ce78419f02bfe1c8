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

/** The first parameter of every action. */
export type Deps = {
  sql: Pool
  /** Whether each statement must name one platform: see `cluster/by-platform.ts`. */
  isDistributed: boolean
  nodes: Nodes
  settings: EnvironmentSettings
  keyRing: KeyRing
  random: Random
  log: Log
  meter: Meter
  /** Recent failures of background work: see `isolate`. */
  failures: Failures
  /** Decodes images and draws paper in another process. */
  drawings: Drawings
  /** Domain time for dates, due times and retries. In a request, the clock of the caller's platform. */
  clock: Clock
  /** The domain time of other platforms. */
  clocks: PlatformClocks
  /** Real time for sessions, OAuth, mail, idempotency records, rate limits, leases and `webhook-timestamp`. */
  realClock: Clock
  /** Who makes the request. Null in background work. */
  actor: RequestActor | null
  /** The URL of a page, for mails. Null while the address of the service is unknown. */
  pageUrl(path: string): string | null
  /** Wakes the workers of this and other processes. */
  wake(): void
}

/** Who makes a request: an API key, a person, an application, or a payee through the link in its mail. */
export type RequestActor = { kind: 'api_key' | 'person' | 'application' | 'recipient'; id: string | null }

/** `Deps` inside a transaction. Actions that change something take this. */
export type TxDeps = InTransaction<Deps>
