import { Option } from 'commander'
import type { CommandFlags, CommandGroupRow } from '../command-flags.ts'

/** Returns the rows of `remit checks …` for the table of commands. */
export const checksGroup = ({ json, environment }: Record<'json' | 'environment', Option>): CommandGroupRow => ({
  name: 'checks',
  does: 'Show the lists of checks for your banks',
  commands: [
    {
      name: 'layout',
      args: '[layout]',
      does: 'Show the columns of check lists, with a ruler',
      options: [
        new Option('--connection <id>', 'the layout of this connection (default: the one with checks)'),
        new Option('--dry-run', 'show the lists that would be written now; nothing is changed'),
        json,
        environment,
      ],
      examples: [
        'remit checks layout fixed-with-totals',
        'remit checks layout fixed-with-totals --json > /etc/remit/layouts/first.json',
        'remit checks layout --dry-run --environment production',
      ],
      run: async (flags: CommandFlags, names: string[]) =>
        (await import('./check-layout-commands.ts')).runCheckLayout(flags, names),
    },
  ],
})
