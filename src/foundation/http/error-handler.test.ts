import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { pino } from 'pino'
import { fakeClock } from '../../../test/support/clock.ts'
import { ApiError, type ErrorCode } from '../core/errors.ts'
import { createErrorHandler } from './error-handler.ts'

test('failures of the database are logged up to a rate, and each unknown outcome and internal error', async () => {
  const clock = fakeClock()
  const lines: { code: string; level: number; omitted?: number }[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const app = Fastify()
  app.setErrorHandler(createErrorHandler({ log, clock }))
  app.get('/:code', async ({ params }) => {
    throw new ApiError((params as { code: ErrorCode }).code)
  })
  const failOften = async (code: ErrorCode, times: number) => {
    for (let count = 0; count < times; count++) await app.inject(`/${code}`)
    return lines.splice(0).map(({ level, omitted }) => (omitted === undefined ? level : `${level} after ${omitted}`))
  }
  assert.deepEqual(await failOften('database_unavailable', 60), Array(50).fill(40))
  clock.advance(1)
  assert.deepEqual(await failOften('database_unavailable', 10), ['40 after 10', 40, 40, 40, 40])
  assert.deepEqual(await failOften('outcome_unknown', 60), Array(60).fill(40))
  assert.deepEqual(await failOften('internal_error', 60), Array(60).fill(50))
  assert.deepEqual(await failOften('overloaded', 60), [])
})
