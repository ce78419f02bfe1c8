import {
  acceptOutgoingFile,
  cancelOutgoingFile,
  markOutgoingFileSent,
  recordFileAudit,
  rejectOutgoingFile,
  requireOutgoingFile,
  requireUploadBegun,
  resendOutgoingFile,
  sendOutgoingFile,
} from '../../connections/exchange/outgoing-file-actions.ts'
import { type OutgoingFileRow, updateAttention } from '../../connections/exchange/outgoing-file-store.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { findKeptFiles } from '../../foundation/exception/bank-case-actions.ts'
import { StartProblem } from '../../foundation/lib/start-problem.ts'
import { bookedProblem, rejectPart } from '../../money/ach/file/ach-acknowledgement-actions.ts'
import { readAchFileAgain } from '../../money/ach/file/ach-decision-actions.ts'
import { endMissingPayments, FILE_REJECTED } from '../../money/rail/restore-hold-actions.ts'
import { readPaidFileAgain } from '../../payments/check/paid/paid-decision-actions.ts'
import { achHooks, legHandlers } from '../scheduler/leg-handlers.ts'
import type { CommandFlags } from './command-flags.ts'
import { listFiles, showFile } from './files/files-list.ts'
import { watchSending } from './files/files-progress.ts'
import type { DatabaseCommand } from './on-database.ts'
import { recoverCommand } from './recover-command.ts'

type Act = (tx: TxDeps, file: OutgoingFileRow, flags: CommandFlags) => Promise<string>

/** The commands that change one file. Each returns a message about the change. */
const acts: Record<string, Act> = {
  accept: async (tx, file, flags) => {
    requireUploadBegun(tx, file)
    if (!(await acceptOutgoingFile(tx, file)))
      throw new StartProblem(`${file.name} is ${file.status} and cannot be accepted.`)
    await updateAttention(tx.sql, file.id, null)
    await recordFileAudit(tx, file, { action: 'bank_file_accepted', actor: 'operator', ...reasonOf(flags) })
    return `${file.name} is ACCEPTED.`
  },
  reject: async (tx, file, flags) => {
    requireUploadBegun(tx, file)
    return isPartial(flags) ? rejectParts(tx, file, flags) : rejectAll(tx, file, flags)
  },
  cancel: async (tx, file, flags) => {
    await requireUnbooked(tx, file)
    await recordFileAudit(tx, file, { action: 'bank_file_canceled', actor: 'operator', ...reasonOf(flags) })
    await cancelOutgoingFile(tx, file)
    return `${file.name} is CANCELED. Its entries go into the next file.`
  },
  send: async (tx, file, flags) => {
    await sendOutgoingFile(tx, file, { isAbsent: flags.yes ?? false })
    await recordFileAudit(tx, file, { action: 'bank_file_sent_again', actor: 'operator', ...reasonOf(flags) })
    return `${file.name} is sent in the next pass over ${file.connectionId}.`
  },
  'mark-sent': async (tx, file, flags) => {
    const reason = reasonOf(flags)
    if (!reason.subject)
      throw new StartProblem('remit files mark-sent needs --by NAME and --why TEXT: who at the bank confirmed it.')
    await markOutgoingFileSent(tx, file)
    await recordFileAudit(tx, file, { action: 'bank_file_marked_sent', actor: 'operator', ...reason })
    return `${file.name} is TRANSMITTED.`
  },
  resend: async (tx, file, flags) => {
    if (!flags.yes) {
      throw new StartProblem(
        `The bank may already have ${file.name}. Sending it again would then process every entry twice. Ask the bank first, then repeat with --yes.`,
      )
    }
    await recordFileAudit(tx, file, { action: 'bank_file_resent', actor: 'operator', ...reasonOf(flags) })
    await resendOutgoingFile(tx, file)
    return `${file.name} is WRITTEN again, with the same bytes.`
  },
}

/** Returns the person who decided and the reason, for the audit trail. Returns an empty object unless both are given. */
const reasonOf = ({ by, why }: CommandFlags): { subject?: string } => (by && why ? { subject: `${by}: ${why}` } : {})

/** Prepares `remit files …`: checks the command line before a database is opened. @throws StartProblem */
export function filesCommand(flags: CommandFlags, names: readonly string[]): DatabaseCommand {
  const [verb = 'list', name = ''] = names
  if (verb === 'list') return (deps) => listFiles(deps, flags)
  if (verb === 'show') return (deps) => inTransaction(deps, (tx) => showFile(tx, name))
  if (verb === 'recover') return recoverCommand(flags)
  if (verb === 'read') return (deps) => readAgain(deps, name, flags)
  const act = acts[verb]
  if (!act) throw new StartProblem(`remit files has no subcommand ${verb}.`)
  const change = (deps: Deps) => inTransaction(deps, async (tx) => act(tx, await requireOutgoingFile(tx, name), flags))
  if (verb !== 'send' || !process.stderr.isTTY) return change
  return async (deps) => {
    const message = await change(deps)
    return (await watchSending(deps, name)) ?? message
  }
}

/** Reads a file of the bank again that has a case. */
async function readAgain(deps: Deps, name: string, { again, by, why }: CommandFlags): Promise<string> {
  if (!again) {
    throw new StartProblem('Files of the bank are read automatically. --again reads one that has an exception.')
  }
  if (!by || !why) {
    throw new StartProblem(
      'remit files read --again needs --by NAME and --why TEXT: what has changed since it was read.',
    )
  }
  const [kept] = await findKeptFiles(deps, name)
  if (!kept) {
    throw new StartProblem(`No file with the name ${name} could not be used as a whole. See "remit exceptions list".`)
  }
  const given = { name, by, why }
  return kept.source === 'paid' ? readPaidFileAgain(deps, legHandlers, given) : readAchFileAgain(deps, achHooks, given)
}

const isPartial = ({ batch, trace }: CommandFlags): boolean => (batch?.length ?? 0) + (trace?.length ?? 0) > 0

/** A file that was rejected or canceled before can have a question, because the bank has answered since then. Rejecting it answers that. */
async function rejectAll(tx: TxDeps, file: OutgoingFileRow, flags: CommandFlags): Promise<string> {
  const isAnswer = file.status === 'CANCELED' && file.attention !== null
  await requireUnbooked(tx, file)
  if (!isAnswer && !(await rejectOutgoingFile(tx, file)))
    throw new StartProblem(`${file.name} is ${file.status} and cannot be rejected.`)
  await updateAttention(tx.sql, file.id, null)
  // A printer may have printed some of the checks that it rejects.
  if (file.kind !== 'print') await endMissingPayments(tx, { fileId: file.id, resolution: FILE_REJECTED })
  await recordFileAudit(tx, file, { action: 'bank_file_rejected', actor: 'operator', ...reasonOf(flags) })
  return isAnswer
    ? `${file.name} stays CANCELED. Its question is answered.`
    : `${file.name} is REJECTED. Its entries go into the next file.`
}

/** @throws StartProblem if a line of a bank statement books entries that would go into another file */
async function requireUnbooked(tx: TxDeps, file: OutgoingFileRow): Promise<void> {
  const isOpen = file.status === 'WRITTEN' || file.status === 'TRANSMITTED'
  const problem = file.kind === 'ach' && isOpen ? await bookedProblem(tx, file) : null
  if (problem !== null) throw new StartProblem(`Nothing was changed in ${file.name}: ${problem}.`)
}

async function rejectParts(
  tx: TxDeps,
  file: OutgoingFileRow,
  { batch = [], trace = [], ...flags }: CommandFlags,
): Promise<string> {
  if (file.kind !== 'ach') throw new StartProblem('Only ACH files have batches and trace numbers.')
  if (!batch.every((one) => /^\d{1,7}$/.test(one))) throw new StartProblem('--batch must be a batch number.')
  if (!trace.every((one) => /^\d{15}$/.test(one)))
    throw new StartProblem('--trace must be a trace number of 15 digits.')
  const problem = await rejectPart(tx, file, {
    batchNumbers: batch.map(Number),
    traceNumbers: trace,
    actor: 'operator',
    reason: reasonOf(flags).subject,
  })
  if (problem !== null) throw new StartProblem(`Nothing was changed in ${file.name}: ${problem}.`)
  return `${file.name} is ACCEPTED without the rejected entries. Those that have not settled go into the next file. The others count as returned.`
}
