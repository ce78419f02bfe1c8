import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { inheritedVariables } from './process.ts'
import { LIMIT_MS } from './wait-until.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))

/** A command that runs until it is ended. */
export type RunningCommand = {
  lines(): string[]
  stderr(): string
  /** Waits until a text was printed `count` times. */
  waitFor(text: string | RegExp, count?: number): Promise<void>
  exited: Promise<number | null>
  /** Sends a signal and waits for the exit. @returns the exit code */
  end(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts `node bin/remit.js …`, or another program, in a folder, with only these settings. Kills it after the test if
 * it still runs.
 */
export function startCommand(
  t: TestContext,
  args: string[],
  { cwd, env = {}, program = PROGRAM }: { cwd: string; env?: Record<string, string>; program?: string },
): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...inheritedVariables(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  const printed = new EventTarget()
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      printed.dispatchEvent(new Event('text'))
    })
  }
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const countOf = (text: string | RegExp) => (output.stdout + output.stderr).split(text).length - 1
  return {
    lines: () => output.stdout.split('\n').slice(0, -1),
    stderr: () => output.stderr,
    waitFor: async (text, count = 1) => {
      const signal = AbortSignal.timeout(LIMIT_MS)
      while (countOf(text) < count) {
        await Promise.race([
          once(printed, 'text', { signal }),
          exited.then(() => {
            if (countOf(text) < count) throw new Error(`ended before "${text}": ${output.stdout}${output.stderr}`)
          }),
        ]).catch((error) => {
          throw new Error(`did not find "${text}" in: ${output.stdout}${output.stderr}`, { cause: error })
        })
      }
    },
    exited,
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return exited
    },
  }
}
