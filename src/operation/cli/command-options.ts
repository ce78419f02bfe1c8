import { Option } from 'commander'
import { ENVIRONMENT_NAMES } from '../../foundation/core/environment.ts'

// The options that several commands share.

export const option = (flags: string, text: string) => new Option(flags, text)

export const repeatable = (flags: string, text: string) =>
  new Option(flags, `${text} (repeatable)`).argParser<string[]>((value, before = []) => [...before, value])

export const owner = option('--owner <email>', 'the owner of the platform, or the id of the platform')
export const onlyOwner = option('--owner <email>', 'only this platform, by its owner or its id')
export const personEmail = option('--email <email>', 'the email address with which the person signs in')
export const bank = option('--bank <id>', 'the id of the bank')
export const rightAccount = [
  option('--routing <n>', 'the right routing number'),
  option('--account <n>', 'the right account number'),
  option('--type <type>', 'the right type: CHECKING or SAVINGS'),
]
export const decidedBy = option('--by <name>', 'your name, for the history')
export const json = option('--json', 'print JSON')
export const environment = option('--environment <name>', 'the environment (default: the first one)')
environment.choices(ENVIRONMENT_NAMES)
export const anyEnvironment = option('--environment <name>', 'only this environment (default: all that are set up)')
anyEnvironment.choices(ENVIRONMENT_NAMES)

export const userOptions = [
  owner,
  option('--user <user_id>', 'a user of the platform, by user_id or id (default: the owner)'),
  environment,
]
/** The options of commands that call a running service. */
export const connectionOptions = [
  option('--base-url <url>', 'the URL of the service, with REMIT_KEY and REMIT_SECRET'),
  option('--profile <name>', 'a profile of remit login'),
]
export const clientOptions = [...connectionOptions, json]
