import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../lib/log.ts'
import type { Sql } from '../connect.ts'
import { isNodeDown } from '../trouble.ts'

// On a cluster, a statement about all platforms runs on each node and fails if one node does not answer. While a node is down, background
// work selects only the platforms of the other nodes.

export type Nodes = {
  /** Returns the platforms whose node answers, or null if all nodes do. */
  answering(): string[] | null
  /** Returns the place of a platform, or null on one server, or if it was not looked up yet. */
  placeOf(platformId: string): Place | null
  stop(): Promise<void>
}

/** The nodes of a database on one server. */
export const oneNode: Nodes = { answering: () => null, placeOf: () => null, stop: async () => {} }

const CHECKED_EVERY_MS = 1_000
/** A node counts as down if it takes longer than this to read one row. */
const PATIENCE_MS = 5_000

/** Checks the nodes of Citus repeatedly. Logs when a node stops answering and when it answers again. */
export function watchNodes({ sql, log }: { sql: Sql; log: Log }, everyMs = CHECKED_EVERY_MS): Nodes {
  let answering: string[] | null = null
  let down: number[] = []
  let places = new Map<string, Place>()
  const checks = new Checks(sql)
  const ending = new AbortController()
  async function check() {
    const listed = await listPlaces(sql)
    places = new Map(listed.map((place) => [place.platformId, place]))
    const now = await checks.findDown(listed)
    answering = now.length === 0 ? null : listed.filter(({ node }) => !now.includes(node)).map((one) => one.platformId)
    for (const node of now.filter((one) => !down.includes(one)))
      log.warn({ node }, 'a node of the cluster does not answer: its platforms wait, and the others are served')
    for (const node of down.filter((one) => !now.includes(one)))
      log.info({ node }, 'a node of the cluster answers again')
    down = now
  }
  async function watch() {
    while (!ending.signal.aborted) {
      // An error here means that the coordinator itself does not answer. Then every background step fails and reports it.
      await check().catch((error) => log.debug({ err: error }, 'the nodes of the cluster were not checked'))
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {})
    }
  }
  const watching = watch()
  return {
    answering: () => answering,
    placeOf: (platformId) => places.get(platformId) ?? null,
    stop: async () => {
      ending.abort()
      await watching
    },
  }
}

/** The place of a platform: the id of its node (`pg_dist_node.groupid`) and of its shard of the users. */
export type Place = { platformId: string; node: number; shard: string }

function listPlaces(sql: Sql): Promise<Place[]> {
  return sql<Place[]>`
    select k.platform_id, p.groupid as node, p.shardid::text as shard
    from (select distinct platform_id from login_platforms) k
    join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('users', k.platform_id)
    order by k.platform_id
  `
}

/** Checks the nodes of a cluster by reading a row of one platform on each. A node is not checked again while its check is still running. */
class Checks {
  readonly #sql: Sql
  readonly #running = new Map<number, Promise<boolean>>()

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async findDown(places: readonly Place[]): Promise<number[]> {
    const samples = [...new Map(places.map((place) => [place.node, place])).values()]
    const answers = await Promise.all(samples.map((sample) => this.#doesAnswer(sample)))
    return samples.filter((_sample, index) => !answers[index]).map(({ node }) => node)
  }

  async #doesAnswer(sample: Place): Promise<boolean> {
    const running = this.#running.get(sample.node) ?? this.#start(sample)
    const patience = new AbortController()
    try {
      return await Promise.race([running, sleep(PATIENCE_MS, false, { signal: patience.signal }).catch(() => false)])
    } finally {
      patience.abort()
    }
  }

  #start({ node, platformId }: Place): Promise<boolean> {
    const check = readRow(this.#sql, platformId).finally(() => this.#running.delete(node))
    this.#running.set(node, check)
    return check
  }
}

/** Reads a row of a platform. @returns false if its node is down */
async function readRow(sql: Sql, platformId: string): Promise<boolean> {
  try {
    await sql`select from users where platform_id = ${platformId} and id = ${platformId}`
    return true
  } catch (error) {
    if (isNodeDown(error)) return false
    throw error
  }
}
