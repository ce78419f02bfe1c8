import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { isPublic } from '../src/foundation/http/route.ts'
import {
  createMatrix,
  OWN_VIEWS,
  openCallers,
  openColleague,
  openSessions,
  routeName,
} from './support/access-matrix.ts'
import { playApiStory } from './support/api-story.ts'
import { fakeClock } from './support/clock.ts'
import { apiDocument } from './support/documented.ts'
import { noteForeignWrites } from './support/foreign-writes.ts'
import { sandboxRoutes } from './support/generated.ts'
import { startTestService } from './support/service.ts'
import { webCalls } from './support/web-calls.ts'

// Every operation × every kind of caller × objects of another owner. The API story calls each operation of openapi.json
// with existing objects and a valid body. Before each call, all other callers try the same call. They must neither read
// nor change anything.

const realClock = fakeClock()
const service = await startTestService({ after }, { realClock })
const { owner } = service
const routes = sandboxRoutes()
const { user: platform } = (await owner.get('/v3/user')).body
const { callers, otherPlatformId, user } = await openCallers(service, { owner, platformId: platform.id })
const { institutions } = (await owner.get('/v3/bank/institutions')).body
const writes = await noteForeignWrites(service.ownerSql, platform.id)
const ownIds = [user.id, user.credential.split(':')[0] as string]
const publicIds = new Set([...ownIds, ...institutions.map(({ id }: { id: string }) => id)])
const matrix = createMatrix(routes, { callers, writes, publicIds })

test('every operation of openapi.json refuses other callers according to its access, permission and scopes', async () => {
  const story = playApiStory(service, { lifetime: { after }, realClock, through: matrix.through })
  const failure = await story.then(
    () => null,
    (error) => error,
  )
  assert.deepEqual(matrix.problems, [])
  assert.equal(failure, null)
  const documented = Object.entries(apiDocument.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
  )
  assert.deepEqual(documented.sort(), routes.filter(isPublic).map(routeName).sort())
  assert.deepEqual([...matrix.attacked].sort(), documented, 'the story of the API calls each operation')
  assert.deepEqual(matrix.unseen(), [], 'the story shows people and accounts')
})

/** These calls end sessions of their caller. */
const LAST = ['DELETE /web/v1/sessions', 'POST /web/v1/team/leave']

test('every call of the pages refuses other callers according to its access and permission', async () => {
  const { users } = (await owner.get('/v3/user/list')).body
  const { id: userId } = users.find(({ user_id }: { user_id: string }) => user_id === 'alice')
  const { calls, shown } = await webCalls(service, routes, { id: platform.id, owner, userId })
  matrix.learn(JSON.stringify(shown))
  matrix.problems.length = 0
  const isLast = (call: (typeof calls)[number]) => LAST.includes(routeName(call.route))
  const all = [...callers, await openColleague(service, platform.id)]
  for (const call of calls.filter((each) => !isLast(each))) await matrix.attack(call, all)
  for (const call of calls.filter(isLast)) await matrix.attack(call, await openSessions(service, otherPlatformId))
  assert.deepEqual(matrix.problems, [])
  assert.deepEqual([...matrix.attacked].sort(), routes.map(routeName).sort())
})

test('no operation that changes something requires only a read permission', () => {
  const changing = routes.filter(({ method }) => method !== 'GET')
  const weak = changing.filter(({ spec }) => ['read', 'export', 'audit'].includes(spec.permission ?? ''))
  assert.deepEqual(weak.map(routeName), OWN_VIEWS)
})

test('the callers tried thousands of calls', (t) => {
  const { refused, reached, foreign } = matrix.count
  const operations = matrix.attacked.size
  t.diagnostic(`${operations} operations, ${refused + reached} calls: ${refused} refused, ${reached} handled`)
  t.diagnostic(`${foreign} of the handled calls named an object of another owner and did not find it`)
  assert.ok(refused > 5 * operations)
  assert.ok(foreign > 2 * operations)
})
