import { withoutZeros } from '../../foundation/core/account-number.ts'
import { ApiError, fieldError } from '../../foundation/core/errors.ts'
import { requireCents } from '../../foundation/core/money.ts'
import type { TxDeps } from '../../foundation/db/deps.ts'
import type { Caller } from '../../foundation/http/caller.ts'
import { isPdf } from '../../foundation/lib/files/file-type.ts'
import { newId } from '../../foundation/lib/ids.ts'
import { decodeBase64 } from '../../foundation/lib/text/base64.ts'
import { requireAbaRoutingNumber } from '../../money/bank/bank-actions.ts'
import type { drawLetter } from './letter-drawing-actions.ts'
import { getMailbox, receiveLetter } from './mailbox-actions.ts'
import type { ShownLetter } from './mailbox-store.ts'
import { recognizeOwnChecks } from './own-check-actions.ts'
import type { ScannedCheck } from './scanned-check-rules.ts'

/** A check in simulated mail. The amount is in dollars. */
export type SimulatedCheck = { routing: string; account: string; number: string; amount: number; name?: string | null }

export type SimulatedLetter = {
  sender: string
  recipient: string | null
  tags: string[]
  checks: readonly SimulatedCheck[]
  attachment: string | null
}

/**
 * Simulates the arrival of mail. Without an attachment, a scan is drawn.
 *
 * @throws ApiError mailbox_not_found, invalid_attachment, check_scanned_twice, invalid_request
 */
export async function simulateLetter(
  deps: TxDeps,
  caller: Caller,
  { mailboxId, attachment, checks: simulated, ...given }: SimulatedLetter & { mailboxId: string },
): Promise<ShownLetter> {
  const mailbox = await getMailbox(deps, caller, mailboxId)
  const { checks, refused } = await recognizeOwnChecks(deps, simulated.map(scannedCheck))
  if (refused[0]) throw fieldError('invalid_request', 'checks', `cannot be deposited: ${refused[0].reason}`)
  const scan = attachment === null ? await letterOf({ ...given, receivedAt: deps.clock.now() }) : pdfOf(attachment)
  const received = await receiveLetter(deps, mailbox, { ...given, checks, scan, reference: newId(deps) })
  if ('refusal' in received) throw new ApiError('mailbox_not_found')
  if (received.checks.length < checks.length) throw new ApiError('check_scanned_twice')
  return received
}

const letterOf: typeof drawLetter = async (letter) => (await import('./letter-drawing-actions.ts')).drawLetter(letter)

/** Converts a simulated check. @throws ApiError invalid_request */
function scannedCheck({ routing, account, number, amount, name }: SimulatedCheck, index: number): ScannedCheck {
  requireAbaRoutingNumber(routing, `checks.${index}.routing`)
  const amountCents = requireCents(amount, `checks.${index}.amount`)
  return { routing, account, number: withoutZeros(number), amountCents, drawer: name ?? null }
}

/** Decodes the attachment. @throws ApiError invalid_attachment */
function pdfOf(attachment: string): Buffer {
  const bytes = decodeBase64(attachment)
  if (!bytes || !isPdf(bytes)) throw fieldError('invalid_attachment', 'attachment', 'must be a PDF file in base64')
  return bytes
}
