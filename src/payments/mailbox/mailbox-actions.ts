import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import { ApiError } from '../../foundation/core/errors.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import type { Page } from '../../foundation/db/list-page.ts'
import { findOwnerEmail } from '../../foundation/db/owner-emails.ts'
import type { Paging } from '../../foundation/db/paging.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { sendMail } from '../../foundation/mail/mail-actions.ts'
import { getUser } from '../../people/user/user-actions.ts'
import { findStoppedUser, lockCaller } from '../../people/user/user-lock-actions.ts'
import type { UserKey } from '../../people/user/user-store.ts'
import { recordStatusEvent } from '../../webhook/event/event-actions.ts'
import { MAX_MAILBOXES, mailboxAddressWithNumber, mailReceived, newMailboxNumber } from './mailbox-rules.ts'
import { mailboxTransitions } from './mailbox-status.ts'
import {
  countMailboxes,
  findLetter,
  findMailbox,
  findScan,
  insertLetter,
  insertMailbox,
  type LetterRow,
  listLetters,
  listMailboxes,
  lockMailbox,
  type MailboxKey,
  type MailboxRow,
  type ShownLetter,
  updateMailboxStatuses,
} from './mailbox-store.ts'
import { addScannedChecks } from './scanned-check-actions.ts'
import type { ScannedCheck } from './scanned-check-rules.ts'

/** Opens a mailbox with its own address. @throws ApiError not_configured, mailbox_limit_reached */
export async function openMailbox(deps: TxDeps, caller: Caller): Promise<MailboxRow> {
  const { mailboxAddress } = deps.settings
  if (mailboxAddress === null) throw new ApiError('not_configured')
  await lockCaller(deps, caller)
  if ((await countMailboxes(deps.sql, caller)) >= MAX_MAILBOXES) throw new ApiError('mailbox_limit_reached')
  const { platformId, userId } = caller
  for (;;) {
    const number = newMailboxNumber(deps.random)
    const address = mailboxAddressWithNumber(mailboxAddress, number)
    const row = { platformId, userId, id: newId(deps), number, status: 'ACTIVE', address } as const
    const mailbox: MailboxRow = { ...row, createdAt: deps.clock.now() }
    if (!(await insertMailbox(deps.sql, mailbox))) continue
    await recordAudit(deps, caller, 'mailbox_opened', `${mailbox.id} ${number}`)
    return mailbox
  }
}

type ListGiven = { q: string | undefined; paging: Paging }

/** Lists the mailboxes of a user, newest first. `q` searches their numbers. */
export const getMailboxes = (
  deps: Deps,
  { platformId, userId }: UserKey,
  { q, paging }: ListGiven,
): Promise<Page<MailboxRow>> => listMailboxes(deps.sql, { platformId, userId, q }, paging)

/** Returns a mailbox of the caller. @throws ApiError mailbox_not_found */
export async function getMailbox(deps: Pick<TxDeps, 'sql'>, caller: Caller, id: string): Promise<MailboxRow> {
  const mailbox = await findMailbox(deps.sql, { platformId: caller.platformId, id })
  if (mailbox?.userId !== caller.userId) throw new ApiError('mailbox_not_found')
  return mailbox
}

/** Lists the mail of a mailbox, newest first. @throws ApiError mailbox_not_found */
export async function getLetters(
  deps: Deps,
  caller: Caller,
  { mailboxId, q, paging }: ListGiven & { mailboxId: string },
): Promise<Page<ShownLetter>> {
  const { platformId } = await getMailbox(deps, caller, mailboxId)
  return listLetters(deps.sql, { platformId, mailboxId, q }, paging)
}

type LetterGiven = { mailboxId: string; id: string }

/** Returns a piece of mail. @throws ApiError mailbox_not_found, mail_not_found */
export async function getLetter(deps: Deps, caller: Caller, { mailboxId, id }: LetterGiven): Promise<ShownLetter> {
  const { platformId } = await getMailbox(deps, caller, mailboxId)
  const letter = await findLetter(deps.sql, { platformId, id })
  if (letter?.mailboxId !== mailboxId) throw new ApiError('mail_not_found')
  return letter
}

/** Returns the scan as a PDF. @throws ApiError mailbox_not_found, mail_not_found */
export async function getScan(deps: Deps, caller: Caller, given: LetterGiven): Promise<Buffer> {
  const scanSealed = await findScan(deps.sql, await getLetter(deps, caller, given))
  if (!scanSealed) throw new ApiError('mail_not_found')
  return deps.keyRing.open(scanSealed, 'mail scan')
}

/** Closes the mailboxes of a locked user that is being deleted. */
export const closeMailboxesOfUser = (deps: TxDeps, user: UserKey): Promise<void> =>
  updateMailboxStatuses(deps.sql, user, mailboxTransitions.close)

/** A piece of mail that arrives. `reference` identifies it at the provider. If it names no recipient, the mail is for the user. */
export type ArrivingLetter = {
  reference: string
  sender: string
  recipient: string | null
  tags: string[]
  checks: readonly ScannedCheck[]
  scan: Buffer
}

/** The reason why mail cannot be received. */
export type LetterRefusal = 'mailbox_closed' | 'mail_exists'

/**
 * Receives mail: stores it with its scan and its checks, creates the webhook event, and mails the owner. Checks that were scanned before
 * are left out. `deps` has the clock of the platform.
 *
 * @throws ApiError invalid_request
 */
export async function receiveLetter(
  deps: TxDeps,
  key: MailboxKey,
  { reference, sender, recipient, tags, checks, scan }: ArrivingLetter,
): Promise<ShownLetter | { refusal: LetterRefusal }> {
  const mailbox = await lockMailbox(deps.sql, key)
  if (mailbox?.status !== 'ACTIVE') return { refusal: 'mailbox_closed' }
  const { platformId, userId, id: mailboxId } = mailbox
  // Mail also arrives for a suspended user, because it cannot be held back.
  if ((await findStoppedUser(deps, [mailbox]))?.standing === 'CLOSED') return { refusal: 'mailbox_closed' }
  const letter: LetterRow = {
    platformId,
    id: newId(deps),
    mailboxId,
    reference,
    status: 'RECEIVED',
    sender,
    recipient: recipient ?? (await getUser(deps, { platformId, userId })).name,
    tags,
    createdAt: deps.clock.now(),
  }
  if (!(await insertLetter(deps.sql, letter, deps.keyRing.seal(scan, 'mail scan')))) return { refusal: 'mail_exists' }
  const checkIds = await addScannedChecks(deps, mailbox, { letter, checks })
  const { id, status } = letter
  await recordStatusEvent(deps, { platformId, type: 'MAIL', id, status, mailbox: mailboxId })
  const to = await findOwnerEmail(deps.sql, platformId)
  await sendMail(deps, { to, ...mailReceived(deps.settings.name, letter) })
  return { ...letter, checks: checkIds }
}
