import type { Flags } from '../app/config.ts'

type Text =
  | 'account'
  | 'amount'
  | 'bank'
  | 'baseUrl'
  | 'code'
  | 'date'
  | 'day'
  | 'email'
  | 'environment'
  | 'events'
  | 'format'
  | 'forwardTo'
  | 'lastAch'
  | 'lastCheckbook'
  | 'lastIssue'
  | 'lastPrint'
  | 'lastStop'
  | 'limit'
  | 'mapping'
  | 'month'
  | 'name'
  | 'nextCheckNumber'
  | 'note'
  | 'number'
  | 'owner'
  | 'paidBy'
  | 'password'
  | 'payment'
  | 'reference'
  | 'returnCode'
  | 'routing'
  | 'type'
  | 'user'

type Repeatable = 'batch' | 'file' | 'head' | 'trace'

type Switch = 'again' | 'all' | 'distributed' | 'json' | 'quiet' | 'yes'

type Given<Name extends string, Value> = { [Option in Name]?: Value | undefined }

/** The options of `command-table.ts`, which says which command has which. */
export type CommandFlags = Flags & Given<Text, string> & Given<Repeatable, string[]> & Given<Switch, boolean>
