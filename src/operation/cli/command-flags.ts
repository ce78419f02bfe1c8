import type { Flags } from '../app/config.ts'
import type { AuditFlags } from './audit-commands.ts'
import type { BankFlags } from './bank-commands.ts'
import type { DebtFlags } from './debt-commands.ts'
import type { ExceptionFlags } from './exception-commands.ts'
import type { FilesFlags } from './files-commands.ts'
import type { KeysFlags } from './keys-commands.ts'
import type { ListenFlags } from './listen-command.ts'
import type { OwnerFlags } from './owner-commands.ts'
import type { MigrateFlags } from './service-commands.ts'
import type { TriggerFlags } from './trigger-command.ts'
import type { UserFlags } from './user-commands.ts'

/** Every option of `command-table.ts`. Each command knows its own. */
export type CommandFlags = Flags & { environment?: string | undefined } & AuditFlags &
  BankFlags &
  DebtFlags &
  ExceptionFlags &
  FilesFlags &
  KeysFlags &
  ListenFlags &
  MigrateFlags &
  OwnerFlags &
  TriggerFlags &
  UserFlags
