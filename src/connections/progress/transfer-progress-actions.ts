import type { Deps } from '../../foundation/db/deps.ts'
import type { OnProgress } from '../transport/transport-types.ts'

const CHANNEL = 'remit_transfer_progress'

/** The time between two reports. A shorter transfer reports nothing. */
const REPORT_EVERY_MS = 250

/** How far the upload of a file is. `fileName`: its name for operators. */
export type TransferProgress = { connectionId: string; fileName: string; doneBytes: number; totalBytes: number }

/** Returns a function that reports how far an upload is to all processes that watch. Nothing depends on a report that is lost. */
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

/** Calls a function with each report of an upload, of any process, until the database connection ends. */
export const watchProgress = (
  { sql }: Pick<Deps, 'sql'>,
  onReport: (progress: TransferProgress) => void,
): Promise<void> => sql.listen(CHANNEL, (text) => onReport(JSON.parse(text)))
