import { parseArgs } from 'node:util'
import { type Config, type EnvironmentConfig, readConfig } from './app/config.ts'
import type { Role } from './app/service.ts'
import { VERSION } from './app/version.ts'
import { createOwnerByOperator } from './auth/owner/owner-actions.ts'
import { auditCommand } from './cli/audit-commands.ts'
import { bankCommand } from './cli/bank-commands.ts'
import { helpOf, helpText, unknownCommand } from './cli/command-help.ts'
import { debtCommand } from './cli/debt-commands.ts'
import { exceptionCommand } from './cli/exception-commands.ts'
import { filesCommand } from './cli/files-commands.ts'
import { keysCommand } from './cli/keys-commands.ts'
import { decide, type OperatorCommand, setLimits, showUser } from './cli/operator-commands.ts'
import { ApiError } from './core/errors.ts'
import type { Deps } from './db/deps.ts'
import { endServersWithoutWaiting } from './db/embedded/embedded-server.ts'
import { inTransaction } from './db/transaction.ts'
import { isClean, verifyLedger } from './ledger/verify-actions.ts'
import { newSecret, systemRandom } from './lib/ids.ts'
import { StartProblem } from './lib/start-problem.ts'

const options = {
  'data-dir': { type: 'string' },
  port: { type: 'string' },
  environments: { type: 'string' },
  environment: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  password: { type: 'string' },
  owner: { type: 'string' },
  user: { type: 'string' },
  bank: { type: 'string' },
  amount: { type: 'string' },
  payment: { type: 'string' },
  day: { type: 'string' },
  month: { type: 'string' },
  'base-url': { type: 'string' },
  'forward-to': { type: 'string' },
  events: { type: 'string' },
  limit: { type: 'string' },
  'return-code': { type: 'string' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean' },
  all: { type: 'boolean' },
  yes: { type: 'boolean' },
  'last-ach': { type: 'string' },
  'last-print': { type: 'string' },
  'last-issue': { type: 'string' },
  'last-stop': { type: 'string' },
  'next-check-number': { type: 'string' },
  file: { type: 'string', multiple: true },
  batch: { type: 'string', multiple: true },
  trace: { type: 'string', multiple: true },
  head: { type: 'string', multiple: true },
  note: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** `names`: the words after the command. */
type Command = (flags: Flags, names: string[]) => Promise<number>

const commands: Record<string, Command> = {
  start: (flags) => run(flags, ['http', 'worker']),
  serve: (flags) => run(flags, ['http']),
  worker: (flags) => run(flags, ['worker']),
  migrate: migrateDatabases,
  demo: async (flags) => (await import('./cli/demo.ts')).runDemo(flags),
  listen: async (flags) => (await import('./cli/listen-command.ts')).runListen(flags),
  'verify-ledger': verifyLedgers,
  'verify-audit': verifyAudit,
  'owner create': createOwnerFromCommandLine,
  'user show': onUser(showUser),
  'user verify': onUser(decide('verify')),
  'user suspend': onUser(decide('suspend')),
  'user close': onUser(decide('close')),
  'user limits': onUser(setLimits),
  version: async () => print(VERSION),
}

/** Commands with arguments. */
const namingCommands: Record<string, Command> = {
  files: (flags, names) => onDatabase(flags, filesCommand(flags, names)),
  debt: (flags, names) => onDatabase(flags, debtCommand(flags, names)),
  bank: (flags, names) => onDatabase(flags, bankCommand(flags, names)),
  exceptions: (flags, names) => onDatabase(flags, exceptionCommand(flags, names)),
  keys: rotateOrShowKeys,
  help: async (_flags, names) => printHelp(names),
  trigger: async (flags, names) => (await import('./cli/trigger-command.ts')).runTrigger(flags, names),
}

/** Runs one command. @returns the exit code */
export async function main(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    if (values.version) return print(VERSION)
    if (values.help) return printHelp(positionals)
    const [first = 'help', ...names] = positionals
    const command = namingCommands[first] ?? commands[positionals.join(' ')]
    if (!command) throw new StartProblem(unknownCommand(positionals))
    return await command(values, names)
  } catch (error) {
    if (!isForUser(error)) throw error
    console.error(error.message)
    return 1
  }
}

const isForUser = (error: unknown): error is Error =>
  error instanceof StartProblem ||
  error instanceof ApiError ||
  (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true

/** Prints help for one command, or the list of all. */
function printHelp(words: readonly string[]): number {
  const text = words.length === 0 ? helpText() : helpOf(words)
  if (text === null) throw new StartProblem(unknownCommand(words))
  return print(text)
}

function print(text: string): number {
  console.log(text)
  return 0
}

/** Loaded only by commands that need the service, because loading takes time. */
const loadService = () => import('./app/start.ts')

/** A terminal and npm both forward Ctrl-C. Signals within this time count as one. */
const SAME_SIGNAL_MS = 100

/** Runs until a signal. A second signal ends the process at once. */
async function run(flags: Flags, roles: readonly Role[]): Promise<number> {
  const config = readConfig(flags)
  if (roles.length === 1) refuseEmbedded(config)
  const signalled = new Promise<void>((resolve) => {
    let firstAt: number | null = null
    const stop = () => {
      firstAt ??= performance.now()
      resolve()
      if (performance.now() - firstAt < SAME_SIGNAL_MS) return
      endServersWithoutWaiting()
      process.exit(1)
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
  })
  const { startAll } = await loadService()
  const running = await startAll(config, roles)
  await signalled
  await running.stop()
  return 0
}

function refuseEmbedded({ environments }: Config): void {
  if (environments.every(({ databaseUrl }) => databaseUrl !== null)) return
  throw new StartProblem(
    'remit serve and remit worker need DATABASE_URL, because only one process can use the embedded PostgreSQL. Set it, or run remit start.',
  )
}

async function migrateDatabases(flags: Flags): Promise<number> {
  const config = readConfig(flags)
  const { migrateAll } = await loadService()
  await migrateAll(config, ({ settings }) => print(`${settings.name}: up to date`))
  return 0
}

async function verifyLedgers(flags: Flags): Promise<number> {
  const config = readConfig(flags)
  const { withDatabaseOf } = await loadService()
  let isAllClean = true
  for (const environment of config.environments) {
    const verification = await withDatabaseOf(config, environment, ({ deps }) => verifyLedger(deps))
    print(`${environment.settings.name}:`)
    for (const { check, finding } of verification) {
      const { checked, offending } = finding
      print(`  ${offending.length === 0 ? 'ok   ' : 'WRONG'} ${check} (${checked} rows)`)
      for (const row of offending) print(`        ${JSON.stringify(row)}`)
    }
    isAllClean &&= isClean(verification)
  }
  return isAllClean ? 0 : 1
}

/** Verifies all environments, unless a flag selects one or the head names one. */
async function verifyAudit(flags: Flags): Promise<number> {
  const verify = auditCommand(flags)
  const config = readConfig(flags)
  const isOfOne = flags.environment !== undefined || flags.owner !== undefined || flags.head !== undefined
  const environments = isOfOne ? [chosenEnvironment(config, flags.environment)] : config.environments
  const { withDatabaseOf } = await loadService()
  let isAllClean = true
  for (const environment of environments) {
    const { lines, isClean } = await withDatabaseOf(config, environment, ({ deps }) => verify(deps))
    print(`${environment.settings.name}:`)
    for (const line of lines) print(`  ${line}`)
    isAllClean &&= isClean
  }
  return isAllClean ? 0 : 1
}

/** Runs in all environments unless one is selected, because they share the key ring. */
async function rotateOrShowKeys(flags: Flags, names: string[]): Promise<number> {
  const command = keysCommand(names, flags)
  if (typeof command === 'string') return print(command)
  const config = readConfig(flags)
  const environments = flags.environment ? [chosenEnvironment(config, flags.environment)] : config.environments
  const { withDatabaseOf } = await loadService()
  let isAllClean = true
  for (const environment of environments) {
    print(`${environment.settings.name}:`)
    const tell = (line: string) => void print(`  ${line}`)
    const { lines, isClean } = await withDatabaseOf(config, environment, ({ deps }) => command(deps, tell))
    for (const line of lines) tell(line)
    isAllClean &&= isClean
  }
  return isAllClean ? 0 : 1
}

async function createOwnerFromCommandLine(flags: Flags): Promise<number> {
  const { email, name, password = newSecret({ random: systemRandom }).slice(0, 20) } = flags
  if (!email || !name) throw new StartProblem('remit owner create needs --email and --name.')
  const config = readConfig(flags)
  const environment = chosenEnvironment(config, flags.environment)
  const { withDatabaseOf } = await loadService()
  return withDatabaseOf(config, environment, async ({ deps }) => {
    const { apiKey, webhookKey } = await inTransaction(deps, (tx) =>
      createOwnerByOperator(tx, { email, password, name }),
    )
    const { key, secret } = apiKey
    return print(JSON.stringify({ email, password, key, secret, webhook_key: webhookKey }, null, 2))
  })
}

function onUser(command: OperatorCommand): (flags: Flags) => Promise<number> {
  return (flags) => onDatabase(flags, command(flags))
}

/** Runs an action on the database of the chosen environment and prints its result. */
async function onDatabase(flags: Flags, act: (deps: Deps) => Promise<string>): Promise<number> {
  const config = readConfig(flags)
  const environment = chosenEnvironment(config, flags.environment)
  const { withDatabaseOf } = await loadService()
  return withDatabaseOf(config, environment, async ({ deps }) => print(await act(deps)))
}

function chosenEnvironment({ environments }: Config, name: string | undefined): EnvironmentConfig {
  const chosen = environments.find(({ settings }) => settings.name === (name ?? environments[0]?.settings.name))
  if (!chosen)
    throw new StartProblem(
      `--environment must be one of ${environments.map(({ settings }) => settings.name).join(', ')}.`,
    )
  return chosen
}
