import { setTimeout as sleep } from 'node:timers/promises'
import { requireExchange } from '../../../connections/overview/exchange-list-actions.ts'
import { type TransferProgress, watchProgress } from '../../../connections/progress/transfer-progress-actions.ts'
import { findConnection } from '../../../foundation/core/operator-account.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import { progressLine } from './progress-bar-rules.ts'

const LOOK_EVERY_MS = 300

/**
 * The milliseconds to wait until the worker begins. Also the time to wait for its next report, because a large file is read back after its
 * upload without reports.
 */
const BEGINS_WITHIN_MS = 20_000
const REPORTS_WITHIN_MS = 120_000

/**
 * Shows on a terminal the worker's progress with a file, until the file is sent or needs the operator. The worker continues even if the
 * command is stopped.
 *
 * @returns the outcome of the file, or null if it is not known yet
 */
export async function watchSending(deps: Deps, name: string): Promise<string | null> {
  const { connectionId, ...file } = await requireExchange(deps, name)
  const transport = findConnection(deps.connections.current(), connectionId)?.transport
  if (transport?.type !== 'sftp') return null // a transfer job of the operator sends the file
  let waitsUntil = performance.now() + BEGINS_WITHIN_MS
  await watchProgress(deps, (progress: TransferProgress) => {
    if (progress.connectionId !== connectionId || progress.fileName !== file.name) return
    waitsUntil = performance.now() + REPORTS_WITHIN_MS
    show(progressLine(file.name, progress))
  })
  while (performance.now() < waitsUntil) {
    const { status, attention } = await requireExchange(deps, file.id)
    if (status !== 'WRITTEN' || attention !== null) {
      show('')
      return attention === null ? `${file.name} is ${status}.` : `${file.name} was not sent: ${attention}`
    }
    await sleep(LOOK_EVERY_MS)
  }
  show('')
  return null
}

/** Replaces the last line of the terminal. */
const show = (line: string) => process.stderr.write(`\r\u001b[K${line}`)
