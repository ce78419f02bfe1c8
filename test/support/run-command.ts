import { main } from '../../src/main.ts'
import { isSetting } from './process.ts'

type Result = { code: number; stdout: string; stderr: string }

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command in this process with only these settings. A separate process takes half a second of CPU time
 * (`runRemit`). Commands run in sequence, because they share the console and the environment.
 */
export function runCommand(args: string[], settings: Record<string, string>): Promise<Result> {
  const result = last.then(() => withSettings(settings, () => captureConsole(() => main(args))))
  last = result.catch(() => {})
  return result
}

async function withSettings<T>(settings: Record<string, string>, run: () => Promise<T>): Promise<T> {
  const before = Object.entries(process.env).filter(([name]) => isSetting(name))
  for (const [name] of before) delete process.env[name]
  Object.assign(process.env, settings)
  try {
    return await run()
  } finally {
    for (const name of Object.keys(settings)) delete process.env[name]
    Object.assign(process.env, Object.fromEntries(before))
  }
}

async function captureConsole(run: () => Promise<number>): Promise<Result> {
  const { log, error } = console
  const output = { stdout: '', stderr: '' }
  const capture = (name: keyof typeof output) => (text: string) => {
    output[name] += `${text}\n`
  }
  Object.assign(console, { log: capture('stdout'), error: capture('stderr') })
  try {
    return { code: await run(), ...output }
  } finally {
    Object.assign(console, { log, error })
  }
}
