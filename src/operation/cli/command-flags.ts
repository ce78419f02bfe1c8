import type { Option } from 'commander'
import type { Flags } from '../app/config.ts'

type Text =
  | 'account'
  | 'accounts'
  | 'amount'
  | 'bank'
  | 'baseUrl'
  | 'by'
  | 'code'
  | 'columns'
  | 'connection'
  | 'data'
  | 'date'
  | 'day'
  | 'direction'
  | 'email'
  | 'endDate'
  | 'endpoint'
  | 'environment'
  | 'events'
  | 'format'
  | 'forwardTo'
  | 'from'
  | 'idempotencyKey'
  | 'lastAch'
  | 'lastCheckbook'
  | 'lastOrders'
  | 'lastRecall'
  | 'lastIssue'
  | 'lastPrint'
  | 'lastStop'
  | 'limit'
  | 'lines'
  | 'mapping'
  | 'maxAmount'
  | 'minAmount'
  | 'maxAge'
  | 'month'
  | 'name'
  | 'nextCheckNumber'
  | 'lastWalletNumber'
  | 'note'
  | 'number'
  | 'output'
  | 'owner'
  | 'paidBy'
  | 'password'
  | 'path'
  | 'payment'
  | 'profile'
  | 'q'
  | 'rail'
  | 'reference'
  | 'returnCode'
  | 'routing'
  | 'since'
  | 'startDate'
  | 'status'
  | 'to'
  | 'type'
  | 'user'
  | 'wallet'
  | 'why'

type Repeatable = 'batch' | 'field' | 'file' | 'head' | 'leg' | 'part' | 'query' | 'trace'

type Switch = 'again' | 'all' | 'distributed' | 'dryRun' | 'full' | 'json' | 'quiet' | 'write' | 'yes'

type Given<Name extends string, Value> = { [Option in Name]?: Value | undefined }

/** The options of all commands. `command-table.ts` defines which command has which options. */
export type CommandFlags = Flags & Given<Text, string> & Given<Repeatable, string[]> & Given<Switch, boolean>

/** Runs a command. @param names the subcommand and the arguments @returns the exit code */
export type Run = (flags: CommandFlags, names: string[]) => Promise<number>

/** A command. Its code is loaded when it runs, so that help and completion answer at once. */
export type CommandRow = {
  name: string
  does: string
  /** The arguments of the command, such as `<name>`. */
  args?: string
  options?: readonly Option[]
  examples?: readonly string[]
  run: Run
}

/** A command that only groups others. `default`: the subcommand that runs if none is given. */
export type CommandGroupRow = {
  name: string
  does: string
  default?: string
  commands: readonly CommandRow[]
}
