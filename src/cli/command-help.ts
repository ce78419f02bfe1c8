import { VERSION } from '../app/version.ts'

/** The description, usage and options of a command. */
type CommandHelp = { does: string; usage: readonly string[]; options?: Readonly<Record<string, string>> }

const ownerOption = { '--owner EMAIL': 'the owner of the platform' }
const environmentOption = {
  '--environment NAME': 'sandbox, demo or production (default: the first one in REMIT_ENVIRONMENTS)',
}
const userOptions = {
  ...ownerOption,
  '--user USER_ID': 'a user of the platform, by user_id or id (default: the owner)',
  ...environmentOption,
}
const clientOptions = {
  '--base-url URL': 'call another service, with REMIT_KEY and REMIT_SECRET',
  '--json': 'print JSON',
}

/** Every command, in the order in which `remit help` lists them. */
export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  start: { does: 'Handle requests and background work in one process', usage: ['remit start'] },
  serve: { does: 'Handle requests only', usage: ['DATABASE_URL=… remit serve'] },
  worker: { does: 'Handle background work only', usage: ['DATABASE_URL=… remit worker'] },
  migrate: {
    does: 'Migrate the databases and grant the service its rights',
    usage: ['remit migrate', 'MIGRATE_DATABASE_URL=… remit migrate    (as the owner of the tables)'],
  },
  demo: { does: 'Send a check between two new users and show its webhooks', usage: ['remit demo'] },
  listen: {
    does: 'Forward signed sandbox events to a URL on this machine',
    usage: ['remit listen --forward-to http://localhost:3000/hook'],
    options: {
      '--forward-to URL': 'the URL that receives the events',
      '--events TYPES': 'only these event types: CHECK, BANK, USER, …',
      '--limit N': 'exit after N acknowledged events',
      '--quiet': 'print problems only',
      ...clientOptions,
    },
  },
  trigger: {
    does: 'Trigger an event in the sandbox',
    usage: ['remit trigger payment.paid', 'remit trigger    (lists the events)'],
    options: { '--return-code CODE': 'the return code of a failed payment: R01, R02, …', ...clientOptions },
  },
  'owner create': {
    does: 'Create an owner with a new platform',
    usage: ["remit owner create --email you@example.com --name 'Your Company'"],
    options: {
      '--email EMAIL': 'the email address for signing in',
      '--name NAME': 'the name of the company or person',
      '--password TEXT': 'the password (default: a random one)',
      ...environmentOption,
    },
  },
  'user show': {
    does: 'Show the status and limits of a user',
    usage: ['remit user show --owner EMAIL'],
    options: userOptions,
  },
  'user verify': {
    does: 'Allow a user to send payments, or lift a suspension',
    usage: ['remit user verify --owner EMAIL'],
    options: userOptions,
  },
  'user suspend': {
    does: 'Suspend a user, or an owner with its platform, until verified again',
    usage: ['remit user suspend --owner EMAIL'],
    options: userOptions,
  },
  'user close': {
    does: 'Close a user or a platform for good and return collected funds',
    usage: ['remit user close --owner EMAIL'],
    options: userOptions,
  },
  'user limits': {
    does: 'Set the limits of a user in dollars ("default" removes one)',
    usage: ['remit user limits --owner EMAIL --payment 5000 --day 5000 --month 20000'],
    options: {
      '--payment DOLLARS': 'the limit for one payment',
      '--day DOLLARS': 'the daily limit',
      '--month DOLLARS': 'the monthly limit',
      ...userOptions,
    },
  },
  files: {
    does: 'List open bank files, and accept, reject, cancel or resend them',
    usage: [
      'remit files',
      'remit files show|accept|reject|cancel NAME',
      'remit files resend NAME --yes',
      'remit files recover --last-ach NAME --last-print NAME',
    ],
    options: {
      '--batch N, --trace N': 'reject: only this part of the file (repeatable)',
      '--all': 'include finished files',
      '--file PATH': 'recover: a file that the bank has but the database does not',
      '--json': 'print JSON',
      ...environmentOption,
    },
  },
  'debt list': {
    does: 'List the users who owe money because a debit was returned',
    usage: ['remit debt list --owner EMAIL'],
    options: { ...ownerOption, ...environmentOption },
  },
  'debt settle': {
    does: 'Record a payment of a user’s debt',
    usage: ['remit debt settle --owner EMAIL --user USER_ID --amount 40.64 --note TEXT'],
    options: {
      ...ownerOption,
      '--user USER_ID': 'the user, by user_id or id',
      '--amount DOLLARS': 'the amount that the user paid',
      '--note TEXT': 'how the user paid',
      ...environmentOption,
    },
  },
  'bank list': {
    does: 'List the bank accounts of a user and why they are blocked',
    usage: ['remit bank list --owner EMAIL'],
    options: userOptions,
  },
  'bank unblock': {
    does: 'Unblock a bank account that a return code has blocked',
    usage: ['remit bank unblock --owner EMAIL --bank ID --note TEXT'],
    options: {
      ...ownerOption,
      '--bank ID': 'the id of the bank',
      '--note TEXT': 'why it can be used again',
      ...environmentOption,
    },
  },
  exceptions: {
    does: 'List exceptions that need your decision, such as a returned refund',
    usage: [
      'remit exceptions',
      'remit exceptions show ID',
      'remit exceptions resend ID',
      'remit exceptions close ID --note TEXT',
    ],
    options: {
      '--owner EMAIL': 'only this platform',
      '--bank ID': 'resend: to this bank instead',
      '--note TEXT': 'close: how you resolved it',
      '--all': 'include closed exceptions',
      '--json': 'print JSON',
      ...environmentOption,
    },
  },
  'verify-ledger': {
    does: 'Check that the ledger balances; exits 1 and prints the wrong rows if not',
    usage: ['remit verify-ledger'],
  },
  'verify-audit': {
    does: 'Check that no audit entry was changed, added or removed; exits 1 and prints the first if so',
    usage: [
      'remit verify-audit',
      'remit verify-audit --owner you@example.com',
      'remit verify-audit --head PLATFORM:SEQUENCE:DIGEST',
    ],
    options: {
      '--owner EMAIL': 'only this platform; also prints the head of its chain',
      '--head HEAD': 'a head from the log that the chain must contain (repeatable)',
      '--all': 'print the head of every chain',
      ...environmentOption,
    },
  },
  keys: {
    does: 'List the master keys and their uses, or replace old keys with the first one',
    usage: [
      'remit keys',
      'remit keys new       (prints a new entry for REMIT_MASTER_KEYS)',
      'remit keys rotate    (seals everything with the first key; can be repeated)',
      'remit keys drop-codes --yes    (deletes recovery codes whose owners made no new ones)',
    ],
    options: { '--environment NAME': 'sandbox, demo or production; all that are set up by default' },
  },
  version: { does: 'Print the version', usage: ['remit --version'] },
}

const commonOptions = {
  '--data-dir DIR': 'the data directory (default: .remit)',
  '--port PORT': 'the port of the first environment (default: 4000)',
  '--environments LIST': 'the environments to run (default: sandbox,demo)',
}

/** `remit help`: one line for each command. */
export const helpText = (): string =>
  [
    `Remit ${VERSION}: a self-hosted payments service`,
    '',
    ...aligned(Object.fromEntries(Object.entries(commandHelp).map(([name, { does }]) => [`remit ${name}`, does]))),
    '',
    'Options for all commands:',
    ...aligned(commonOptions),
    '',
    'Run remit COMMAND --help for details. See .env.example for all settings.',
  ].join('\n')

/** Help for one command or for a group such as `remit user`. Null: no such command. */
export function helpOf(words: readonly string[]): string | null {
  const [two, one] = [words.slice(0, 2).join(' '), words[0] ?? '']
  const named = commandHelp[two] ? two : commandHelp[one] ? one : null
  if (named !== null) return textOf(named)
  const group = Object.keys(commandHelp).filter((name) => one !== '' && name.startsWith(`${one} `))
  return group.length === 0 ? null : group.map(textOf).join('\n\n')
}

function textOf(name: string): string {
  const { does, usage, options } = commandHelp[name] as CommandHelp
  return [`${does}.`, '', ...usage.map((line) => `  ${line}`), ...(options ? ['', ...aligned(options)] : [])].join('\n')
}

/** The message for an unknown command, with similar commands. */
export function unknownCommand(words: readonly string[]): string {
  const typed = words.join(' ')
  const group = Object.keys(commandHelp).filter((name) => name.startsWith(`${words[0]} `))
  const near =
    group.length > 0
      ? group
      : Object.keys(commandHelp).filter((name) => isNear(name.split(' ')[0] as string, words[0] ?? ''))
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `remit ${name}`).join(', ')}?`
  return `Unknown command "${typed}".${hint}\nRun remit help for a list of commands.`
}

const MAX_TYPING_ERRORS = 2

const isNear = (name: string, typed: string): boolean =>
  typed.length > 2 && (name.startsWith(typed) || editDistance(name, typed) <= MAX_TYPING_ERRORS)

/** The Levenshtein distance between two words. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (row[column] as number) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[column + 1] as number) + 1, (next[column] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

function aligned(lines: Readonly<Record<string, string>>): string[] {
  const width = Math.max(...Object.keys(lines).map(({ length }) => length)) + 2
  return Object.entries(lines).map(([name, says]) => `  ${name.padEnd(width)}${says}`)
}
