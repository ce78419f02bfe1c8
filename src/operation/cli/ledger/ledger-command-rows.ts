import { Option } from 'commander'
import type { CommandFlags, CommandGroupRow, CommandRow } from '../command-flags.ts'

/** Returns the rows of `remit verify-ledger` and `remit ledger …` for the table of commands. */
export const ledgerRows = ({
  onlyOwner,
  environment,
}: Record<'onlyOwner' | 'environment', Option>): (CommandRow | CommandGroupRow)[] => [
  {
    name: 'verify-ledger',
    does: 'Check that the ledger balances',
    run: async (flags: CommandFlags) => (await import('../ledger-commands.ts')).runVerifyLedger(flags),
  },
  {
    name: 'ledger',
    does: 'Export the ledger',
    commands: [
      {
        name: 'export',
        does: 'Print the journal for your accounting',
        options: [
          new Option('--from <date>', 'the first day: YYYY-MM-DD'),
          new Option('--to <date>', 'the last day: YYYY-MM-DD'),
          new Option('--format <format>', 'the format').choices(['csv']).default('csv'),
          new Option('--accounts <file>', 'the names of accounts in your books: see docs/money.md'),
          onlyOwner,
          environment,
        ],
        examples: [
          'remit ledger export --from 2026-11-01 --to 2026-11-30 > november.csv',
          'remit ledger export --from 2026-11-01 --to 2026-11-30 --accounts accounts.json --environment production',
        ],
        run: async (flags: CommandFlags) => (await import('./ledger-export-command.ts')).runLedgerExport(flags),
      },
    ],
  },
]
