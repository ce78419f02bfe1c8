import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))
const PORT = 14_801

/** The demo in its own process, with its data in `folder`. */
export async function startDemo(folder: string): Promise<{ url: string; pid: number; end(): Promise<void> }> {
  const args = [PROGRAM, 'start', '--environments', 'demo', '--port', String(PORT), '--data-dir', join(folder, 'data')]
  const env = { PATH: process.env.PATH, HOME: folder, REMIT_LOG_LEVEL: 'warn' }
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = `http://localhost:${PORT}`
  while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`)
    await sleep(200)
  }
  return {
    url,
    pid: child.pid as number,
    end: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}
