import type { CommandGroupRow, Run } from '../command-flags.ts'
import { environment, option } from '../command-options.ts'

const backup: Run = async (flags, names) => (await import('./backup-command.ts')).runBackup(flags, names)

export const backupGroup: CommandGroupRow = {
  name: 'backup',
  does: 'Check backups of the database',
  commands: [
    {
      name: 'check',
      args: '<file>',
      does: 'Restore a backup into a scratch database and verify it',
      options: [option('--max-age <hours>', 'the maximum age in hours (default: 26)'), environment],
      examples: ['remit backup check /backups/remit.dump'],
      run: backup,
    },
  ],
}
