import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Meter } from '../../foundation/core/meter.ts'
import type { PoolLoad } from '../../foundation/db/driver/connections.ts'
import type { OpenCases } from '../../foundation/exception/open-case-store.ts'
import type { Log } from '../../foundation/lib/log.ts'
import { type Backlog, KINDS_OF_WORK } from '../scheduler/backlog-store.ts'
import { VERSION } from './version.ts'

/** The state of an environment that is read when metrics are requested. */
export type EnvironmentProbes = {
  pools: Record<string, () => PoolLoad>
  backlog: () => Promise<Backlog>
  openCases: () => Promise<OpenCases[]>
}

/** The metrics of all environments in this process. */
export type Metrics = {
  contentType: string
  meterOf(environment: string): Meter
  watch(environment: string, probes: EnvironmentProbes): void
  /** The metrics in Prometheus text format. */
  text(): Promise<string>
}

/** The minimum time in milliseconds between two queries of the databases, even if metrics are requested more often. */
const BACKLOG_MS = 10_000

/** The methods with their own label. Anyone can send other methods, so those share one label. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']

const REQUEST_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const STEP_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300]
const GROUP_SIZES = [1, 2, 5, 10, 20, 50, 100]

export function createMetrics(log: Log): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const series = defineSeries(registry)
  const environments = new Map<string, EnvironmentProbes & { backlogAt: number }>()
  const knownKinds = new Map<string, Set<string>>()

  function setPools(environment: string, { pools }: EnvironmentProbes): void {
    for (const [pool, load] of Object.entries(pools)) {
      for (const [state, count] of Object.entries(load())) series.pool.set({ environment, pool, state }, count)
    }
  }

  /**
   * Sets the metrics of open exceptions, with 0 for kinds that have none. `open` is null if the database did not answer. Then the metrics
   * are removed.
   */
  function setOpenCases(environment: string, open: readonly OpenCases[] | null): void {
    const kinds = knownKinds.get(environment) ?? new Set()
    for (const { kind } of open ?? []) kinds.add(kind)
    knownKinds.set(environment, kinds)
    for (const kind of kinds) {
      const labels = { environment, kind }
      const { count = 0, cents = 0, oldestSeconds = 0 } = open?.find((one) => one.kind === kind) ?? {}
      const values = [
        [series.openCases, count],
        [series.openCasesHeld, cents],
        [series.openCasesAge, oldestSeconds],
      ] as const
      for (const [gauge, value] of values) open ? gauge.set(labels, value) : gauge.remove(labels)
    }
  }

  async function setBacklog(environment: string, watched: EnvironmentProbes & { backlogAt: number }): Promise<void> {
    if (performance.now() < watched.backlogAt + BACKLOG_MS) return
    watched.backlogAt = performance.now()
    try {
      const [backlog, openCases] = [await watched.backlog(), await watched.openCases()]
      for (const work of KINDS_OF_WORK) {
        series.backlog.set({ environment, work }, backlog[work].count)
        series.backlogAge.set({ environment, work }, backlog[work].oldestSeconds)
      }
      setOpenCases(environment, openCases)
      series.databaseUp.set({ environment }, 1)
    } catch (error) {
      log.warn({ err: error, environment }, 'metrics lack the values from the database')
      for (const work of KINDS_OF_WORK) {
        series.backlog.remove({ environment, work })
        series.backlogAge.remove({ environment, work })
      }
      setOpenCases(environment, null)
      series.databaseUp.set({ environment }, 0)
    }
  }

  return {
    contentType: registry.contentType,
    meterOf: (environment) => meterOf(environment, series),
    watch: (environment, watched) => {
      environments.set(environment, { ...watched, backlogAt: -Infinity })
      series.build.set({ environment, version: VERSION }, 1)
    },
    text: async () => {
      for (const [environment, watched] of environments) setPools(environment, watched)
      await Promise.all([...environments].map(([environment, watched]) => setBacklog(environment, watched)))
      return registry.metrics()
    },
  }
}

type Series = ReturnType<typeof defineSeries>

function defineSeries(registry: Registry) {
  const define = (name: string, help: string, labels: string[]) => ({
    name: `remit_${name}`,
    help,
    labelNames: ['environment', ...labels],
    registers: [registry],
  })
  const counter = (...given: Parameters<typeof define>) => new Counter<string>(define(...given))
  const gauge = (...given: Parameters<typeof define>) => new Gauge<string>(define(...given))
  const histogram = (buckets: number[], ...given: Parameters<typeof define>) =>
    new Histogram<string>({ ...define(...given), buckets })
  const labelsOfRequest = ['method', 'route']
  return {
    requests: counter('http_requests_total', 'Requests that were answered.', [...labelsOfRequest, 'status']),
    requestSeconds: histogram(REQUEST_SECONDS, 'http_request_seconds', 'Time to the answer.', labelsOfRequest),
    requestsNotLogged: counter('requests_not_logged_total', 'Requests that are missing from the request log.', []),
    accepted: counter('payments_accepted_total', 'Payments that were accepted.', []),
    paymentChanges: counter('payment_changes_total', 'Payments that reached a status.', ['status']),
    legChanges: counter('leg_changes_total', 'Legs that reached a status.', ['rail', 'direction', 'status']),
    attempts: counter('webhook_attempts_total', 'Attempts to deliver a webhook.', ['outcome']),
    attemptSeconds: histogram(REQUEST_SECONDS, 'webhook_attempt_seconds', 'Response time of a receiver.', []),
    backlog: gauge(
      'backlog',
      'Webhooks, legs, mail and messages between platforms that are due and not done; at most 10000 of each.',
      ['work'],
    ),
    backlogAge: gauge('backlog_oldest_seconds', 'Time for which the oldest of them has been due.', ['work']),
    groupSize: histogram(GROUP_SIZES, 'commit_group_size', 'Payments that share a commit.', []),
    exceptions: counter('exceptions_total', 'Exceptions that were put on the list of the operator.', ['kind']),
    openCases: gauge('exceptions_open', 'Exceptions that wait for the operator.', ['kind']),
    openCasesHeld: gauge('exceptions_open_held_cents', 'The money that waits for their decision, in cents.', ['kind']),
    openCasesAge: gauge('exceptions_open_oldest_seconds', 'Time for which the oldest of them has waited.', ['kind']),
    bankFiles: counter('bank_files_total', 'Files for the bank that reached a status.', [
      'connection',
      'kind',
      'status',
    ]),
    exchangeBlocked: gauge(
      'bank_exchange_blocked',
      'Whether the files of a connection wait for "remit files recover".',
      ['connection'],
    ),
    bankSilent: gauge('bank_silent', 'Whether nothing came from a bank in the time that its connection expects.', [
      'connection',
    ]),
    sessions: counter('bank_sessions_total', 'Sessions at the servers of banks.', ['connection', 'outcome']),
    sessionSeconds: histogram(STEP_SECONDS, 'bank_session_seconds', 'Time of such a session.', ['connection']),
    lateBankFiles: counter('bank_files_late_total', 'Files whose transmission or acknowledgement is late.', [
      'connection',
      'kind',
      'late',
    ]),
    steps: counter('step_runs_total', 'Passes of background work.', ['step']),
    stepFailures: counter('step_failures_total', 'Passes that failed, and failures for one platform.', ['step']),
    platformsFailing: gauge('step_failing_platforms', 'Platforms whose background work fails now.', ['step']),
    stepSeconds: histogram(STEP_SECONDS, 'step_seconds', 'Time of a pass.', ['step']),
    pool: gauge('database_connections', 'Connections by state; waiting: the callers that wait for one.', [
      'pool',
      'state',
    ]),
    databaseUp: gauge('database_up', 'Whether the database answered the last query.', []),
    offendingRows: gauge('ledger_offending_rows', 'Rows that offend a check of the ledger; at most 50.', ['check']),
    checkedRows: gauge('ledger_checked_rows', 'Rows that the check read.', ['check']),
    build: gauge('build_info', 'The version of this process; the value is always 1.', ['version']),
    verifiedAt: gauge('ledger_verified_timestamp_seconds', 'Time of the last verification of the ledger.', []),
    verifySeconds: gauge('ledger_verification_seconds', 'Duration of the last verification.', []),
  }
}

const meterOf = (environment: string, series: Series): Meter => ({
  answered: ({ method: sent, route: found, status, seconds }) => {
    const method = METHODS.includes(sent) ? sent : 'other'
    const route = found ?? 'none'
    series.requests.inc({ environment, method, route, status })
    series.requestSeconds.observe({ environment, method, route }, seconds)
  },
  requestNotLogged: () => series.requestsNotLogged.inc({ environment }),
  paymentAccepted: () => series.accepted.inc({ environment }),
  paymentChanged: (status) => series.paymentChanges.inc({ environment, status }),
  legChanged: ({ rail, direction, status }) => series.legChanges.inc({ environment, rail, direction, status }),
  webhookAttempted: ({ outcome, seconds }) => {
    series.attempts.inc({ environment, outcome })
    series.attemptSeconds.observe({ environment }, seconds)
  },
  exceptionOpened: (kind) => series.exceptions.inc({ environment, kind }),
  bankFileChanged: (file) => series.bankFiles.inc({ environment, ...file }),
  exchangeBlocked: ({ connection, isBlocked }) =>
    series.exchangeBlocked.set({ environment, connection }, isBlocked ? 1 : 0),
  bankFileLate: (file) => series.lateBankFiles.inc({ environment, ...file }),
  bankSilent: ({ connection, isSilent }) => series.bankSilent.set({ environment, connection }, isSilent ? 1 : 0),
  sessionEnded: ({ connection, outcome, seconds }) => {
    series.sessions.inc({ environment, connection, outcome })
    series.sessionSeconds.observe({ environment, connection }, seconds)
  },
  groupCommitted: (size) => series.groupSize.observe({ environment }, size),
  stepRan: ({ step, seconds, hasFailed }) => {
    series.steps.inc({ environment, step })
    series.stepFailures.inc({ environment, step }, hasFailed ? 1 : 0)
    series.stepSeconds.observe({ environment, step }, seconds)
  },
  stepFailed: (step) => series.stepFailures.inc({ environment, step }),
  platformsFailing: ({ step, count }) => series.platformsFailing.set({ environment, step }, count),
  ledgerVerified: ({ at, seconds, checks }) => {
    for (const { check, checked, offending } of checks) {
      series.checkedRows.set({ environment, check }, checked)
      series.offendingRows.set({ environment, check }, offending)
    }
    series.verifiedAt.set({ environment }, at.getTime() / 1000)
    series.verifySeconds.set({ environment }, seconds)
  },
})
