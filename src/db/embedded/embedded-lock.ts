import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { type Cluster, SUPERUSER } from './embedded-cluster.ts'
import { readPostmaster } from './embedded-server.ts'

/** A connection to the running server. `closed` becomes true when it ends, for any reason. */
export type Connection = { sql: postgres.Sql; port: number; closed: Promise<void> }

/** The session-level advisory lock of the data directory's owner, in the database `postgres`. */
const LOCK = { space: 0x72656d69, key: 1 }

const CONNECT_SECONDS = 5
/** How often to wait for the session of a dead process to end. */
const GONE_OWNER_TRIES = 50
const CANNOT_CONNECT_NOW = '57P03'

/** Why there is no connection. `isBusy`: the server runs but does not accept connections yet, or any more. */
export type Unconnected = { isBusy: boolean; reason: string }

/** Never connects to another cluster: the password is random, and a copied data directory is recognized by its path. */
export async function connect(cluster: Cluster): Promise<Connection | Unconnected> {
  const postmaster = await readPostmaster(cluster)
  if (!postmaster) return { isBusy: false, reason: 'it is not running' }
  const connection = open(cluster, { port: postmaster.port })
  try {
    const folder = await dataDirectory(connection)
    if ((await realpath(folder)) === (await realpath(cluster.data))) return connection
    throw new Error(`port ${postmaster.port} belongs to ${folder}`)
  } catch (error) {
    await disconnect(connection)
    const { code, message } = error as { code?: string; message: string }
    return { isBusy: code === CANNOT_CONNECT_NOW, reason: message }
  }
}

export async function disconnect({ sql }: Connection): Promise<void> {
  await sql.end({ timeout: 0 })
}

/** Returns nothing when the lock is ours from now on, otherwise the process that holds it. */
export async function takeLock({ sql }: Connection): Promise<{ holder: number } | undefined> {
  for (let tries = 0; ; tries++) {
    const [row] = await sql`select pg_try_advisory_lock(${LOCK.space}::int, ${LOCK.key}::int) as taken`
    if (row?.taken) return undefined
    const holder = await lockHolder(sql)
    if (holder && (isAlive(holder) || tries >= GONE_OWNER_TRIES)) return { holder }
    await sleep(100)
  }
}

function open({ password }: Cluster, { port }: { port: number }): Connection {
  const { promise: closed, resolve: onclose } = Promise.withResolvers<void>()
  const sql = postgres({
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user: SUPERUSER,
    password,
    ssl: false,
    max: 1,
    max_lifetime: null,
    idle_timeout: 0,
    connect_timeout: CONNECT_SECONDS,
    fetch_types: false,
    onnotice: () => {},
    onclose: () => onclose(),
    connection: { application_name: `remit ${process.pid}` },
  })
  return { sql, port, closed }
}

/** Has its own time limit, because postgres.js reconnects endlessly to a server that hangs up silently. */
async function dataDirectory({ sql }: Connection): Promise<string> {
  const timeout = new AbortController()
  const tooLate = sleep(CONNECT_SECONDS * 1000, undefined, { signal: timeout.signal }).then(() => {
    throw new Error('it does not answer')
  })
  tooLate.catch(() => {})
  try {
    const [row] = await Promise.race([sql`select current_setting('data_directory') as folder`, tooLate])
    return row?.folder
  } finally {
    timeout.abort()
  }
}

async function lockHolder(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql`
    select application_name
    from pg_locks
    join pg_stat_activity using (pid)
    where locktype = 'advisory'
      and granted
      and classid = ${LOCK.space}::int::oid
      and objid = ${LOCK.key}::int::oid
      and pg_locks.database = (select oid from pg_database where datname = current_database())`
  return Number(row?.application_name.replace('remit ', '')) || undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
