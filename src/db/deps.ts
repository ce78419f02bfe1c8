import type { Drawings } from '../core/drawing.ts'
import type { EnvironmentSettings } from '../core/environment.ts'
import type { Meter } from '../core/meter.ts'
import type { KeyRing } from '../core/seal.ts'
import type { Clock } from '../lib/clock.ts'
import type { Random } from '../lib/ids.ts'
import type { Log } from '../lib/log.ts'
import type { Pool } from './connect.ts'
import type { Failures } from './isolation.ts'
import type { PlatformClocks } from './platform-clock.ts'
import type { InTransaction } from './transaction.ts'

/** What every action is given first. */
export type Deps = {
  sql: Pool
  settings: EnvironmentSettings
  keyRing: KeyRing
  random: Random
  log: Log
  meter: Meter
  /** What failed lately in background work: see `isolate`. */
  failures: Failures
  /** What decodes images and draws paper, away from this process. */
  drawings: Drawings
  /** Domain time: dates, due times, retries. In a request, that of the caller's platform. */
  clock: Clock
  /** The domain time of other platforms. */
  clocks: PlatformClocks
  /** Real time: sessions, OAuth, mail, idempotency records, rate limits, leases, `webhook-timestamp`. */
  realClock: Clock
  /** Tells the workers that there is something to do, here and in other processes. */
  wake(): void
}

/** The same inside a transaction: actions that change something take this. */
export type TxDeps = InTransaction<Deps>
