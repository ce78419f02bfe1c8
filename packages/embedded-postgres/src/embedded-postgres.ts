import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Binaries } from './embedded-binaries.ts'
import { type Cluster, openCluster, removeUnfinished, SUPERUSER } from './embedded-cluster.ts'
import { type Connection, connect, disconnect, takeLock } from './embedded-lock.ts'
import { freePort } from './embedded-port.ts'
import { asPostgresProblem, PostgresProblem } from './embedded-problem.ts'
import { type ClusterRecord, readRecord, rememberPort } from './embedded-record.ts'
import { launch, ownedClusters, shutDown } from './embedded-server.ts'
import { makeServiceRole, SERVICE_ROLE, servicePassword } from './embedded-service-role.ts'

export type EmbeddedPostgres = {
  /** Connection URL of a database for its owner: TCP on 127.0.0.1 with a password. */
  url(database: string): string
  /** The connection URL for the service role, which owns nothing. */
  serviceUrl(database: string): string
  /** Stops the server if this process owns it. */
  stop(): Promise<void>
}

/** Receives messages for the operator. A pino logger fits. */
export type Log = Record<'debug' | 'info' | 'error', (fields: object, message: string) => void>

/** @property binaries another PostgreSQL than the one of the npm package: the folder that contains its `bin` */
export type EmbeddedPostgresOptions = { dataDir: string; log: Log; binaries?: Binaries | undefined }

/** A backend that was busy when PostgreSQL was killed blocks the cluster for seconds. */
const TAKEOVER_TIMEOUT_MS = 30_000
const RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

const TAKEN = 'another remit process took over the data directory'

/**
 * Owns the cluster of a data directory while this process runs: creates it, takes over a PostgreSQL that outlived a
 * killed service, and restarts it when it crashes. Throws a `PostgresProblem`, also when another process owns it.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return acquire(options, ({ cluster, holder }) => {
    throw new PostgresProblem(
      `The data directory ${cluster.dataDir} is in use by another remit process (pid ${holder}). Stop that process, or name another directory with --data-dir.`,
    )
  })
}

/** Serves a command that runs next to a service: uses its server, or owns one for the duration of the command. */
export async function borrowEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  return acquire(options, ({ cluster }) => ({ ...urlsOf(cluster), stop: async () => {} }))
}

type Urls = Pick<EmbeddedPostgres, 'url' | 'serviceUrl'>

/** The URLs of the cluster of a data directory, which may be stopped. Changes nothing. Null: there is no cluster. */
export async function findEmbeddedPostgres(dataDir: string): Promise<Urls | null> {
  const record = await readRecord(resolve(dataDir))
  return record ? urlsOf(record) : null
}

type InUse = { cluster: Cluster; holder: number }

async function acquire(
  { dataDir: path, log, binaries }: EmbeddedPostgresOptions,
  whenInUse: (inUse: InUse) => EmbeddedPostgres,
): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32')
    throw new PostgresProblem('The embedded PostgreSQL does not run on Windows. Set DATABASE_URL.')
  const dataDir = resolve(path)
  const startedAt = performance.now()
  try {
    const cluster = await openCluster({ dataDir, binaries })
    const held = await hold(cluster, { signal: new AbortController().signal, mayMove: true })
    if ('holder' in held) return whenInUse({ cluster, holder: held.holder })
    await settle(cluster, { lock: held.lock })
    const ms = Math.round(performance.now() - startedAt)
    log.debug({ port: cluster.port, folder: cluster.folder, ms }, 'PostgreSQL is ready')
    return own(cluster, { log, lock: held.lock })
  } catch (error) {
    throw asPostgresProblem(error, { path: dataDir })
  }
}

/** The lock, or the process that holds it. */
type Held = { lock: Connection } | { holder: number }

/** Connects to the server, starts it if necessary, and takes the lock. */
async function hold(cluster: Cluster, { signal, mayMove }: { signal: AbortSignal; mayMove: boolean }): Promise<Held> {
  let reason = 'it kept disappearing'
  for (let deadline = Date.now() + TAKEOVER_TIMEOUT_MS; Date.now() < deadline && !signal.aborted; ) {
    const connection = await connect(cluster)
    if ('client' in connection) {
      const held = await tryLock(cluster, connection)
      if (held) return held
    } else if (connection.isBusy) {
      // The server is recovering or shutting down, which takes an unknown time.
      deadline = Date.now() + TAKEOVER_TIMEOUT_MS
    } else {
      reason = connection.reason
      const launched = await launch(cluster, { signal })
      if (launched === 'ready') continue
      if (launched === 'port_taken' && mayMove) cluster.port = await freePort()
    }
    await sleep(RETRY_MS)
  }
  throw new PostgresProblem(
    `PostgreSQL in ${cluster.folder} was not there within ${TAKEOVER_TIMEOUT_MS / 1000} s: ${reason}.`,
  )
}

/** Returns nothing when the server went away in the meantime. */
async function tryLock(cluster: Cluster, connection: Connection): Promise<Held | undefined> {
  try {
    await makeServiceRole(connection, cluster)
    const taken = await takeLock(connection)
    cluster.port = connection.port
    if (!taken) return { lock: connection }
    await disconnect(connection)
    return taken
  } catch {
    await disconnect(connection)
    return undefined
  }
}

/** The first steps of a new owner. If they fail, it stops the server. */
async function settle(cluster: Cluster, { lock }: { lock: Connection }): Promise<void> {
  try {
    await removeUnfinished(cluster)
    await rememberPort(cluster)
  } catch (error) {
    await shutDown(cluster)
    await disconnect(lock)
    throw error
  }
}

function own(cluster: Cluster, { log, lock }: { log: Log; lock: Connection }): EmbeddedPostgres {
  const ending = new AbortController()
  let held: Promise<Held | undefined> = Promise.resolve({ lock })
  const watch = async ({ closed }: Connection) => {
    ownedClusters.add(cluster)
    await closed
    ownedClusters.delete(cluster)
    if (ending.signal.aborted) return
    log.error({ port: cluster.port }, 'connection to PostgreSQL lost: restarting it')
    held = reacquire(cluster, { log, signal: ending.signal })
    const regained = await held
    if (regained && 'lock' in regained) void watch(regained.lock)
  }
  const end = async () => {
    ending.abort()
    const last = await held
    if (last && 'holder' in last) return
    // The lock is kept until the server is down, so that no other process takes over a server that is about to end.
    const isDown = await shutDown(cluster)
    if (!isDown) log.error({ folder: cluster.folder }, 'PostgreSQL did not stop')
    if (last) await disconnect(last.lock)
  }
  void watch(lock)
  let ended: Promise<void> | undefined
  const stop = () => {
    ended ??= end()
    return ended
  }
  return { ...urlsOf(cluster), stop }
}

/**
 * Tries until the cluster is ours again or the service ends. Reports another owner. The port stays, because it is in
 * use.
 */
async function reacquire(
  cluster: Cluster,
  { log, signal }: { log: Log; signal: AbortSignal },
): Promise<Held | undefined> {
  let complaint = ''
  let held: Held | undefined
  for (let waitMs = RETRY_MS; !signal.aborted; waitMs = Math.min(2 * waitMs, LONGEST_RETRY_MS)) {
    try {
      held = await hold(cluster, { signal, mayMove: false })
      if ('lock' in held) {
        log.info({ port: cluster.port }, 'PostgreSQL is running again')
        return held
      }
      if (complaint !== TAKEN) log.error({ pid: held.holder }, TAKEN)
      complaint = TAKEN
    } catch (err) {
      if (!signal.aborted && complaint !== String(err)) log.error({ err }, 'PostgreSQL did not start: trying again')
      complaint = String(err)
    }
    await sleep(waitMs, undefined, { signal }).catch(() => {})
  }
  return held
}

/** The port may change until the cluster is ours. */
function urlsOf(record: Pick<ClusterRecord, 'port' | 'password'>): Urls {
  const urlOf = (role: string, password: string) => (database: string) =>
    `postgres://${role}:${password}@127.0.0.1:${record.port}/${encodeURIComponent(database)}`
  return { url: urlOf(SUPERUSER, record.password), serviceUrl: urlOf(SERVICE_ROLE, servicePassword(record)) }
}
