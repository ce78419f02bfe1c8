import PDFDocument from 'pdfkit'
import { decodeBase64 } from '../lib/base64.ts'
import { drawablePng } from '../lib/drawable-png.ts'
import { fieldError } from '../lib/errors.ts'
import { isJpeg, isPdf, isPng } from '../lib/file-type.ts'
import type { Attachment } from './payment-store.ts'

export type AttachmentInput = string | { filename?: string; content: string }

/**
 * An attachment as the PDF that the recipient gets: a PDF as it is, an image on a page of its own.
 *
 * @throws ApiError invalid_attachment
 */
export async function attachmentPdf(input: AttachmentInput): Promise<Attachment> {
  const { content, filename = null } = typeof input === 'string' ? { content: input } : input
  const bytes = decodeBase64(content)
  if (bytes && isPdf(bytes)) return { filename, pdf: bytes }
  const image = bytes && isPng(bytes) ? await drawablePng(bytes) : bytes
  if (!image || !(isPng(image) || isJpeg(image))) throw invalidAttachment()
  return { filename, pdf: await imagePage(image) }
}

const invalidAttachment = () =>
  fieldError('invalid_attachment', 'attachment', 'must be a PDF, PNG or JPEG file in base64')

async function imagePage(image: Buffer): Promise<Buffer> {
  const document = new PDFDocument({ size: 'LETTER', margin: 36 })
  const { width, height } = document.page
  try {
    document.image(image, 36, 36, { fit: [width - 72, height - 72], align: 'center', valign: 'center' })
    document.end()
  } catch {
    throw invalidAttachment()
  }
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>))
}
