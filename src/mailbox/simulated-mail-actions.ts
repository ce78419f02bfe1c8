import { ApiError, fieldError } from '../core/errors.ts'
import type { TxDeps } from '../db/deps.ts'
import type { Caller } from '../http/caller.ts'
import { isPdf } from '../lib/files/file-type.ts'
import { newId } from '../lib/ids.ts'
import { decodeBase64 } from '../lib/text/base64.ts'
import { drawLetter } from './letter-drawing-actions.ts'
import { getMailbox, receiveLetter } from './mailbox-actions.ts'
import type { LetterRow } from './mailbox-store.ts'

export type SimulatedLetter = {
  sender: string
  recipient: string | null
  tags: string[]
  attachment: string | undefined
}

/** Makes mail arrive. Without an attachment, a scan is drawn. @throws ApiError mailbox_not_found, invalid_attachment */
export async function simulateLetter(
  deps: TxDeps,
  caller: Caller,
  { mailboxId, attachment, ...given }: SimulatedLetter & { mailboxId: string },
): Promise<LetterRow> {
  const mailbox = await getMailbox(deps, caller, mailboxId)
  const scan =
    attachment === undefined ? await drawLetter({ ...given, receivedAt: deps.clock.now() }) : pdfOf(attachment)
  const received = await receiveLetter(deps, mailbox, { ...given, scan, reference: newId(deps) })
  if ('refusal' in received) throw new ApiError('mailbox_not_found')
  return received
}

/** @throws ApiError invalid_attachment */
function pdfOf(attachment: string): Buffer {
  const bytes = decodeBase64(attachment)
  if (!bytes || !isPdf(bytes)) throw fieldError('invalid_attachment', 'attachment', 'must be a PDF file in base64')
  return bytes
}
