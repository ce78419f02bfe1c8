import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHelperProcess, JobProblem } from './helper-process.ts'

/** The jobs of the helper process: `echo`, `fail`, `hang` (blocks the process forever), `pid`. */
const file = new URL('../../../test/support/helper-jobs.ts', import.meta.url)
const limits = { file, timeLimitMs: 60_000, heapMiB: 64, residentMiB: 1_024, idleMs: 60_000 }

test('a job receives bytes and returns a result or an error, and the process is reused for the next job', async (t) => {
  const helper = createHelperProcess(limits)
  t.after(helper.end)
  const bytes = Buffer.from([0, 255])
  assert.deepEqual(await helper.run('echo', { bytes, at: new Date(0) }), { bytes, at: new Date(0) })
  const pid = await helper.run('pid', null)
  await assert.rejects(helper.run('fail', null), /^Error: fail: Error: failed$/)
  assert.equal(await helper.run('pid', null), pid)
})

test('a job that takes too long is killed with its process, and the next job gets a new process', async (t) => {
  const helper = createHelperProcess({ ...limits, timeLimitMs: 10_000 }) // enough for a short job on a busy machine
  t.after(helper.end)
  const pid = await helper.run('pid', null)
  await assert.rejects(helper.run('hang', null), JobProblem)
  assert.notEqual(await helper.run('pid', null), pid)
})

test('a job fails when its process is killed, and the next job gets a new process', async (t) => {
  const helper = createHelperProcess(limits)
  t.after(helper.end)
  const pid = (await helper.run('pid', null)) as number
  const hanging = helper.run('hang', null)
  process.kill(pid, 'SIGKILL')
  await assert.rejects(hanging, JobProblem)
  assert.notEqual(await helper.run('pid', null), pid)
})

test('the process ends when it is idle or holds too much memory after a job', async (t) => {
  const helper = createHelperProcess({ ...limits, residentMiB: 1 })
  t.after(helper.end)
  assert.notEqual(await helper.run('pid', null), await helper.run('pid', null))
  const idle = createHelperProcess({ ...limits, idleMs: 1 })
  const pid = (await idle.run('pid', null)) as number
  const isThere = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  while (isThere()) await new Promise((resolve) => setTimeout(resolve, 5))
})

test('the helper process inherits no environment variables', async (t) => {
  const helper = createHelperProcess(limits)
  t.after(helper.end)
  process.env.REMIT_TEST_SECRET = 'secret'
  t.after(() => delete process.env.REMIT_TEST_SECRET)
  const names = (await helper.run('environment', null)) as string[]
  assert.ok(!names.includes('REMIT_TEST_SECRET') && !names.includes('DATABASE_URL'), names.join())
})
