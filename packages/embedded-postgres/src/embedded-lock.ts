import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Cluster, SUPERUSER } from './embedded-cluster.ts'
import { readPostmaster } from './embedded-server.ts'

/** A connection to the running server. `closed` becomes true when it ends, for any reason. */
export type Connection = { client: pg.Client; port: number; closed: Promise<void> }

/** The session-level advisory lock of the data directory's owner, in the database `postgres`. */
const LOCK = { space: 0x72656d69, key: 1 }

const CONNECT_MS = 5_000
/** The interval at which it checks whether the session of a dead process has ended. */
const GONE_OWNER_TRIES = 50
const CANNOT_CONNECT_NOW = '57P03'

/**
 * The reason for a missing connection. `isBusy`: the server runs but does not accept connections yet, or no longer
 * does.
 */
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

export async function disconnect({ client }: Connection): Promise<void> {
  await client.end().catch(() => {})
}

/** Returns nothing when the lock is ours from now on, otherwise the process that holds it. */
export async function takeLock({ client }: Connection): Promise<{ holder: number } | undefined> {
  for (let tries = 0; ; tries++) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1::int, $2::int) as taken', [
      LOCK.space,
      LOCK.key,
    ])
    if (rows[0]?.taken) return undefined
    const holder = await lockHolder(client)
    if (holder && (isAlive(holder) || tries >= GONE_OWNER_TRIES)) return { holder }
    await sleep(100)
  }
}

function open({ password }: Cluster, { port }: { port: number }): Connection {
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  const client = new pg.Client({
    host: '127.0.0.1',
    port,
    database: 'postgres',
    user: SUPERUSER,
    password,
    ssl: false,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    application_name: `remit ${process.pid}`,
  })
  client.on('error', () => {})
  client.on('end', resolve)
  return { client, port, closed }
}

async function dataDirectory({ client }: Connection): Promise<string> {
  await client.connect()
  const { rows } = await client.query<{ folder: string }>("select current_setting('data_directory') as folder")
  return rows[0]?.folder as string
}

async function lockHolder(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ application_name: string }>(
    `select application_name
    from pg_locks
    join pg_stat_activity using (pid)
    where locktype = 'advisory'
      and granted
      and classid = $1::int::oid
      and objid = $2::int::oid
      and pg_locks.database = (select oid from pg_database where datname = current_database())`,
    [LOCK.space, LOCK.key],
  )
  return Number(rows[0]?.application_name.replace('remit ', '')) || undefined
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
