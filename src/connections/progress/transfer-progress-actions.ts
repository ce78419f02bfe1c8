import type { Deps } from '../../foundation/db/deps.ts'
import type { OnProgress } from '../transport/transport-types.ts'

const CHANNEL = 'remit_transfer_progress'

/** The milliseconds between two reports. A shorter transfer reports nothing. */
const REPORT_EVERY_MS = 250

/** The progress of an upload. `fileName`: the name of the file that operators see. */
export type TransferProgress = { connectionId: string; fileName: string; doneBytes: number; totalBytes: number }

/** Returns a function that reports the progress of an upload to all processes that watch. Reports may be lost. */
export function reportProgress(
  { sql }: Pick<Deps, 'sql'>,
  file: Pick<TransferProgress, 'connectionId' | 'fileName'>,
): OnProgress {
  let reportedAt = performance.now()
  return (progress) => {
    const now = performance.now()
    if (now - reportedAt < REPORT_EVERY_MS) return
    reportedAt = now
    sql.notify(CHANNEL, JSON.stringify({ ...file, ...progress })).catch(() => {})
  }
}

/** Calls a function with each report of an upload in any process, until the database connection ends. */
export const watchProgress = (
  { sql }: Pick<Deps, 'sql'>,
  onReport: (progress: TransferProgress) => void,
): Promise<void> => sql.listen(CHANNEL, (text) => onReport(JSON.parse(text)))
