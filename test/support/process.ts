import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withDatabase } from '../../src/foundation/db/schema/create-database.ts'
import type { FirstOwnerFile } from '../../src/operation/app/first-owner.ts'
import { createTestDatabase, onServer, testServerUrl } from './postgres.ts'
import { LIMIT_MS } from './wait-until.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/remit.js', import.meta.url))

/** Variables of a child process. From this process it inherits only variables that are not settings of Remit. */
type Variables = Record<string, string>

export type ProcessOptions = {
  /** The home folder. It contains the master keys, unless the data directory does. */
  home: string
  env?: Variables
  /** The Node.js to use. */
  node?: string
  /** The time limit until the process is ready. */
  timeoutMs?: number
}

export type Exit = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type RemitProcess = {
  child: ChildProcess
  /** The time from the start to the ready line. */
  startMs: number
  stdout(): string
  stderr(): string
  /** The URL of an environment from its line `ready sandbox http://…`. */
  url(environment?: string): string
  exited: Promise<Exit>
  /** Sends a signal and waits for the exit. */
  end(signal?: NodeJS.Signals): Promise<Exit>
}

type End = () => Promise<unknown>
type Lifetime = { after(end: () => Promise<void>): void }

const ends = new WeakMap<Lifetime, End[]>()

/** Registers cleanup in reverse order: a process ends before its folder and its database are deleted. */
function atEnd(t: Lifetime, end: End): void {
  const known = ends.get(t)
  if (known) return void known.push(end)
  const list = [end]
  ends.set(t, list)
  t.after(async () => {
    for (const next of list.toReversed()) await next()
  })
}

/** A folder that is deleted after the test. */
export async function temporaryFolder(t: Lifetime): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'remit-process-'))
  atEnd(t, () => rm(path, { recursive: true, force: true }))
  return path
}

/** The URL of a database that does not exist yet. It and the demo's database are deleted after the test. */
export function missingDatabase(t: Lifetime): string {
  const name = `test_${randomBytes(6).toString('hex')}`
  atEnd(t, () =>
    onServer(async (server) => {
      await server`drop database if exists ${server(name)} with (force)`
      await server`drop database if exists ${server(`${name}_demo`)} with (force)`
    }),
  )
  return withDatabase(testServerUrl(), name)
}

/** The URL of a migrated database, for its owner. A process that starts on it has nothing to migrate. */
export async function migratedDatabase(t: Lifetime): Promise<string> {
  const { ownerUrl, drop } = await createTestDatabase()
  atEnd(t, drop)
  return ownerUrl
}

/** Starts `remit start`, `serve` or `worker` and waits until it is ready. Kills it after the test if it still runs. */
export async function startProcess(t: Lifetime, args: string[], options: ProcessOptions): Promise<RemitProcess> {
  const begin = performance.now()
  const { child, stdout, stderr, exited } = launch(args, options)
  const { timeoutMs = LIMIT_MS } = options
  atEnd(t, () => {
    child.kill('SIGKILL')
    return exited
  })
  const isReady = () => /^(ready|working) /m.test(stdout()) && stdout().endsWith('\n')
  const deadline = AbortSignal.timeout(timeoutMs)
  while (!isReady()) {
    const ended = await Promise.race([exited, once(child.stdout as never, 'data', { signal: deadline })])
    if ('code' in ended) throw new Error(`remit ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`)
  }
  return {
    child,
    startMs: performance.now() - begin,
    stdout,
    stderr,
    url: (environment = 'sandbox') => {
      const [, url] = new RegExp(`^ready ${environment} (\\S+)$`, 'm').exec(stdout()) ?? []
      if (!url) throw new Error(`${environment} is not among: ${stdout()}`)
      return url
    },
    exited,
    end: (signal = 'SIGTERM') => {
      child.kill(signal)
      return exited
    },
  }
}

/** Starts a process without waiting until it is ready. */
export function beginProcess(
  t: Lifetime,
  args: string[],
  options: ProcessOptions,
): Pick<RemitProcess, 'child' | 'end'> {
  const { child, exited } = launch(args, options)
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    return exited
  }
  atEnd(t, () => end('SIGKILL'))
  return { child, end }
}

/** Runs a command to its end. */
export const runRemit = (args: string[], options: ProcessOptions): Promise<Exit> => launch(args, options).exited

export const readFirstOwner = async (dataDir: string, environment = 'sandbox'): Promise<FirstOwnerFile> =>
  JSON.parse(await readFile(join(dataDir, `${environment}.json`), 'utf8'))

/** Whether a variable is a setting of Remit or of Node.js. Node.js needs its compile cache. */
export const isSetting = (name: string): boolean => /^(REMIT_|DATABASE_URL$|NODE_(?!COMPILE_CACHE$))/.test(name)

/** The variables that a child inherits: no settings, and the compile cache. */
export const inheritedVariables = (): Variables =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !isSetting(name))) as Variables

function launch(args: string[], { home, env, node = process.execPath }: ProcessOptions) {
  const child = spawn(node, [PROGRAM, ...args], {
    cwd: home,
    env: { ...inheritedVariables(), HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.stderr += text
  })
  const exited = new Promise<Exit>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, ...output }))
  })
  return { child, stdout: () => output.stdout, stderr: () => output.stderr, exited }
}
