import { formatDate } from '../../foundation/lib/clock.ts'
import { newDocument, readPdfBytes } from '../drawing/check-drawing-actions.ts'

export type DrawnLetter = { sender: string; recipient: string | null; receivedAt: Date }

/** Draws the scan of a simulated letter. */
export function drawLetter({ sender, recipient, receivedAt }: DrawnLetter): Promise<Buffer> {
  const document = newDocument({ size: 'LETTER', title: 'Mail', createdAt: receivedAt })
  document.addPage().font('bold').fontSize(14).text(sender, 72, 72)
  document.font('regular').fontSize(11).moveDown().text(formatDate(receivedAt))
  if (recipient !== null) document.moveDown().text(recipient)
  document.moveDown().text('This letter is a simulation.')
  return readPdfBytes(document)
}
