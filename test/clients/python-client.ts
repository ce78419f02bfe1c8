import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Call, Called, GeneratedClient } from './client.ts'
import { generatePythonClient } from './generate-clients.ts'

const bridge = fileURLToPath(new URL('python_client.py', import.meta.url))

/** Calls the Python client in its own process: one line of JSON for each call, and one for its result. */
export async function startPythonClient(): Promise<GeneratedClient> {
  const { python, folder } = await generatePythonClient()
  const child = spawn(python, [bridge], {
    env: { ...process.env, PYTHONPATH: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()

  async function call(call: Call): Promise<Called> {
    child.stdin.write(`${JSON.stringify(call)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('the Python client has ended')
    const result = JSON.parse(value) as Called & { problem?: string }
    if (result.problem !== undefined) throw new Error(`${call.operationId}: ${result.problem}`)
    return result
  }

  return { name: 'Python', call, end: () => child.stdin.end() }
}
