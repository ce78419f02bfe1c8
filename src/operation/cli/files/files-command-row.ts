import type { Option } from 'commander'
import { INBOUND_STATUSES } from '../../../connections/exchange/bank-file-rules.ts'
import { OUTGOING_FILE_STATUSES } from '../../../connections/exchange/outgoing-file-status.ts'
import type { CommandFlags, CommandGroupRow, CommandRow } from '../command-flags.ts'
import { environment, json, option, repeatable } from '../command-options.ts'

const run = async (flags: CommandFlags, names: string[]) => {
  const { filesCommand } = await import('../files-commands.ts')
  return (await import('../on-database.ts')).onDatabase(flags, filesCommand(flags, names))
}

/** Returns the row of a command about one bank file. */
const onFile = (name: string, does: string, ...options: Option[]): CommandRow => ({
  name,
  args: '<name>',
  does,
  options: [...options, environment],
  run,
})

/** The options for the person who decided and the reason, for the audit trail. */
const decision = [option('--by <name>', 'who says so'), option('--why <text>', 'how they know')]
const isAbsent = option('--yes', 'the bank confirmed that it does not have the file')

/** The rows of `remit files` for the table of commands. */
export const filesGroup: CommandGroupRow = {
  name: 'files',
  does: 'List, accept, reject, resend and read bank files',
  default: 'list',
  commands: [
    {
      name: 'list',
      does: 'List files that are in transit or need a decision',
      options: [
        option('--all', 'include finished files'),
        option('--connection <id>', 'only files of this connection'),
        option('--direction <direction>', 'only files to banks, or from them').choices(['out', 'in']),
        option('--status <status>', 'only files with this status, also finished ones').choices([
          ...OUTGOING_FILE_STATUSES,
          ...INBOUND_STATUSES,
        ]),
        json,
        environment,
      ],
      examples: ['remit files list --connection first --direction in --all'],
      run,
    },
    onFile('show', 'Show the times, size and totals of a file'),
    onFile('accept', 'Record that the bank accepted a file', ...decision),
    onFile(
      'reject',
      'Record that the bank rejected a file or parts of it',
      repeatable('--batch <n>', 'only this batch'),
      repeatable('--trace <n>', 'only the entry with this trace number'),
      ...decision,
    ),
    onFile('cancel', 'Remove a file that was not transmitted yet', ...decision),
    onFile('send', 'Send a file that could not be sent', isAbsent, ...decision),
    onFile('mark-sent', 'Record that the bank has a file, without a proof', ...decision),
    onFile('resend', 'Resend a file that the bank never received', isAbsent, ...decision),
    onFile(
      'read',
      'Reread a file of the bank that has an exception',
      option('--again', 'after a change of the settings or of the program'),
      option('--by <name>', 'who decided it'),
      option('--why <text>', 'what has changed'),
    ),
    {
      name: 'recover',
      does: 'Continue after a restore of the database',
      options: [
        option('--connection <id>', 'the connection, if there are several'),
        option('--last-ach <name>', 'the last ACH file that the bank has ("none" if it has none)'),
        option('--last-print <name>', 'the last print file that the printer has'),
        option('--last-checkbook <name>', 'the last checkbook that the printer has'),
        option('--last-orders <name>', 'the last file of orders that the bank has'),
        option('--last-recall <name>', 'the last recall of an order that the bank has'),
        option('--last-issue <name>', 'the last list of issued checks that the bank has'),
        option('--last-stop <name>', 'the last list of stopped checks that the bank has'),
        option('--next-check-number <n>', 'the first check number that is still free'),
        option('--last-wallet-number <n>', 'the last listed number that a wallet may have'),
        repeatable('--file <path>', 'a file that the bank has but the database does not'),
        option('--yes', 'go on although files since the backup are missing'),
        environment,
      ],
      examples: ['remit files recover --environment production --last-ach 20261122-B --last-print none'],
      run,
    },
  ],
}
