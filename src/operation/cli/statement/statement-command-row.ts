import { Option } from 'commander'
import type { CommandFlags } from '../command-flags.ts'
import { decidedBy as by, environment, json, repeatable } from '../command-options.ts'

/** The rows of `remit statements` for the table of commands. */
export const statementsGroup = {
  name: 'statements',
  does: 'Read bank statements',
  commands: [
    {
      name: 'show',
      args: '<file>',
      does: 'Show the content of a statement, and whether it balances',
      options: [
        new Option('--format <format>', 'the format (default: detected)').choices(['bai2', 'camt', 'csv']),
        new Option('--mapping <file>', 'the columns of a CSV file: see docs/statements.md'),
        new Option('--json', 'print one JSON object in each line'),
      ],
      examples: ['remit statements show bank.bai', 'remit statements show bank.csv --mapping bank-columns.json'],
      run: async (flags: CommandFlags, names: string[]) =>
        (await import('./statement-commands.ts')).runShowStatement(flags, names),
    },
    {
      name: 'read',
      args: '<file>',
      does: 'Read a statement into the ledger, and match its lines',
      options: [
        new Option('--connection <id>', 'the connection whose bank sent it'),
        new Option('--again', 'try statements again that were set aside'),
        environment,
      ],
      examples: ['remit statements read bank.bai --connection first --environment production'],
      run: async (flags: CommandFlags, names: string[]) => {
        const command = (await import('./statement-read-command.ts')).readStatementCommand(flags, names)
        return (await import('../on-database.ts')).onDatabase(flags, command)
      },
    },
  ],
}

const reconcile = async (flags: CommandFlags, names: string[]) => {
  const command = (await import('./reconcile-command.ts')).reconcileCommand(flags, names)
  return (await import('../on-database.ts')).onDatabase(flags, command)
}

const month = new Option('--month <month>', 'the month, such as 2026-03')
const account = new Option('--account <account>', 'CONNECTION:ACCOUNT (default: each account with statements)')
const output = new Option('--output <folder>', 'where to write the reports (default: here)')

const closing = async (flags: CommandFlags, names: string[]) => {
  const command = (await import('./month-command.ts')).monthCommand(flags, names)
  return (await import('../on-database.ts')).onDatabase(flags, command)
}

const monthCommands = [
  {
    name: 'close',
    does: 'Close a month, or list what is open',
    options: [month, account, by, output, environment],
    examples: ['remit reconcile close --month 2026-03 --by "Ada Lovelace"'],
    run: closing,
  },
  { name: 'months', does: 'List closed months', options: [json, environment], run: closing },
  {
    name: 'report',
    does: 'Write the report of a closed month as PDF and CSV',
    options: [month, account, output, environment],
    run: closing,
  },
  {
    name: 'reopen',
    does: 'Reopen the latest closed month',
    options: [month, account, new Option('--why <text>', 'the reason'), by, environment],
    run: closing,
  },
]

/** The rows of `remit reconcile` for the table of commands. */
export const reconcileGroup = {
  name: 'reconcile',
  does: 'Decide about lines of bank statements',
  default: 'list',
  commands: [
    { name: 'list', does: 'List the lines that wait for you', options: [json, environment], run: reconcile },
    {
      name: 'show',
      args: '<line>',
      does: 'Show a line, how it is booked, and the legs that it could book',
      options: [environment],
      run: reconcile,
    },
    {
      name: 'match',
      args: '<line...>',
      does: 'Book lines against legs of the same sum, or a wallet',
      options: [
        repeatable('--leg <id>', 'the id of a leg'),
        new Option('--wallet <id>', 'the wallet of a credit or of a returned credit'),
        by,
        environment,
      ],
      run: reconcile,
    },
    {
      name: 'split',
      args: '<line>',
      does: 'Divide a line into parts',
      options: [
        repeatable('--part <name=amount>', 'the id of a leg, or the name of an ACH file or an account, and its amount'),
        by,
        environment,
      ],
      examples: ['remit reconcile split LINE --part LEG=98.50 --part fees=-1.50'],
      run: reconcile,
    },
    {
      name: 'ignore',
      args: '<line>',
      does: 'Record why a line concerns nothing in the ledger',
      options: [new Option('--why <text>', 'the reason'), by, environment],
      run: reconcile,
    },
    {
      name: 'undo',
      args: '<line>',
      does: 'Undo the booking of a line',
      options: [by, environment],
      run: reconcile,
    },
    ...monthCommands,
  ],
}
