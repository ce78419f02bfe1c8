import { reportOnFile } from '../../connections/exchange/bank-file-rules.ts'
import type { Inbound } from '../../connections/exchange/exchange-folder-actions.ts'
import {
  type InboundFile,
  type InboundOutcome,
  type Inbox,
  processInboundFile,
} from '../../connections/exchange/inbox-actions.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { recordBankCase } from '../../foundation/exception/bank-case-actions.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { isPdf } from '../../foundation/lib/files/file-type.ts'
import { newId } from '../../foundation/lib/ids.ts'
import {
  type LetterFile,
  type LetterFileReading,
  readLetterFile,
  type UnreadCheck,
  unreadLetter,
} from './letter-file-rules.ts'
import { receiveLetter } from './mailbox-actions.ts'
import { findMailboxByNumber, findMailboxFile, insertMailboxFile, type MailboxKey } from './mailbox-store.ts'
import { recognizeOwnChecks } from './own-check-actions.ts'
import { withoutScanned } from './scanned-check-actions.ts'

export const scanFileName = (name: string): string => name.replace(/\.json$/i, '.pdf')

/**
 * Reads one piece of mail: a JSON file with its description and a PDF with its scan. The mail and the record of the file commit together.
 * Then the scan is moved away, and the description last. If the process stops in between, only the moves are repeated.
 *
 * @param given.aloneBefore descriptions that arrived before this time are used without a scan. Null: the time is not known yet
 * @returns false if another worker is processing it, or its scan has not arrived
 */
export const processLetterFile = (
  deps: Deps,
  given: { connectionId: string; inbox: Inbox; aloneBefore: Date | null; file: Inbound },
): Promise<boolean> =>
  processInboundFile<LetterFileReading>(deps, given, {
    read: readLetterFile,
    refuse: (problem) => unreadLetter([problem], { text: '', remarks: [] }),
    remarksOf: ({ remarks }) => remarks,
    record: async (file) => {
      const outcome = await recordLetterFile(deps, { ...given, file: { ...given.file, ...file } })
      if (!outcome) return null
      const to = outcome.isUsed ? 'done' : 'set-aside'
      const name = scanFileName(file.name)
      await given.inbox.end({ name }, await given.inbox.read({ name }), { to, mark: markOf(file), report: null })
      return outcome
    },
  })

const markOf = ({ contentHash }: { contentHash: Buffer }) => contentHash.toString('hex').slice(0, 16)

type Given = {
  connectionId: string
  inbox: Inbox
  aloneBefore: Date | null
  file: Inbound & InboundFile<LetterFileReading>
}

async function recordLetterFile(
  deps: Deps,
  { connectionId, inbox, aloneBefore, file }: Given,
): Promise<InboundOutcome | null> {
  const known = await findMailboxFile(deps.sql, file)
  if (known) return { isUsed: known.report === null, report: known.report }
  const scan = await inbox.read({ name: scanFileName(file.name) })
  const isAlone = aloneBefore !== null && file.changedAt <= aloneBefore
  if (!scan && file.reading.letter && !isAlone) return null
  return inTransaction(deps, (tx) => recordOnce(tx, { connectionId, file, scan }))
}

async function recordOnce(
  tx: TxDeps,
  { connectionId, file, scan }: Pick<Given, 'connectionId' | 'file'> & { scan: Buffer | null },
): Promise<InboundOutcome | null> {
  const { name, contentHash, reading } = file
  const source = { id: newId(tx), name, connectionId }
  const problems = reading.letter
    ? await applyLetter(tx, { source, reading, scan })
    : await recordUnreadMail(tx, source, reading)
  const report = problems.length > 0 ? reportOnFile(name, problems) : null
  if (!(await insertMailboxFile(tx.sql, { name, contentHash, report, readAt: tx.clock.now() }))) return null
  return { isUsed: report === null, report }
}

type Source = { id: string; name: string; connectionId: string }
type ReadLetter = Extract<LetterFileReading, { letter: LetterFile }>
type UnreadLetter = Extract<LetterFileReading, { letter: null }>

/** Applies the mail. @returns why it cannot be used, or null */
async function applyLetter(
  tx: TxDeps,
  { source, reading, scan }: { source: Source; reading: ReadLetter; scan: Buffer | null },
): Promise<string[]> {
  const { letter, unreadChecks } = reading
  const mailbox = await findMailboxByNumber(tx.sql, letter.mailbox)
  if (!mailbox) {
    const text = JSON.stringify({ id: letter.id, mailbox: letter.mailbox })
    return recordUnreadMail(tx, source, { problems: ['no mailbox has this number'], text })
  }
  const problem = await applyToMailbox(tx, mailbox, letter, scan)
  if (problem !== null) {
    const note = `Mail was set aside: ${problem}.`
    await recordException(tx, { platformId: mailbox.platformId, kind: 'mail_set_aside', note })
    return [problem]
  }
  for (const one of unreadChecks) await recordUnreadCheck(tx, source, one)
  return []
}

/** Cases about mail hold no payments, because mail does not show what the bank has done. */
const mailCase = { source: 'mail', isBankWide: false } as const

/** Opens a case for mail that cannot be used, because its recipient is waiting for it. @returns the problems */
export async function recordUnreadMail(
  tx: TxDeps,
  file: Source,
  { problems, text }: Pick<UnreadLetter, 'problems' | 'text'>,
): Promise<string[]> {
  await recordBankCase(tx, {
    ...mailCase,
    kind: 'file_unread',
    connectionId: file.connectionId,
    file,
    line: 0,
    note: `A piece of mail could not be used: ${problems[0]}.`,
    content: { lines: text.split('\n', MAX_LINES_SHOWN).map((line, at) => ({ number: at + 1, text: line })), problems },
  })
  return problems
}

const MAX_LINES_SHOWN = 100

const recordUnreadCheck = (tx: TxDeps, file: Source, { position, problem, text }: UnreadCheck): Promise<void> =>
  recordBankCase(tx, {
    ...mailCase,
    kind: 'entry_unread',
    connectionId: file.connectionId,
    file,
    line: position,
    note: `Check ${position} of a piece of mail was not listed: ${problem}. The mail and its other checks arrived.`,
    content: { lines: [{ number: position, text }], problems: [problem] },
  })

async function applyToMailbox(
  tx: TxDeps,
  mailbox: MailboxKey,
  { id: reference, sender, recipient, tags, checks }: LetterFile,
  scan: Buffer | null,
): Promise<string | null> {
  if (!scan) return 'its scan, the PDF of the same name, is missing'
  if (!isPdf(scan)) return 'its scan is not a PDF'
  const deps = { ...tx, clock: await clockOf(tx, mailbox.platformId) }
  const recognized = await recognizeOwnChecks(tx, checks)
  const fresh = await withoutScanned(tx, recognized.checks)
  const received = await receiveLetter(deps, mailbox, { reference, sender, recipient, tags, checks: fresh, scan })
  if ('refusal' in received) return refusals[received.refusal]
  for (const { number, amountCents, reason } of recognized.refused) {
    const note = `Check ${number} of this service came by mail and was not listed: ${reason}.`
    await recordException(tx, { platformId: mailbox.platformId, kind: 'own_check_refused', cents: amountCents, note })
  }
  if (received.checks.length < recognized.checks.length) {
    const note = 'A check of this mail was scanned before. It is not listed again.'
    await recordException(tx, { platformId: mailbox.platformId, kind: 'check_scanned_twice', note })
  }
  return null
}

const refusals = {
  mailbox_closed: 'its mailbox is closed',
  mail_exists: 'mail with this id arrived before',
}
