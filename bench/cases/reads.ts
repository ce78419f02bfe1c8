import { fill } from '../fill/fill.ts'
import { fillPlatform } from '../fill/fill-world.ts'
import type { Target } from '../load/load-job.ts'
import { startHelper } from '../support/helper.ts'
import { measureHttp } from '../support/measure.ts'
import { install, startService, withDatabase } from '../support/service.ts'
import type { Comparison, Stage, StageContext, Subject } from '../support/stage.ts'
import { read } from '../support/targets.ts'
import { makeWorld, type World } from '../support/world.ts'
import type { BareAnswers } from '../yardsticks/bare-answers.ts'
import type { BareSql } from '../yardsticks/bare-sql.ts'

// Reading payments: one by its id, and the first page of a list.

const CONNECTIONS = 64
const USERS = 1_000
const PAYMENTS = 100_000
const LIST = '/v3/check?per_page=50'

const comparisons: Comparison[] = [
  { caseName: 'get', subject: 'get', yardstick: 'bare-get', of: 'rate', floor: 0.15, aim: 0.22 },
  { caseName: 'get', subject: 'get', yardstick: 'sql-get', of: 'rate', floor: 0.7, aim: 0.85 },
  { caseName: 'list', subject: 'list', yardstick: 'bare-list', of: 'rate', floor: 0.05, aim: 0.08 },
  { caseName: 'list', subject: 'list', yardstick: 'sql-list', of: 'rate', floor: 0.7, aim: 0.85 },
]

export const readCases = { cases: ['get', 'list'], prepare }

async function prepare(context: StageContext): Promise<Stage> {
  const { server, say } = context
  say(`creating ${USERS} users with ${PAYMENTS} payments`)
  const production = await install(server, { environment: 'production', database: 'reads' })
  const world = await withDatabase(production, (deps) => makeWorld(deps, { name: 'readers', userCount: USERS }))
  const platform = await withDatabase(production, (deps) => fillPlatform(deps, world))
  const { databaseUrl } = production
  await fill({ databaseUrl, platforms: [platform], hasBigUser: false, count: PAYMENTS })
  const gets = await withDatabase(production, (deps) => readOwnPayments(deps, world))
  const lists = world.users.map(({ authorization }) => read(authorization, LIST))
  const service = await startService(production)
  const bareGet = startHelper<BareAnswers>('yardsticks/bare-answers.ts')
  const bareList = startHelper<BareAnswers>('yardsticks/bare-answers.ts')
  const bareSql = startHelper<BareSql>('yardsticks/bare-sql.ts')
  const userIds = Object.fromEntries(world.users.map(({ authorization, id }) => [authorization, id]))
  const urls = {
    get: await bareGet.call('answerBytes', await answerTo(service.url, gets[0] as Target)),
    list: await bareList.call('answerBytes', await answerTo(service.url, lists[0] as Target)),
    sql: await bareSql.call('listen', { databaseUrl, platformId: world.platformId, userIds }),
  }
  await requireSameAnswer([service.url, urls.sql], [gets[1] as Target, lists[1] as Target])
  const subject = (name: string, title: string, { url, pid, targets }: Asked): Subject => {
    const given = { url, pid, targets, connections: CONNECTIONS, hasIdempotencyKeys: false }
    return { name, title, measure: (seconds) => measureHttp(context, { ...given, seconds }) }
  }
  const subjects = [
    subject('get', 'GET /v3/check/{id}, over many keys', { url: service.url, pid: service.pid, targets: gets }),
    subject('bare-get', 'Fastify answering the same bytes', { url: urls.get, pid: bareGet.pid, targets: gets }),
    subject('sql-get', 'the same SQL behind a bare Fastify route', { url: urls.sql, pid: bareSql.pid, targets: gets }),
    subject('list', `GET ${LIST}`, { url: service.url, pid: service.pid, targets: lists }),
    subject('bare-list', 'Fastify answering the same bytes', { url: urls.list, pid: bareList.pid, targets: lists }),
    subject('sql-list', 'the same SQL behind a bare Fastify route', {
      url: urls.sql,
      pid: bareSql.pid,
      targets: lists,
    }),
  ]
  const end = async () => {
    await Promise.all([service.stop(), bareGet.end(), bareList.end(), bareSql.end()])
  }
  return { subjects, comparisons, notes, end }
}

type Asked = { url: string; pid: number; targets: Target[] }

const notes = [
  `${PAYMENTS} payments are read by ${USERS} users, each with its API key. The SQL behind a bare route runs over unmodified postgres.js, with as many connections as the service has.`,
]

const READ_PAYMENTS = 20_000

/** Each payment is read by its sender. */
async function readOwnPayments(
  deps: Parameters<Parameters<typeof withDatabase>[1]>[0],
  world: World,
): Promise<Target[]> {
  const rows = await deps.sql<{ id: string; senderId: string }[]>`
    select id, sender_id
    from payments
    where platform_id = ${world.platformId}
    limit ${READ_PAYMENTS}
  `
  const authorizations = new Map(world.users.map(({ id, authorization }) => [id, authorization]))
  return rows.map(({ id, senderId }) => read(authorizations.get(senderId) ?? '', `/v3/check/${id}`))
}

async function answerTo(url: string, { path, headers }: Target): Promise<string> {
  const response = await fetch(`${url}${path}`, { headers })
  if (!response.ok) throw new Error(`${path} answered ${response.status}`)
  return response.text()
}

/** A baseline must return the same answer, because otherwise it measures something else. */
async function requireSameAnswer([url, other]: [string, string], targets: Target[]): Promise<void> {
  for (const target of targets) {
    const [answer, otherAnswer] = await Promise.all([answerTo(url, target), answerTo(other, target)])
    if (answer !== otherAnswer) throw new Error(`${target.path} answers\n${answer}\nand with bare SQL\n${otherAnswer}`)
  }
}
