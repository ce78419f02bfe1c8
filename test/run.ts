import { execFileSync, spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { appendFile, chmod, glob, mkdir, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { enableCompileCache, flushCompileCache } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { findChromium } from './support/chromium.ts'
import { readCrossings } from './support/crossing-guard.ts'
import { pathWithCurl } from './support/curl.ts'
import { copyKept, digestOf, keep } from './support/kept.ts'
import { partsOfText } from './support/parts-of-text.ts'
import type { TestFile } from './support/run-in-turn.ts'
import { keepSeconds, readSeconds } from './support/seconds.ts'
import { slowDown } from './support/slow.ts'
import { serverLogOf, startTestServer } from './support/test-server.ts'

// Runs all tests, or the given files, on a PostgreSQL that is created for the run. Then searches the logs for secrets
// of the tests, and for statements of the program that touch several platforms. The tables are partitioned by platform,
// as a stand-in for a cluster. A few files run on plain tables. With TEST_PLAIN_TABLES, all files do.

/**
 * Files that change the clock or measure the CPU time of their process. The others share processes, because loading and
 * warming up the program takes two seconds of CPU.
 */
const ALONE = ['test/application.test.ts', 'test/oauth.test.ts', 'test/sign-in.test.ts']
const isPartitioned = process.env.TEST_PLAIN_TABLES === undefined
/**
 * Files that always run on the tables as created by the migrations, because they test these tables or count the rows
 * that PostgreSQL reads. The API's examples in `generated.test.ts` call each operation on them.
 */
const ON_PLAIN_TABLES = [
  'test/generated.test.ts',
  'test/hot-queries.test.ts',
  'test/migrate.test.ts',
  'test/plain-payments.test.ts',
  'test/service-role.test.ts',
  'test/upgrade.test.ts',
  'test/webhook-engine.test.ts',
  'test/webhook-history.test.ts',
]
/**
 * Files that run on both kinds of tables, because one server differs from a cluster there: groups of payments, their
 * refusals, due work, money, and webhooks until the ledger is verified.
 */
const ON_BOTH = [
  'test/guards.test.ts',
  'test/money.test.ts',
  'test/payment-group.test.ts',
  'test/world/sandbox/sandbox.test.ts',
]
/**
 * Twice the cores of a small machine, because tests often wait for PostgreSQL, a browser or a program that they
 * started.
 */
const SHARED_PROCESSES = 4

/** The compile cache of earlier runs. Changed files are compiled again. */
const compiledName = `compiled-${await digestOf({ texts: [process.cwd(), process.version], files: ['package-lock.json'] })}`

const folder = await mkdtemp(join(tmpdir(), 'remit-test-'))
const serverFolder = await mkdtemp(join(await fastFolder(), 'remit-test-'))
await chmod(serverFolder, 0o711) // so that the user who runs PostgreSQL for root can pass through
const temporaryFolder = join(serverFolder, 'tmp')
await mkdir(temporaryFolder)
await chmod(temporaryFolder, 0o1777)
const postgres = await startTestServer(serverFolder)
const logFile = join(folder, 'log')
const secretsFile = join(folder, 'secrets')
const sharedClaims = join(folder, 'claims')
const timesFile = join(folder, 'times')
await Promise.all([logFile, secretsFile, timesFile].map((file) => appendFile(file, '')))

async function end(): Promise<void> {
  await postgres.stop()
  for (const path of [folder, serverFolder]) await rm(path, { recursive: true, force: true })
}

// An aborted run leaves nothing behind.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void end().finally(() => process.exit(1)))

try {
  const serverUrl = postgres.url('postgres')
  const reach = await slowDown(serverUrl)
  const compiled = join(serverFolder, 'compiled')
  if (!(await copyKept(compiledName, compiled))) await compileProgram(compiled)
  const named = process.argv.slice(2)
  if (named.length === 0) await buildPages()
  const checks = named.length > 0 ? null : startChecks()
  const exitCode = await runTests(await writePrograms(named.length > 0 ? named : await testFiles()), {
    TEST_RUN_DATABASE_URL: reach(serverUrl),
    TEST_RUN_SERVICE_URL: reach(postgres.serviceUrl('postgres')),
    TEST_RUN_LOG: logFile,
    TEST_RUN_SERVER_LOG: await serverLogOf(serverFolder),
    TEST_RUN_SECRETS: secretsFile,
    TMPDIR: temporaryFolder, // some tests start a PostgreSQL of their own
    PATH: pathWithCurl(),
    // Hundreds of processes start from the same sources. On a disk, the many small files of the cache take much CPU
    // time.
    NODE_COMPILE_CACHE: compiled,
    ...(await findChromium(folder)),
  })
  const crossings = isPartitioned ? await reportCrossings({ isWholeRun: named.length === 0 }) : 0
  if (named.length === 0) {
    await keep(compiledName, compiled, { replaces: true })
    await keepSeconds(timesFile)
  }
  process.exitCode = Math.max(exitCode, (await checks?.()) ?? 0, await reportLoggedSecrets(), crossings)
} finally {
  await end()
}

/** In memory if there is room: hundreds of databases are copied in a run, each in 10 ms instead of 400. */
async function fastFolder(): Promise<string> {
  const needed = 3 * 1024 ** 3
  const room = await statfs('/dev/shm').catch(() => null)
  return room && room.bavail * room.bsize > needed && (await runsPrograms('/dev/shm')) ? '/dev/shm' : tmpdir()
}

/** Containers can forbid it. The tests copy programs to their temporary folders. */
async function runsPrograms(folder: string): Promise<boolean> {
  const program = join(folder, `remit-test-${process.pid}`)
  try {
    await writeFile(program, '#!/bin/sh\n', { mode: 0o700 })
    execFileSync(program)
    return true
  } catch {
    return false
  } finally {
    await rm(program, { force: true })
  }
}

/** Statements of the program that touch several platforms without a mark, or that have the mark and touch only one. */
async function reportCrossings({ isWholeRun }: { isWholeRun: boolean }): Promise<number> {
  const lines = createInterface({ input: createReadStream(await serverLogOf(serverFolder)) })
  const { marked, others, unused } = await readCrossings(lines)
  const idle = isWholeRun ? unused : []
  console.log(`${marked + others.length} statements of the program touched several platforms: ${others.length} may not`)
  for (const statement of others) console.log(`  ${statement}`)
  for (const beginning of idle) console.log(`  touches one platform, but is marked: ${beginning}`)
  return others.length + idle.length > 0 ? 1 : 0
}

/** All test processes start at once. Without a first compilation, each would compile the whole program. */
async function compileProgram(folder: string): Promise<void> {
  enableCompileCache(folder)
  await import('./support/service.ts')
  await import('../src/operation/app/http-service.ts')
  await import('../src/people/oauth/provider-actions.ts')
  flushCompileCache()
  await keep(compiledName, folder)
}

async function testFiles(): Promise<string[]> {
  const files = await Array.fromAsync(glob(['{packages,src,test}/**/*.test.ts'], { exclude: ['**/node_modules/**'] }))
  return files.sort()
}

/**
 * Writes the programs that run all test files: one for each file of `ALONE`, and `SHARED_PROCESSES` that share the
 * others.
 */
async function writePrograms(files: readonly string[]): Promise<string[]> {
  const alone = files.filter((file) => ALONE.includes(file)).map((file) => [testFile(file)])
  const shared = (await longestFirst(files.filter((file) => !ALONE.includes(file)))).flatMap((file) =>
    ON_BOTH.includes(file) && !isOnPlainTablesOnly(file)
      ? [testFile(file), testFile(file, { isOnPlainTables: true })]
      : [testFile(file)],
  )
  const lists = [...alone, ...Array.from({ length: Math.min(SHARED_PROCESSES, shared.length) }, () => shared)]
  return Promise.all(lists.map((list, index) => writeProgram(list, { index, isShared: list === shared })))
}

/** Sorts by the times of the last whole run. A long file at the end would run alone. */
async function longestFirst(files: readonly string[]): Promise<string[]> {
  const secondsOf = await readSeconds()
  const sized = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })))
  const known = sized.filter(({ file }) => secondsOf[file] !== undefined)
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  // The time of a file without a measurement is estimated from its size.
  const perByte = sum(known.map(({ file }) => secondsOf[file] ?? 0)) / Math.max(1, sum(known.map(({ size }) => size)))
  const timed = sized.map(({ file, size }) => ({ file, seconds: secondsOf[file] ?? size * perByte }))
  return timed.sort((one, other) => other.seconds - one.seconds).map(({ file }) => file)
}

function testFile(name: string, { isOnPlainTables = isOnPlainTablesOnly(name) } = {}): TestFile {
  const url = pathToFileURL(resolve(name)).href
  return isOnPlainTables && isPartitioned
    ? { name: `${name} on plain tables`, url: `${url}?on-plain-tables`, isOnPlainTables }
    : { name, url, isOnPlainTables }
}

function isOnPlainTablesOnly(name: string): boolean {
  return !isPartitioned || ON_PLAIN_TABLES.includes(name)
}

async function writeProgram(files: readonly TestFile[], { index, isShared }: { index: number; isShared: boolean }) {
  const path = join(folder, `${index}.mjs`)
  const claimFolder = isShared ? sharedClaims : join(folder, `claims-${index}`)
  await mkdir(claimFolder, { recursive: true })
  await writeFile(
    path,
    `import { runInTurn } from '${pathToFileURL(resolve('test/support/run-in-turn.ts')).href}'
await runInTurn(${JSON.stringify(files)}, ${JSON.stringify({ claimFolder, timesFile })})
`,
  )
  return path
}

/** Builds the pages and the SDK, like `npm ci`, unless they were built since their sources changed. */
async function buildPages(): Promise<void> {
  const timeOf = async (path: string) => (await stat(path)).mtimeMs
  const sources = await Array.fromAsync(
    glob(['web/**/*.*', 'packages/{sdk,mcp}/src/**/*.ts'], { exclude: ['web/dist/**', 'web/node_modules/**'] }),
  )
  const newest = Math.max(...(await Promise.all([...sources, 'package-lock.json'].map(timeOf))))
  const built = ['web/dist/index.html', 'packages/sdk/dist/index.js', 'packages/mcp/dist/mcp/src/main.js']
  const builtAt = Math.min(...(await Promise.all(built.map((path) => timeOf(path).catch(() => 0)))))
  if (builtAt <= newest) execFileSync('npm', ['run', '--silent', 'build'], { stdio: 'inherit' })
}

/**
 * Checks types, rules and format in parallel with the tests.
 * @returns a function that waits for the end and returns the problems
 */
function startChecks(): () => Promise<number> {
  const child = spawn('npm', ['run', '--silent', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => output.push(data))
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
  return async () => {
    const code = await ended
    process.stdout.write(Buffer.concat(output))
    return code
  }
}

function runTests(files: string[], env: Record<string, string>): Promise<number> {
  // The time limit for a test, and for all tests of a process. The long runs of simulations need more.
  const { TEST_TIMEOUT_MS = '900000' } = process.env
  const options = ['--test', `--test-concurrency=${SHARED_PROCESSES}`, `--test-timeout=${TEST_TIMEOUT_MS}`]
  const child = spawn(process.execPath, [...options, ...files], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)))
}

async function reportLoggedSecrets(): Promise<number> {
  const log = await readFile(logFile, 'utf8')
  const secrets = new Set((await readFile(secretsFile, 'utf8')).split('\n').filter(Boolean))
  const leaked = partsOfText(log, secrets)
  console.log(`${log.length} bytes of log searched for ${secrets.size} secrets: ${leaked.length} found`)
  for (const secret of leaked) console.log(`  ${secret} in: ${lineWith(log, secret)}`)
  return leaked.length > 0 ? 1 : 0
}

/** Returns the text around the first occurrence of `text`, to tell a leak from a coincidence. */
function lineWith(log: string, text: string): string {
  const at = log.indexOf(text)
  const start = Math.max(log.lastIndexOf('\n', at) + 1, at - 300)
  return log.slice(start, at + 300).split('\n', 1)[0] ?? ''
}
