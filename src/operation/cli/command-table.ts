import type { Option } from 'commander'
import { backupGroup } from './backup/backup-command-row.ts'
import { checksGroup } from './check-layout/check-layout-command-row.ts'
import { clientCommands } from './client/client-command-rows.ts'
import type { CommandFlags, CommandGroupRow, CommandRow, Run } from './command-flags.ts'
import {
  anyEnvironment,
  bank,
  clientOptions,
  decidedBy,
  environment,
  json,
  onlyOwner,
  option,
  owner,
  personEmail,
  repeatable,
  rightAccount,
  userOptions,
} from './command-options.ts'
import { connectionsRow } from './connections/connections-command-rows.ts'
import { filesGroup } from './files/files-command-row.ts'
import { ledgerRows } from './ledger/ledger-command-rows.ts'
import type { DatabaseCommand } from './on-database.ts'
import { reconcileGroup, statementsGroup } from './statement/statement-command-row.ts'

/** Runs a command that changes the database of one environment, and prints its message. */
function onDatabase(load: () => Promise<(flags: CommandFlags, names: string[]) => DatabaseCommand>): Run {
  return async (flags, names) => {
    const command = (await load())(flags, names)
    return (await import('./on-database.ts')).onDatabase(flags, command)
  }
}

const start: Run = async (flags) => (await import('./service-commands.ts')).runService(flags, ['http', 'worker'])
const serve: Run = async (flags) => (await import('./service-commands.ts')).runService(flags, ['http'])
const worker: Run = async (flags) => (await import('./service-commands.ts')).runService(flags, ['worker'])
const migrate: Run = async (flags) => (await import('./service-commands.ts')).runMigrate(flags)
const demo: Run = async (flags) => (await import('./demo.ts')).runDemo(flags)
const listen: Run = async (flags) => (await import('./listen/listen-command.ts')).runListen(flags)
const trigger: Run = async (flags, names) => (await import('./trigger-command.ts')).runTrigger(flags, names)
const createOwner = onDatabase(async () => (await import('./owner-commands.ts')).ownerCommand)
const operator = onDatabase(async () => (await import('./owner-commands.ts')).operatorCommand)
const user = onDatabase(async () => (await import('./user-commands.ts')).userCommand)
const bankCommand = onDatabase(async () => (await import('./bank-commands.ts')).bankCommand)
const debt = onDatabase(async () => (await import('./debt-commands.ts')).debtCommand)
const checkbooks = onDatabase(async () => (await import('./checkbook-commands.ts')).checkbookCommand)
const exceptions = onDatabase(async () => (await import('./exception-commands.ts')).exceptionCommand)
const doctor: Run = async (flags) => (await import('../doctor/doctor-command.ts')).runDoctor(flags)
const verifyAudit: Run = async (flags) => (await import('./audit-commands.ts')).runVerifyAudit(flags)
const keys: Run = async (flags, names) => (await import('./keys-commands.ts')).runKeys(flags, names)

/** The options of every command. They override a setting. */
export const globalOptions: readonly Option[] = [
  option('--data-dir <folder>', 'the data directory (default: .remit)'),
  option('--port <port>', 'the port of the first environment (default: 4000)'),
  option('--environments <list>', 'the environments to run (default: sandbox,demo)'),
]

/** All commands, by the heading under which help lists them. */
export const commandTable: Readonly<Record<string, readonly (CommandRow | CommandGroupRow)[]>> = {
  'Run the service': [
    { name: 'start', does: 'Handle requests and background work in one process', run: start },
    { name: 'serve', does: 'Handle requests only', examples: ['DATABASE_URL=… remit serve'], run: serve },
    { name: 'worker', does: 'Handle background work only', examples: ['DATABASE_URL=… remit worker'], run: worker },
    {
      name: 'migrate',
      does: 'Migrate the databases and grant rights to the service',
      options: [option('--distributed', 'distribute the tables over the workers of Citus: see docs/scale-out.md')],
      examples: ['remit migrate', 'MIGRATE_DATABASE_URL=… remit migrate    # as the owner of the tables'],
      run: migrate,
    },
  ],

  'Build an integration': [
    { name: 'demo', does: 'Send a check between two new users', run: demo },
    {
      name: 'listen',
      does: 'Forward signed sandbox events to a local URL',
      options: [
        option('--forward-to <url>', 'the URL that receives the events'),
        option('--events <types>', 'only these event types: CHECK, BANK, USER, …'),
        option('--full', 'send full bodies, with the object of each event'),
        option('--limit <n>', 'exit after N acknowledged events'),
        option('--quiet', 'print problems only'),
        ...clientOptions,
      ],
      examples: ['remit listen --forward-to http://localhost:3000/hook'],
      run: listen,
    },
    {
      name: 'trigger',
      args: '[event]',
      does: 'Trigger an event in the sandbox, or list the events',
      options: [option('--return-code <code>', 'the return code of a failed payment: R01, R02, …'), ...clientOptions],
      examples: ['remit trigger', 'remit trigger payment.paid'],
      run: trigger,
    },
  ],

  'Call a service': clientCommands,

  'Manage users and money': [
    {
      name: 'owner',
      does: 'Create owners of platforms',
      commands: [
        {
          name: 'create',
          does: 'Create an owner with a new platform',
          options: [
            option('--email <email>', 'the email address for signing in'),
            option('--name <name>', 'the name of the company or person'),
            option('--password <text>', 'the password (default: a random one)'),
            environment,
          ],
          examples: ["remit owner create --email you@example.com --name 'Your Company'"],
          run: createOwner,
        },
      ],
    },
    {
      name: 'operator',
      does: 'Manage access to the pages of the operator',
      default: 'list',
      commands: [
        { name: 'list', does: 'List the people with access', options: [environment], run: operator },
        { name: 'add', does: 'Give a person access', options: [personEmail, environment], run: operator },
        {
          name: 'remove',
          does: 'Remove the access of a person',
          options: [personEmail, environment],
          examples: ['remit operator remove --email you@example.com'],
          run: operator,
        },
      ],
    },
    {
      name: 'user',
      does: 'Verify, suspend and limit users',
      commands: [
        { name: 'show', does: 'Show the status and limits of a user', options: userOptions, run: user },
        {
          name: 'verify',
          does: 'Allow a user to send payments, or lift a suspension',
          options: userOptions,
          run: user,
        },
        {
          name: 'suspend',
          does: 'Suspend a user or a platform until verified again',
          options: userOptions,
          run: user,
        },
        {
          name: 'close',
          does: 'Close a user or a platform for good, return its funds',
          options: userOptions,
          run: user,
        },
        {
          name: 'limits',
          does: 'Set the limits of a user',
          options: [
            option('--payment <dollars>', 'the limit for one payment, or "default"'),
            option('--day <dollars>', 'the daily limit, or "default"'),
            option('--month <dollars>', 'the monthly limit, or "default"'),
            ...userOptions,
          ],
          examples: ['remit user limits --owner you@example.com --payment 5000 --day 5000 --month 20000'],
          run: user,
        },
      ],
    },
    {
      name: 'bank',
      does: 'List, correct and unblock the bank accounts of a user',
      commands: [
        {
          name: 'list',
          does: 'List the bank accounts of a user and their blocks',
          options: userOptions,
          run: bankCommand,
        },
        {
          name: 'unblock',
          does: 'Unblock a bank account that a return code has blocked',
          options: [owner, bank, option('--note <text>', 'why it can be used again'), environment],
          run: bankCommand,
        },
        {
          name: 'correct',
          does: 'Correct a bank account as its bank requested',
          options: [owner, bank, ...rightAccount, option('--note <text>', 'the source of the correction'), environment],
          run: bankCommand,
        },
      ],
    },
    {
      name: 'debt',
      does: 'List and settle what users owe',
      commands: [
        {
          name: 'list',
          does: 'List the users who owe money because a debit was returned',
          options: [onlyOwner, environment],
          run: debt,
        },
        {
          name: 'settle',
          does: 'Record a payment of a user’s debt',
          options: [
            owner,
            option('--user <user_id>', 'the user, by user_id or id'),
            option('--amount <dollars>', 'the amount that the user paid'),
            option('--reference <text>', 'the number of the wire or check, which is recorded once'),
            option('--note <text>', 'how the user paid'),
            environment,
          ],
          examples: ['remit debt settle --owner you@example.com --user 42 --amount 40.64 --reference "wire 4711"'],
          run: debt,
        },
      ],
    },
    {
      name: 'checkbooks',
      does: 'Record returned checkbooks',
      commands: [
        {
          name: 'return',
          args: '<id>',
          does: 'Record that the post returned a checkbook',
          options: [option('--note <text>', 'why it came back'), environment],
          examples: ['remit checkbooks return ID --note "unknown at this address"'],
          run: checkbooks,
        },
      ],
    },
    statementsGroup,
    reconcileGroup,
    {
      name: 'exceptions',
      does: 'Decide exceptions, such as a returned refund',
      default: 'list',
      commands: [
        {
          name: 'list',
          does: 'List the exceptions that need your decision',
          options: [onlyOwner, option('--all', 'include closed exceptions'), json, environment],
          run: exceptions,
        },
        {
          name: 'show',
          args: '<id>',
          does: 'Show an exception, the payments that it holds, and the remedy',
          options: [environment],
          run: exceptions,
        },
        {
          name: 'apply',
          args: '<id>',
          does: 'Apply the message of the bank, or the entry of a held payment',
          options: [
            repeatable('--trace <n>', 'the trace number, or the EndToEndId of an order'),
            option('--code <code>', 'its return code, or the status of the order'),
            ...rightAccount,
            option('--number <n>', 'the number of the check'),
            option('--amount <dollars>', 'its amount'),
            option('--date <date>', 'the day on which it was paid: YYYY-MM-DD'),
            option('--note <text>', 'the source of these values'),
            decidedBy,
            environment,
          ],
          run: exceptions,
        },
        {
          name: 'resend',
          args: '<id>',
          does: 'Send a refund again',
          options: [option('--bank <id>', 'to this bank of the sender instead'), decidedBy, environment],
          run: exceptions,
        },
        {
          name: 'close',
          args: '<id>',
          does: 'Close an exception that you resolved',
          options: [
            option('--note <text>', 'how you resolved it'),
            decidedBy,
            option('--paid-by <way>', 'you paid the money that waits: wire, check, ach or other'),
            option('--reference <text>', 'the number of that wire or check'),
            environment,
          ],
          run: exceptions,
        },
      ],
    },
    connectionsRow({ json, environment }),
    checksGroup({ json, environment }),
    filesGroup,
  ],

  'Check and maintain': [
    { name: 'doctor', does: 'Check the machine, the settings and the databases', options: [json], run: doctor },
    ...ledgerRows({ onlyOwner, environment }),
    {
      name: 'verify-audit',
      does: 'Check that no audit entry was changed, added or removed',
      options: [
        option('--owner <email>', 'only this platform; also prints the head of its chain'),
        repeatable('--head <head>', 'a head from the log that the chain must contain'),
        option('--all', 'print the head of every chain'),
        anyEnvironment,
      ],
      examples: ['remit verify-audit --owner you@example.com', 'remit verify-audit --head PLATFORM:SEQUENCE:DIGEST'],
      run: verifyAudit,
    },
    backupGroup,
    {
      name: 'keys',
      does: 'List and rotate the master keys',
      default: 'show',
      commands: [
        { name: 'show', does: 'List the master keys and their uses', options: [anyEnvironment], run: keys },
        { name: 'new', does: 'Print a new entry for REMIT_MASTER_KEYS', run: keys },
        {
          name: 'rotate',
          does: 'Seal everything with the first key; can be repeated',
          options: [anyEnvironment],
          run: keys,
        },
        {
          name: 'drop-codes',
          does: 'Delete recovery codes whose owners made no new ones',
          options: [option('--yes', 'delete them for good'), anyEnvironment],
          run: keys,
        },
      ],
    },
  ],
}
