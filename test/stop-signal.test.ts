import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

/** Stops at the first signal, is then busy until a line arrives, and reports when its timers and its signals have had their turn. */
const PROGRAM = `
  import { readSync, writeSync } from 'node:fs'
  import { stopOnSignals } from '${new URL('../src/operation/cli/stop-signal.ts', import.meta.url)}'
  const stopping = stopOnSignals(['SIGTERM', 'SIGINT'], () => writeSync(1, 'servers '))
  stopping.addEventListener('abort', () => {
    setTimeout(() => setImmediate(() => writeSync(1, 'free ')), 150)
    writeSync(1, 'stopping ')
    readSync(0, new Uint8Array(8))
  })
  setTimeout(() => writeSync(1, 'running '))
  setInterval(() => {}, 1000)
`

test('signals that arrive while the process is busy count as one, and a later one ends it at once', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  t.after(() => child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const until = async (text: string) => {
    while (!output.includes(text) && child.exitCode === null) await Promise.race([once(child.stdout, 'data'), ended])
  }
  await until('running')
  child.kill('SIGINT')
  await until('stopping')
  child.kill('SIGTERM')
  await sleep(200) // longer than signals may be apart to count as one
  child.stdin.write('on\n')
  await until('free')
  assert.equal(output, 'running stopping free ')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [1, null])
  assert.equal(output, 'running stopping free servers ')
})
