import { VERSION } from '../app/version.ts'

/** What a command does in one line, how it is called, and what each option means. */
type CommandHelp = { does: string; usage: readonly string[]; options?: Readonly<Record<string, string>> }

const ownerOption = { '--owner EMAIL': 'the owner of the platform' }
const environmentOption = {
  '--environment NAME': 'sandbox, demo or production; the first one that is set up by default',
}
const userOptions = {
  ...ownerOption,
  '--user USER_ID': 'a user of the platform, by user_id or id; without it, the owner',
  ...environmentOption,
}
const clientOptions = {
  '--base-url URL': 'another service, with REMIT_KEY and REMIT_SECRET',
  '--json': 'print JSON',
}

/** Every command, in the order in which `remit help` lists them. */
export const commandHelp: Readonly<Record<string, CommandHelp>> = {
  start: { does: 'Answer requests and do the background work, in one process', usage: ['remit start'] },
  serve: { does: 'Answer requests only', usage: ['DATABASE_URL=… remit serve'] },
  worker: { does: 'Do the background work only', usage: ['DATABASE_URL=… remit worker'] },
  migrate: {
    does: 'Bring the databases up to date, and grant the service its rights there',
    usage: ['remit migrate', 'MIGRATE_DATABASE_URL=… remit migrate    (as the owner of the tables)'],
  },
  demo: { does: 'Send a check from a new user and watch its webhooks arrive', usage: ['remit demo'] },
  listen: {
    does: 'Forward the events of the sandbox to a URL on this machine, with the usual signatures',
    usage: ['remit listen --forward-to http://localhost:3000/hook'],
    options: {
      '--forward-to URL': 'where to send the events',
      '--events TYPES': 'only some: CHECK, BANK, USER, … separated by commas',
      '--limit N': 'end after N events were acknowledged',
      '--quiet': 'print no line for each event',
      ...clientOptions,
    },
  },
  trigger: {
    does: 'Make an event happen in the sandbox',
    usage: ['remit trigger payment.paid', 'remit trigger    (lists the events)'],
    options: { '--return-code CODE': 'why a payment fails: R01, R02, …', ...clientOptions },
  },
  'owner create': {
    does: 'Create an owner with a platform of its own',
    usage: ["remit owner create --email you@example.com --name 'Your Company'"],
    options: {
      '--email EMAIL': 'to sign in with',
      '--name NAME': 'of the company or the person',
      '--password TEXT': 'a random one by default',
      ...environmentOption,
    },
  },
  'user show': {
    does: 'Print the status and the limits of a user',
    usage: ['remit user show --owner EMAIL'],
    options: userOptions,
  },
  'user verify': {
    does: 'Let a user send; lifts a suspension',
    usage: ['remit user verify --owner EMAIL'],
    options: userOptions,
  },
  'user suspend': {
    does: 'Stop a user, or an owner with its platform, until it is verified again',
    usage: ['remit user suspend --owner EMAIL'],
    options: userOptions,
  },
  'user close': {
    does: 'Stop a user or a platform for good; what was collected goes back',
    usage: ['remit user close --owner EMAIL'],
    options: userOptions,
  },
  'user limits': {
    does: 'Set limits of a user, in dollars; "default" removes one',
    usage: ['remit user limits --owner EMAIL --payment 5000 --day 5000 --month 20000'],
    options: {
      '--payment DOLLARS': 'of one payment',
      '--day DOLLARS': 'of a day',
      '--month DOLLARS': 'of a month',
      ...userOptions,
    },
  },
  files: {
    does: 'List the files for the bank that are on their way, and decide about them',
    usage: [
      'remit files',
      'remit files show|accept|reject|cancel NAME',
      'remit files resend NAME --yes',
      'remit files recover --last-ach NAME --last-print NAME',
    ],
    options: {
      '--batch N, --trace N': 'reject a part of a file; can be repeated',
      '--all': 'also files that are done',
      '--file PATH': 'recover: a file that the bank has and the database does not',
      '--json': 'print JSON',
      ...environmentOption,
    },
  },
  'debt list': {
    does: 'Print the users that owe something because a debit came back',
    usage: ['remit debt list --owner EMAIL'],
    options: { ...ownerOption, ...environmentOption },
  },
  'debt settle': {
    does: 'Record what a user paid of its debt',
    usage: ['remit debt settle --owner EMAIL --user USER_ID --amount 40.64 --note TEXT'],
    options: {
      ...ownerOption,
      '--user USER_ID': 'the user, by user_id or id',
      '--amount DOLLARS': 'what it paid',
      '--note TEXT': 'how it paid',
      ...environmentOption,
    },
  },
  'bank list': {
    does: 'Print the banks of a user and what blocks them',
    usage: ['remit bank list --owner EMAIL'],
    options: userOptions,
  },
  'bank unblock': {
    does: 'Let an account be used again that a return code has blocked',
    usage: ['remit bank unblock --owner EMAIL --bank ID --note TEXT'],
    options: { ...ownerOption, '--bank ID': 'the bank', '--note TEXT': 'why', ...environmentOption },
  },
  exceptions: {
    does: 'List what only you can decide, such as a refund that came back',
    usage: [
      'remit exceptions',
      'remit exceptions show ID',
      'remit exceptions resend ID',
      'remit exceptions close ID --note TEXT',
    ],
    options: {
      '--owner EMAIL': 'only those of one platform',
      '--bank ID': 'resend: to another bank',
      '--note TEXT': 'close: what you did about it',
      '--all': 'also closed ones',
      '--json': 'print JSON',
      ...environmentOption,
    },
  },
  'verify-ledger': {
    does: 'Check that the money adds up; exits 1 with the offending rows if it does not',
    usage: ['remit verify-ledger'],
  },
  'verify-audit': {
    does: 'Check that no audit entry was changed, added or removed; exits 1 with the first one that was',
    usage: [
      'remit verify-audit',
      'remit verify-audit --owner you@example.com',
      'remit verify-audit --head PLATFORM:SEQUENCE:DIGEST',
    ],
    options: {
      '--owner EMAIL': 'one platform; prints the head of its chain',
      '--head HEAD': 'a head from the log that the chain must still have; repeatable',
      '--all': 'print the head of every chain',
      ...environmentOption,
    },
  },
  keys: {
    does: 'List the master keys and what still needs each of them, or replace the old ones by the first',
    usage: [
      'remit keys',
      'remit keys new       (prints a new entry for REMIT_MASTER_KEYS)',
      'remit keys rotate    (seals everything again with the first key; can be repeated)',
      'remit keys drop-codes --yes    (deletes recovery codes whose owners made no new ones)',
    ],
    options: { '--environment NAME': 'sandbox, demo or production; all that are set up by default' },
  },
  version: { does: 'Print the version', usage: ['remit --version'] },
}

const commonOptions = {
  '--data-dir DIR': 'where data is kept; .remit by default',
  '--port PORT': 'of the first environment; 4000 by default',
  '--environments LIST': 'sandbox,demo by default',
}

/** `remit help`: one line for each command. */
export const helpText = (): string =>
  [
    `Remit ${VERSION}: a payments service that you run yourself`,
    '',
    ...aligned(Object.fromEntries(Object.entries(commandHelp).map(([name, { does }]) => [`remit ${name}`, does]))),
    '',
    'Options of all commands:',
    ...aligned(commonOptions),
    '',
    'More about a command: remit COMMAND --help. Every setting: .env.example',
  ].join('\n')

/** Help for one command or for a group such as `remit user`; null when there is no such command. */
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

/** For a command that does not exist: the nearest ones, and where all of them are listed. */
export function unknownCommand(words: readonly string[]): string {
  const typed = words.join(' ')
  const group = Object.keys(commandHelp).filter((name) => name.startsWith(`${words[0]} `))
  const near =
    group.length > 0
      ? group
      : Object.keys(commandHelp).filter((name) => isNear(name.split(' ')[0] as string, words[0] ?? ''))
  const hint = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `remit ${name}`).join(', ')}?`
  return `There is no command "${typed}".${hint}\nremit help lists all commands.`
}

const MAX_TYPING_ERRORS = 2

const isNear = (name: string, typed: string): boolean =>
  typed.length > 2 && (name.startsWith(typed) || editDistance(name, typed) <= MAX_TYPING_ERRORS)

/** How many letters must be added, removed or replaced to turn one word into the other. */
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
