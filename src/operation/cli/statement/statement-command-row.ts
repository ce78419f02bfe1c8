import { Option } from 'commander'
import type { CommandFlags } from '../command-flags.ts'
import { environment } from '../command-options.ts'

/** `remit statements`, for the table of commands. */
export const statementsGroup = {
  name: 'statements',
  does: 'Read bank statements',
  commands: [
    {
      name: 'show',
      args: '<file>',
      does: 'Show what a statement says, and whether it adds up',
      options: [
        new Option('--format <format>', 'the format (default: found out)').choices(['bai2', 'camt', 'csv']),
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
      does: 'Read a statement into the books, and match its lines',
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
