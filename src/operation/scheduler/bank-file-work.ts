import { eachConnection, type OpenConnection } from '../../connections/exchange/connection-pass-actions.ts'
import { reportSilentBank } from '../../connections/exchange/expected-actions.ts'
import {
  endFolderProblem,
  observeTransmissions,
  publishOutgoingFiles,
  recordFolderProblem,
} from '../../connections/exchange/folder-transfer-actions.ts'
import { deleteBytes } from '../../connections/exchange/kept-bytes-actions.ts'
import { lockFileById } from '../../connections/exchange/outgoing-file-actions.ts'
import { acceptUnacknowledged, reportLateFiles } from '../../connections/exchange/outgoing-file-pass-actions.ts'
import {
  type DuePlatform,
  listDueFilePlatforms,
  markPlatformFollowed,
} from '../../connections/exchange/outgoing-file-store.ts'
import { transferOverSftp } from '../../connections/exchange/sftp-transfer-actions.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps } from '../../foundation/db/deps.ts'
import { isolate } from '../../foundation/db/isolation.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { followAchFile } from '../../money/ach/file/ach-follow-actions.ts'
import { followOrderFile } from '../../money/iso20022/order/order-follow-actions.ts'
import { followCheckFile } from '../../payments/check/printing/print-follow-actions.ts'
import { writeCheckFiles } from '../../payments/check/printing/print-worker.ts'
import { followCheckbookFile, printCheckbooks } from '../../payments/checkbook/checkbook-print-actions.ts'
import { legHandlers } from './leg-handlers.ts'

export const exchangeStep: BackgroundStep = { name: 'exchange bank files', run: exchangeBankFiles, isWoken: false }
export const followFilesStep: BackgroundStep = { name: 'follow bank files', run: followBankFiles, isWoken: true }
export const writeChecksStep: BackgroundStep = {
  name: 'write check files',
  run: async (deps) => (await writeCheckFiles(deps, legHandlers)) + (await printCheckbooks(deps)),
  isWoken: false,
}

/**
 * One pass for each connection: sends files, and records the outcome of earlier files. Connections to servers work at the same time, so that a
 * slow server does not delay the others.
 */
export function exchangeBankFiles(deps: Deps): Promise<number> {
  return eachConnection(deps, {
    step: exchangeStep.name,
    isParallel: ({ transport }) => transport.type === 'sftp',
    work: exchangeOver,
    failed: recordFolderProblem,
  })
}

async function exchangeOver(open: OpenConnection): Promise<number> {
  const transferred = await transfer(open)
  const accepted = await acceptUnacknowledged(open)
  await reportLateFiles(open)
  await reportSilentBank(open)
  await deleteBytes(open)
  return transferred + accepted
}

async function transfer(open: OpenConnection): Promise<number> {
  if (open.connection.transport.type === 'sftp') return transferOverSftp(open)
  const count = (await publishOutgoingFiles(open)) + (await observeTransmissions(open))
  await endFolderProblem(open)
  return count
}

const PLATFORMS_PER_PASS = 200

/** One pass: updates the legs of files whose status changed, one platform at a time. @returns the number of platforms handled */
export async function followBankFiles(deps: Deps): Promise<number> {
  const isolation = isolate(deps, followFilesStep.name)
  const given = { limit: PLATFORMS_PER_PASS, except: isolation.skipped().platformIds }
  const due = Map.groupBy(await listDueFilePlatforms(deps.sql, given), ({ platformId }) => platformId)
  return isolation.each([...due.keys()], async (platformId) => {
    const files = due.get(platformId) ?? []
    for (const file of files) await followOnPlatform(deps, file)
    return files.length
  })
}

async function followOnPlatform(deps: Deps, due: DuePlatform): Promise<void> {
  let after: string | null = ''
  while (after !== null) after = await followBatch(deps, due, after)
}

function followBatch(deps: Deps, due: DuePlatform, after: string): Promise<string | null> {
  return inTransaction(deps, async (tx) => {
    const file = await lockFileById(tx, due.fileId)
    if (!file) return null
    const given = { file, platformId: due.platformId }
    const last = file.kind === 'ach' ? await followAchFile(tx, legHandlers, { ...given, after }) : null
    if (file.kind === 'checkbook') await followCheckbookFile(tx, given)
    else if (file.kind === 'orders' || file.kind === 'recall') await followOrderFile(tx, legHandlers, given)
    else if (file.kind !== 'ach') await followCheckFile(tx, legHandlers, given)
    if (last === null) await markPlatformFollowed(tx.sql, due)
    return last
  })
}
