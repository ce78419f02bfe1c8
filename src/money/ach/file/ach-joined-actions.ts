import type { Deps, TxDeps } from '../../../foundation/db/deps.ts'
import { isolate } from '../../../foundation/db/isolation.ts'
import { inTransaction } from '../../../foundation/db/transaction.ts'
import { findStillOpenCase } from '../../../foundation/exception/bank-case-actions.ts'
import { StartProblem } from '../../../foundation/lib/start-problem.ts'
import { lockLeg } from '../../rail/leg-actions.ts'
import { settleBankCase } from '../../rail/leg-release-actions.ts'
import type { LegRow } from '../../rail/leg-store.ts'
import { assignWaitingLegs, NO_GAP, reportMissingPayments } from '../../rail/restore-hold-actions.ts'
import { addNamedEntry, findFileOfReserved } from './ach-adopt-actions.ts'
import { sourceOfCase } from './ach-decision-actions.ts'
import { applyEntries } from './ach-entry-actions.ts'
import type { AchHooks } from './ach-file-actions.ts'
import { tryLockAchFiles } from './ach-file-store.ts'
import type { InboundEntry } from './ach-inbound-rules.ts'
import {
  assignToEntry,
  isAtBank,
  matchAtBank,
  movementOf,
  movementOfLeg,
  readKnownAtBank,
} from './ach-restore-actions.ts'
import {
  hasEntry,
  isRecoveredRejected,
  isStillUnassigned,
  listCasesOfRestore,
  listLegsOfRecovered,
  listMissingPayments,
  listRecoveredEntries,
} from './ach-restore-store.ts'

/**
 * Assigns waiting legs to the entries that the bank already has, and holds those that may have one. From then on, nobody can void them.
 * Payments that clients repeat later are assigned at their cut-off.
 *
 * @returns the number of entries that still have no payment
 */
export async function assignEntriesOfRestore(deps: Deps, { handlers, receiversOf }: AchHooks): Promise<number> {
  await assignWaitingLegs(deps, 'write ACH files', {
    tryLock: tryLockAchFiles,
    list: listLegsOfRecovered,
    prepare: async (tx, legs) => {
      const receivers = await receiversOf(tx, legs)
      const sendings = legs.flatMap((leg) => {
        const receiver = receivers.get(leg.id)
        return receiver ? [{ leg, receiver }] : []
      })
      const matches = matchAtBank(tx, await readKnownAtBank(tx, sendings), sendings)
      return (leg) => isAtBank(tx, handlers, { leg, matches, gap: NO_GAP })
    },
  })
  return (await listRecoveredEntries(deps.sql)).length
}

/**
 * Assigns a payment that was held after a restore to the entry that the operator names. @returns a text that says what was done
 * @throws StartProblem if the entry cannot be the one of the payment
 */
export async function assignByHand(
  tx: TxDeps,
  { handlers, receiversOf }: Pick<AchHooks, 'handlers' | 'receiversOf'>,
  { platformId, legId, trace }: { platformId: string; legId: string; trace: string | undefined },
): Promise<string> {
  const leg = await lockLeg(tx, handlers, { platformId, id: legId })
  if (!(await tryLockAchFiles(tx.sql))) throw new StartProblem('A file is being written now. Repeat this in a minute.')
  const findOpen = async () => (await listRecoveredEntries(tx.sql)).find(({ traceNumber }) => traceNumber === trace)
  const known = leg?.rail === 'ACH' ? await findOpen() : undefined
  const isNamed = leg?.rail === 'ACH' && !known && (await nameLostEntry(tx, receiversOf, { leg, trace }))
  const entry = isNamed ? await findOpen() : known
  if (leg && !entry && trace !== undefined && (await isRecoveredRejected(tx.sql, trace)))
    throw new StartProblem(
      `The bank has rejected the entry with trace number ${trace}, so it moved no money. If the bank does not have the payment in another entry, close this.`,
    )
  if (!leg || !entry) {
    throw new StartProblem(
      'Name an entry that remit files recover added and that has no payment, or one of a file whose content is lost: --trace NUMBER. If the bank does not have the payment, close this.',
    )
  }
  const [has, needs] = [movementOf(entry), movementOfLeg(leg)]
  if (has !== needs)
    throw new StartProblem(`The entry with trace number ${trace} is ${has}, and the payment needs ${needs}.`)
  if (!(await assignToEntry(tx, handlers, { leg, entry })))
    throw new StartProblem('The payment does not wait for a file, or another exception holds it.')
  return `The payment has the entry with trace number ${trace}. It is not sent again.`
}

/**
 * Adds the entry of a leg to a file whose content is unknown, if the trace number is reserved for this file. @returns whether it is
 * @throws StartProblem if the bank cannot have the entry
 */
async function nameLostEntry(
  tx: TxDeps,
  receiversOf: AchHooks['receiversOf'],
  { leg, trace }: { leg: LegRow; trace: string | undefined },
): Promise<boolean> {
  const file = trace === undefined ? null : await findFileOfReserved(tx, trace)
  if (!file || trace === undefined) return false
  if (await hasEntry(tx.sql, { fileId: file.id, traceNumber: trace }))
    throw new StartProblem(`The entry with trace number ${trace} has another payment. Ask the bank for the number.`)
  if (file.status !== 'TRANSMITTED' && file.status !== 'ACCEPTED')
    throw new StartProblem(
      `The file ${file.name} with trace number ${trace} is ${file.status}, so the bank does not have its entries. Close this.`,
    )
  const receiver = (await receiversOf(tx, [leg])).get(leg.id)
  if (!receiver) throw new StartProblem('The account of the payment cannot be found. See the log.')
  await addNamedEntry(tx, file, { traceNumber: trace, leg, receiver })
  return true
}

/**
 * Applies returns and notifications of change that arrived after a restore, while their entries were unknown. Once the payment of such an
 * entry is known again, its case is closed. An entry that still cannot be applied then has a case that names the payment.
 *
 * @returns the number of closed cases
 */
export async function applyEntriesOfRestore(deps: Deps, hooks: AchHooks): Promise<number> {
  const isolation = isolate(deps, 'read ACH files')
  let count = 0
  for (const id of await listCasesOfRestore(deps.sql)) {
    const unit = { platformId: null, kind: 'bank case', id }
    if (await isolation.run(unit, () => applyCase(deps, hooks, id))) count++
  }
  return count
}

const applyCase = (deps: Deps, hooks: AchHooks, caseId: string): Promise<boolean> =>
  inTransaction(deps, async (tx) => {
    const row = await findStillOpenCase(tx, caseId)
    const entry = row?.content.data?.entry as InboundEntry | undefined
    if (!row || !entry) return false
    const [left] = await applyEntries(tx, hooks, { source: sourceOfCase(tx, row), entries: [entry] })
    const done = left ? `It was not applied: ${left.reason}.` : 'It was applied.'
    const resolution = `The payment of the entry is known again. ${done}`
    await settleBankCase(tx, hooks.handlers, { row, resolution })
    return true
  })

/** Records a case for each recovered entry whose payment nobody has repeated. @returns the number of new cases */
export const reportMissingEntries = (deps: Deps): Promise<number> =>
  reportMissingPayments(deps, 'read ACH files', {
    list: (since) => listMissingPayments(deps.sql, since),
    isUnassigned: (tx, entry) => isStillUnassigned(tx.sql, entry),
    caseOf: (entry) => {
      const { connectionId, fileId, fileName, traceNumber, cents } = entry
      return {
        ...{ connectionId, source: 'ach', file: { id: fileId, name: fileName }, event: traceNumber, cents },
        note: `The bank has ${movementOf(entry)} with trace number ${traceNumber} from before the restore, and nobody has repeated its payment.`,
      }
    },
  })
