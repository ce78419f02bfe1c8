import { type FollowUp, followUps } from '../../../connections/exchange/outgoing-file-status.ts'
import type { OutgoingFileRow } from '../../../connections/exchange/outgoing-file-store.ts'
import type { TxDeps } from '../../../foundation/db/deps.ts'
import { runInGroup } from '../../../foundation/db/statement-group.ts'
import { acceptLeg, endStop, type LegHandlers, lockLeg, lockLegs, recallLeg } from '../../../money/rail/leg-actions.ts'
import type { LegRow } from '../../../money/rail/leg-store.ts'
import { isCheckFileKind, listChecksInFile, releaseCheckFromFile } from './print-store.ts'

type Follow = (tx: TxDeps, handlers: LegHandlers, leg: LegRow) => Promise<unknown>

/**
 * Puts a check into another print file. A check that is being stopped stays so until the bank accepts the stop, because the payee may have
 * it from an earlier file.
 */
const recallUnlessStopping: Follow = async (tx, handlers, leg) =>
  leg.status !== 'STOPPING' && recallLeg(tx, handlers, leg)

const follow: Record<FollowUp, Follow> = {
  accept: (tx, handlers, leg) => acceptLeg(tx, handlers, leg, tx.clock.now()),
  recall: recallUnlessStopping,
  // The printer had the file, even if it rejected the file before a pass saw that it was transmitted.
  print_again: async (tx, handlers, leg) => {
    const isNews = leg.status === 'SENT' && (await acceptLeg(tx, handlers, leg, tx.clock.now()))
    const current = isNews ? await lockLeg(tx, handlers, leg) : leg
    return current && recallUnlessStopping(tx, handlers, current)
  },
  end_stop: async (tx, handlers, leg) => leg.status === 'STOPPING' && endStop(tx, handlers, leg),
  list_again: async () => {},
  keep: async () => {},
}

/** Updates the checks of one platform after a print file, or a list for the bank, has changed status. */
export async function followCheckFile(
  tx: TxDeps,
  handlers: LegHandlers,
  { file, platformId }: { file: OutgoingFileRow; platformId: string },
): Promise<void> {
  const { id: fileId, kind, status } = file
  const followUp = followUps[kind][status]
  if (!followUp || !isCheckFileKind(kind)) return
  const checks = await listChecksInFile(tx.sql, { fileId, kind, platformId })
  for (let first = 0; first < checks.length; first += CHECKS_AT_A_TIME) {
    const some = checks.slice(first, first + CHECKS_AT_A_TIME)
    const legs = await lockLegs(
      tx,
      handlers,
      some.map(({ legId }) => ({ platformId, id: legId })),
    )
    const paymentOf = new Map(legs.map(({ id, subjectId }) => [id, subjectId]))
    await runInGroup(tx.sql, some, {
      keysOf: ({ legId }) => [paymentOf.get(legId) ?? legId],
      run: async (check) => {
        const leg = await lockLeg(tx, handlers, { platformId, id: check.legId })
        if (leg) await follow[followUp](tx, handlers, leg)
        // The file never took effect, so the check can go on another list.
        if (followUp === 'recall' || followUp === 'print_again' || followUp === 'list_again')
          await releaseCheckFromFile(tx.sql, check, { kind, fileId })
      },
    })
  }
}

/** The number of checks that share statements. */
const CHECKS_AT_A_TIME = 200
