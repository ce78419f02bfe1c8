import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#embedded-postgres'
import { connect, type Pool } from '../../src/foundation/db/connect.ts'
import { createLog } from '../../src/foundation/lib/log.ts'
import { parentOf } from './cpu.ts'
import { loadStatementCounts } from './statement-counts.ts'

/** The PostgreSQL server of a run: embedded, with the service's settings. */
export type Server = {
  /** A folder on the database's disk. It is deleted after the run, unless the caller named it. */
  folder: string
  /** The URL for the owner. */
  url(database: string): string
  /** The URL for the service role. */
  serviceUrl(database: string): string
  /** The postmaster. Its children do the work. */
  pid: number
  settings: Record<string, string>
  stop(): Promise<void>
}

const SHOWN_SETTINGS = [
  'server_version',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_sync_method',
  'shared_buffers',
  'max_wal_size',
  'checkpoint_timeout',
  'wal_compression',
]

/**
 * @param kept a folder whose data is kept; otherwise it is in REMIT_BENCH_DIR or the folder for temporary files
 * @param options.countsStatements whether the server counts statements (`statement-counts.ts`), which takes a little of its time
 */
export async function startServer(
  kept: string | null = null,
  { countsStatements = false }: { countsStatements?: boolean } = {},
): Promise<Server> {
  const folder = kept ?? (await mkdtemp(join(process.env.REMIT_BENCH_DIR ?? tmpdir(), 'remit-bench-')))
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711) // so that the user who runs PostgreSQL for root can enter
  const start = () => startEmbeddedPostgres({ dataDir: join(folder, 'data'), log: createLog('warn') })
  if (countsStatements) {
    const first = await start()
    await loadStatementCounts(first.url('postgres'))
    await first.stop()
  }
  const postgres = await start()
  const stop = async () => {
    await postgres.stop()
    if (kept === null) await rm(folder, { recursive: true, force: true }).catch(() => {})
  }
  try {
    const admin = connect(postgres.url('postgres'), { max: 1, applicationName: 'bench' })
    const known = { settings: await readSettings(admin), pid: await readServerPid(admin) }
    await admin.end()
    return { folder, url: postgres.url, serviceUrl: postgres.serviceUrl, ...known, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readSettings(sql: Pool): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; setting: string }[]>`
    select name, current_setting(name) as setting
    from pg_settings
    where name = any (${SHOWN_SETTINGS})
  `
  const settings = new Map(rows.map(({ name, setting }) => [name, setting]))
  return Object.fromEntries(SHOWN_SETTINGS.map((name) => [name, settings.get(name) ?? 'unknown']))
}

async function readServerPid(sql: Pool): Promise<number> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return parentOf(row?.pid ?? 0)
}
