import { parseArgs } from 'node:util'
import { bankCommand } from './bank-commands.ts'
import { type Config, type EnvironmentConfig, readConfig } from './config.ts'
import type { Deps } from './db/deps.ts'
import { endServersWithoutWaiting } from './db/embedded-server.ts'
import { inTransaction } from './db/transaction.ts'
import { debtCommand } from './debt-commands.ts'
import { exceptionCommand } from './exception-commands.ts'
import { filesCommand } from './files-commands.ts'
import { isClean, verifyLedger } from './ledger/verify-actions.ts'
import { ApiError } from './lib/errors.ts'
import { newSecret, systemRandom } from './lib/ids.ts'
import { StartProblem } from './lib/start-problem.ts'
import { decide, type OperatorCommand, setLimits, showUser } from './operator-commands.ts'
import { createOwner } from './owner/owner-actions.ts'
import type { Role } from './service.ts'
import { VERSION } from './version.ts'

const HELP = `Remit ${VERSION}: a payments service that you run yourself

  remit start          answer requests and do the background work, in one process
  remit serve          answer requests only; needs DATABASE_URL
  remit worker         do the background work only; needs DATABASE_URL
  remit migrate        bring the databases up to date
  remit demo           send a check from a new user and watch its webhooks arrive
  remit listen         send the events of the sandbox to a URL that only this machine needs to reach, signed as they always
                       are: --forward-to http://localhost:3000/hook, only some with --events CHECK,BANK,USER; --limit 3
                       ends it after so many were acknowledged; --json, --quiet
  remit trigger EVENT  make an event happen in the sandbox, such as payment.paid; without a name lists them
                       (both: --base-url URL with REMIT_KEY and REMIT_SECRET for another than the one in the data directory)
  remit verify-ledger  check that the money adds up; exits 1 with the offending rows if it does not
  remit owner create   make an owner: --email, --name, --password, --environment
  remit user show      print the status and the limits of a user: --owner EMAIL, of one of its users also
                       --user USER_ID or --user ID, --environment
  remit user verify    let it send; lifts a suspension
  remit user suspend   let it neither send nor receive, until it is verified again; what is on its way goes on
  remit user close     the same for good
  remit user limits    set its own limits in dollars: --payment 5000 --day 5000 --month 20000; "default" takes one back
  remit files          list the files for the bank that are on their way; show NAME, accept NAME, reject NAME
                       (--batch N, --trace N for a part), cancel NAME, resend NAME --yes; --all, --json
                       recover, after a restore of the database: --last-ach NAME --last-print NAME --file PATH
  remit debt list      print the users that owe something because a debit came back: --owner EMAIL
  remit debt settle    record what a user paid: --owner EMAIL, --user USER_ID or ID, --amount 40.64, --note TEXT
  remit bank list      print the banks of a user and what blocks them: --owner EMAIL, --user USER_ID
  remit bank unblock   let an account be used again that a return code has blocked: --owner EMAIL, --bank ID, --note TEXT
  remit exceptions     list what only you can decide: returned refunds, held entries, checks paid after a stop;
                       show ID; resend ID (a refund, --bank ID to another bank); close ID --note TEXT; --owner EMAIL, --all, --json
  remit version

Options of all: --data-dir DIR, --port PORT, --environments sandbox,demo
Every setting: .env.example
`

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
  note: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Flags = ReturnType<typeof parseArgs<{ options: typeof options }>>['values']

/** `names`: what stands behind the command, where it takes something. */
type Command = (flags: Flags, names: string[]) => Promise<number>

const commands: Record<string, Command> = {
  start: (flags) => run(flags, ['http', 'worker']),
  serve: (flags) => run(flags, ['http']),
  worker: (flags) => run(flags, ['worker']),
  migrate: migrateAll,
  demo: async (flags) => (await import('./demo.ts')).runDemo(flags),
  listen: async (flags) => (await import('./listen-command.ts')).runListen(flags),
  'verify-ledger': verifyLedgers,
  'owner create': createOwnerFromCommandLine,
  'user show': onUser(showUser),
  'user verify': onUser(decide('verify')),
  'user suspend': onUser(decide('suspend')),
  'user close': onUser(decide('close')),
  'user limits': onUser(setLimits),
  version: async () => print(VERSION),
  help: async () => print(HELP),
}

/** Commands that take names. */
const namingCommands: Record<string, Command> = {
  files: (flags, names) => onDatabase(flags, filesCommand(flags, names)),
  debt: (flags, names) => onDatabase(flags, debtCommand(flags, names)),
  bank: (flags, names) => onDatabase(flags, bankCommand(flags, names)),
  exceptions: (flags, names) => onDatabase(flags, exceptionCommand(flags, names)),
  trigger: async (flags, names) => (await import('./trigger-command.ts')).runTrigger(flags, names),
}

/** Runs one command. @returns the exit code */
export async function main(args: string[]): Promise<number> {
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const [first = 'help', ...names] = values.help ? [] : positionals
    const command = namingCommands[first] ?? commands[[first, ...names].join(' ')]
    if (!command) throw new StartProblem(`There is no command "${positionals.join(' ')}".\n\n${HELP}`)
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

function print(text: string): number {
  console.log(text)
  return 0
}

/** The whole service: only what needs it waits until it is loaded. */
const loadService = () => import('./start.ts')

/** A terminal and npm both pass Ctrl-C on: signals within this time are one. */
const SAME_SIGNAL_MS = 100

/** Runs until a signal; the second signal does not wait. */
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
    'remit serve and remit worker need DATABASE_URL: the embedded PostgreSQL belongs to one process.',
  )
}

async function migrateAll(flags: Flags): Promise<number> {
  const config = readConfig(flags)
  const { withDatabaseOf } = await loadService()
  for (const environment of config.environments) {
    await withDatabaseOf(config, environment, async () => print(`${environment.settings.name}: up to date`))
  }
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

async function createOwnerFromCommandLine(flags: Flags): Promise<number> {
  const { email, name, password = newSecret({ random: systemRandom }).slice(0, 20) } = flags
  if (!email || !name) throw new StartProblem('remit owner create needs --email and --name.')
  const config = readConfig(flags)
  const environment = chosenEnvironment(config, flags.environment)
  const { withDatabaseOf } = await loadService()
  return withDatabaseOf(config, environment, async ({ deps }) => {
    const { apiKey, webhookKey } = await inTransaction(deps, (tx) => createOwner(tx, { email, password, name }))
    const { key, secret } = apiKey
    return print(JSON.stringify({ email, password, key, secret, webhook_key: webhookKey }, null, 2))
  })
}

function onUser(command: OperatorCommand): (flags: Flags) => Promise<number> {
  return (flags) => onDatabase(flags, command(flags))
}

/** Acts on the database of the chosen environment, and prints the outcome. */
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
      `--environment must be one of ${environments.map(({ settings }) => settings.name).join(', ')}`,
    )
  return chosen
}
