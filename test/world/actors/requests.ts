import type { Deps } from '../../../src/foundation/db/deps.ts'
import type { Answer, Api } from '../../support/api.ts'
import { type CrashPoint, crashing } from '../../support/crash.ts'
import type { Dice } from '../dice.ts'
import { count, keep } from '../world.ts'

// Requests whose process crashes before a statement, at the commit, or after it, so that the client does not learn the outcome.

/** Makes transactions of a service crash where and when the caller requests it. */
export type Mortality = { during<Result>(fault: Fault, work: () => Promise<Result>): Promise<Result> }

type Fault = { point: CrashPoint; failureOf?: (what: string) => Error }

/** @param deps the dependencies of the requests. Their pool is replaced by one that can fail */
export function makeMortal(deps: Deps): Mortality {
  const pool = deps.sql
  let current = pool
  deps.sql = Object.assign(new Proxy(pool, { get: (_, name) => Reflect.get(current, name) }))
  return {
    async during({ point, failureOf }, work) {
      current = crashing({ ...deps, sql: pool }, point, failureOf).sql
      try {
        return await work()
      } finally {
        current = pool
      }
    },
  }
}

export const databaseFails = (code: string) => (what: string) => Object.assign(new Error(what), { code })

/** The kinds of crashes: the process crashes, the connection is lost (also at the commit), or the disk of the database is full. */
export function drawFault(dice: Dice, statements: number): Fault {
  const within = { afterStatements: dice.between(0, statements) }
  const kind = dice.one(['death', 'death', 'lost connection', 'full disk'] as const)
  if (kind === 'full disk') return { point: within, failureOf: databaseFails('53100') }
  const point = dice.one<CrashPoint>(['before_commit', 'after_commit', 'after_commit', within])
  return kind === 'death' ? { point } : { point, failureOf: databaseFails('CONNECTION_CLOSED') }
}

const DEATHS = 0.08
/** About the number of statements of a request. */
const STATEMENTS = 20

const isOutcomeKnown = ({ status }: Answer): boolean => status < 500

/** A world whose requests can crash. */
type Scene = { dice: Dice; mortality: Mortality; step: number; seen: Record<string, number> }

export type Client = Pick<Api, 'get' | 'post' | 'put' | 'del'>

/**
 * Sends a request that can crash. The client repeats it until it learns the outcome. A POST has an Idempotency-Key, which is sometimes used
 * twice without a crash.
 *
 * @returns the last answer. `hasDied`: an earlier attempt may have succeeded
 */
export async function ask(
  world: Scene,
  client: Client,
  { method = 'post', path, body }: { method?: 'post' | 'put' | 'del'; path: string; body?: object | undefined },
): Promise<Answer & { hasDied: boolean }> {
  const { dice } = world
  const headers = { 'idempotency-key': `step ${world.step} ${path} ${dice.between(0, 1e9)}` }
  const send = (): Promise<Answer> =>
    method === 'post'
      ? sendWithKey(client, { path, body, headers })
      : method === 'put'
        ? client.put(path, body)
        : client.del(path)
  const fate = dice.random()
  const hasDied = fate < DEATHS
  if (hasDied) {
    const died = await world.mortality.during(drawFault(dice, STATEMENTS), send)
    count(world, isOutcomeKnown(died) ? 'request survived' : `request died: ${method}`)
    if (isOutcomeKnown(died)) return { ...died, hasDied: false }
  }
  const answer = await send()
  keep('a request fails only with a reason', isOutcomeKnown(answer) ? [] : [`${method} ${path} ${answer.text}`])
  if (method === 'post' && fate > 0.92) {
    const again = await send()
    keep('a repeated request has the first answer', again.text === answer.text ? [] : [answer.text, again.text])
  }
  return { ...answer, hasDied }
}

/** Sends a request. Counts it as `what`, or as `not what` with the code of the refusal. */
export async function attempt(
  world: Scene,
  client: Client,
  what: string,
  request: Parameters<typeof ask>[2],
): Promise<Answer & { hasDied: boolean; isDone: boolean }> {
  const answer = await ask(world, client, request)
  const isDone = answer.status < 300
  count(world, isDone ? what : `not ${what}: ${answer.body?.code}`)
  return { ...answer, isDone }
}

/** Options for clients of the API, and headers for browsers. */
function sendWithKey(
  client: Client,
  { path, body, headers }: { path: string; body: object | undefined; headers: Record<string, string> },
): Promise<Answer> {
  const options = 'credential' in client ? { headers } : (headers as object)
  return client.post(path, body, options)
}
