import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, writeFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, openCluster, SUPERUSER } from '../packages/embedded-postgres/src/embedded-cluster.ts'
import { freePort } from '../packages/embedded-postgres/src/embedded-port.ts'
import { startEmbeddedPostgres } from '../packages/embedded-postgres/src/embedded-postgres.ts'
import { launch, shutDown } from '../packages/embedded-postgres/src/embedded-server.ts'
import { connect } from '../src/foundation/db/connect.ts'
import { classifyDatabaseError } from '../src/foundation/db/trouble.ts'
import { createLog } from '../src/foundation/lib/log.ts'

/** A primary and a standby that streams from it. */
async function startPair(t: TestContext): Promise<{ primary: Cluster; standby: Cluster }> {
  const folder = await mkdtemp(join(tmpdir(), 'remit-failover-'))
  await chmod(folder, 0o711) // so that the user who runs PostgreSQL for root can enter
  const dataDir = join(folder, 'data')
  const server = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await server.stop()
  const primary = await openCluster({ dataDir })
  const place = join(dirname(primary.folder), 'standby')
  const standby = { ...primary, folder: place, data: join(place, 'data'), port: await freePort() }
  execFileSync('cp', ['-a', primary.folder, place]) // a backup of a stopped server
  writeFileSync(join(standby.data, 'standby.signal'), '')
  if (standby.account) chownSync(join(standby.data, 'standby.signal'), standby.account.uid, standby.account.gid)
  const source = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} password=${primary.password}`
  appendFileSync(join(standby.data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  t.after(async () => {
    await Promise.all([shutDown(primary), shutDown(standby)])
    await rm(folder, { recursive: true, force: true })
  })
  const { signal } = new AbortController()
  for (const cluster of [primary, standby]) assert.equal(await launch(cluster, { signal }), 'ready')
  return { primary, standby }
}

const urlOf = (...clusters: Cluster[]): string => {
  const servers = clusters.map(({ port }) => `127.0.0.1:${port}`).join(',')
  return `postgres://${SUPERUSER}:${clusters[0]?.password}@${servers}/postgres`
}

test('the server that accepts writes is used, even after a standby was promoted', async (t) => {
  const { primary, standby } = await startPair(t)
  const open = (url: string, max = 1) => {
    const pool = connect(url, { max, applicationName: 'failover' })
    t.after(() => pool.end({ timeout: 5 }))
    return pool
  }
  const [onPrimary, onStandby] = [open(urlOf(primary)), open(urlOf(standby))]
  const sql = open(urlOf(standby, primary), 4)
  const heard: string[] = []
  const portOf = async (pool: typeof sql) => (await pool`select inet_server_port() as port`)[0]?.port
  const untilHeard = async (text: string) => {
    while (!heard.includes(text)) {
      await sql.notify('news', text).catch(() => {})
      await sleep(20)
    }
  }
  await sql.listen('news', (payload) => void heard.push(payload))
  await sql`create table notes (text text)`
  await Promise.all(['a', 'b', 'c', 'd'].map((text) => sql`insert into notes values (${text})`))
  assert.equal(await portOf(sql), primary.port)
  await untilHeard('before')
  assert.equal(await portOf(onStandby), standby.port, 'a single server may be a standby')

  const count = async () => (await onStandby`select count(*) from notes`.catch(() => []))[0]?.count
  while ((await count()) !== 4) await sleep(20)
  await onStandby`select pg_promote()`
  // The former primary was fenced. Its open sessions notice it at their next write.
  await onPrimary`alter system set default_transaction_read_only = on`
  await onPrimary`select pg_reload_conf()`
  const isFenced = async () =>
    (await onPrimary`select current_setting('default_transaction_read_only') as value`)[0]?.value
  while ((await isFenced()) !== 'on') await sleep(20)
  const writes = async () => {
    for (;;) {
      try {
        return await sql`insert into notes values ('after') returning inet_server_port() as port`
      } catch (error) {
        assert.equal(classifyDatabaseError(error), 'unreachable', String(error))
      }
    }
  }
  const [written] = await writes()
  assert.equal(written?.port, standby.port)

  await shutDown(primary)
  await Promise.all(['e', 'f', 'g', 'h'].map(writes))
  await untilHeard('after')
  assert.equal(await count(), 9)
})
