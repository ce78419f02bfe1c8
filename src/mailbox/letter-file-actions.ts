import {
  type Inbound,
  type InboundFile,
  type InboundOutcome,
  moveInbound,
  processInboundFile,
  readInbound,
} from '../bank-file/exchange-folder-actions.ts'
import { reportOnFile } from '../bank-file/inbound-file-rules.ts'
import type { Deps, TxDeps } from '../db/deps.ts'
import { clockOf } from '../db/platform-clock.ts'
import { inTransaction } from '../db/transaction.ts'
import { recordException } from '../exception/exception-actions.ts'
import { isPdf } from '../lib/files/file-type.ts'
import { type LetterFile, type LetterFileReading, readLetterFile } from './letter-file-rules.ts'
import { receiveLetter } from './mailbox-actions.ts'
import { findMailboxByNumber, findMailboxFile, insertMailboxFile, type MailboxKey } from './mailbox-store.ts'
import { withoutScanned } from './scanned-check-actions.ts'

/** How long the scan may follow its description. */
const MISSING_SCAN_MS = 60 * 60 * 1000

export const scanNameOf = (name: string): string => name.replace(/\.json$/i, '.pdf')

/**
 * Reads one piece of mail: a JSON file and the PDF beside it. The mail and the record of the file commit together. Then
 * the scan is moved away, and the description last, so that a crash in between repeats only the moves.
 *
 * @returns false when another worker is processing it, or its scan has not arrived
 */
export const processLetterFile = (deps: Deps, given: { folder: string; file: Inbound }): Promise<boolean> =>
  processInboundFile<LetterFileReading>(deps, given, {
    read: readLetterFile,
    refuse: (problem) => ({ letter: null, problems: [problem] }),
    record: async (file) => {
      const outcome = await recordLetterFile(deps, { ...given, file: { ...given.file, ...file } })
      if (!outcome) return null
      const to = outcome.isUsed ? 'done' : 'set-aside'
      await moveInbound(given.folder, scanNameOf(file.name), { to, mark: markOf(file) })
      return outcome
    },
  })

const markOf = ({ contentHash }: { contentHash: Buffer }) => contentHash.toString('hex').slice(0, 16)

type Given = { folder: string; file: Inbound & InboundFile<LetterFileReading> }

async function recordLetterFile(deps: Deps, { folder, file }: Given): Promise<InboundOutcome | null> {
  const known = await findMailboxFile(deps.sql, file)
  if (known) return { isUsed: known.report === null, report: known.report }
  const scan = await readInbound(folder, scanNameOf(file.name))
  const isLate = deps.realClock.now().getTime() - file.changedAt.getTime() >= MISSING_SCAN_MS
  if (!scan && file.reading.letter && !isLate) return null
  return inTransaction(deps, (tx) => recordOnce(tx, file, scan))
}

async function recordOnce(tx: TxDeps, file: Given['file'], scan: Buffer | null): Promise<InboundOutcome | null> {
  const { name, contentHash, reading } = file
  const problems = reading.letter ? await applyLetter(tx, reading.letter, scan) : reading.problems
  const report = problems.length > 0 ? reportOnFile(name, problems) : null
  if (!(await insertMailboxFile(tx.sql, { name, contentHash, report, readAt: tx.clock.now() }))) return null
  return { isUsed: report === null, report }
}

/** @returns why it cannot be used */
async function applyLetter(tx: TxDeps, letter: LetterFile, scan: Buffer | null): Promise<string[]> {
  const mailbox = await findMailboxByNumber(tx.sql, letter.mailbox)
  if (!mailbox) return ['no mailbox has this number']
  const problem = await applyToMailbox(tx, mailbox, letter, scan)
  if (problem === null) return []
  const note = `Mail was set aside: ${problem}.`
  await recordException(tx, { platformId: mailbox.platformId, kind: 'mail_set_aside', note })
  return [problem]
}

async function applyToMailbox(
  tx: TxDeps,
  mailbox: MailboxKey,
  { id: reference, sender, recipient, tags, checks }: LetterFile,
  scan: Buffer | null,
): Promise<string | null> {
  if (!scan) return 'its scan, the PDF of the same name, is missing'
  if (!isPdf(scan)) return 'its scan is not a PDF'
  const deps = { ...tx, clock: await clockOf(tx, mailbox.platformId) }
  const letter = { reference, sender, recipient, tags, checks: await withoutScanned(tx, checks), scan }
  const received = await receiveLetter(deps, mailbox, letter)
  if ('refusal' in received) return refusals[received.refusal]
  if (received.checks.length < checks.length) {
    const note = 'A check of this mail was scanned before. It is not listed again.'
    await recordException(tx, { platformId: mailbox.platformId, kind: 'check_scanned_twice', note })
  }
  return null
}

const refusals = {
  mailbox_closed: 'its mailbox is closed',
  mail_exists: 'mail with this id arrived before',
}
