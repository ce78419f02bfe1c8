import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import { fakeClock } from '../../../../test/support/clock.ts'
import { logRefusals } from './refusal-log.ts'

test('refusals are logged up to a rate, with the number of omitted ones', async () => {
  const clock = fakeClock()
  type Line = { [name: string]: unknown; omitted?: number }
  const lines: Line[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app = Fastify()
  logRefusals(app, { log, clock })
  app.get('/status/:code', async (request, reply) => {
    request.refusal = { code: 'unauthorized', problem: 'unknown key' }
    return reply.code(Number((request.params as { code: string }).code)).send()
  })
  const ask = (status: number) => app.inject({ url: `/status/${status}`, remoteAddress: '192.0.2.7' })

  for (const status of [200, 400, 404, 429, 500]) await ask(status)
  assert.equal(lines.length, 0)
  for (let count = 0; count < 60; count++) await ask(count % 2 === 0 ? 401 : 403)
  assert.equal(lines.length, 50)
  const { requestId, address, method, route, status, code, problem, msg, omitted } = lines[0] as Line
  assert.match(String(requestId), /^req-/)
  assert.deepEqual(
    [address, method, route, status, code, problem, msg, omitted],
    ['192.0.2.7', 'GET', '/status/:code', 401, 'unauthorized', 'unknown key', 'request refused', undefined],
  )
  clock.advance(1)
  for (let count = 0; count < 10; count++) await ask(401)
  assert.deepEqual([lines.length, lines[50]?.omitted, lines[51]?.omitted], [55, 10, undefined])
})
