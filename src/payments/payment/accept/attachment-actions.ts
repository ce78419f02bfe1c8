import type { RunJob } from '../../../foundation/core/drawing.ts'
import { type ApiError, fieldError } from '../../../foundation/core/errors.ts'
import { JobProblem } from '../../../foundation/core/helper-process.ts'
import type { Deps } from '../../../foundation/db/deps.ts'
import type { Caller } from '../../../foundation/http/caller.ts'
import { drawablePng } from '../../../foundation/lib/files/drawable-png.ts'
import { isJpeg, isPdf, isPng } from '../../../foundation/lib/files/file-type.ts'
import { isOfDecodableSize, MAX_IMAGE_PIXELS } from '../../../foundation/lib/files/image-size.ts'
import { decodeBase64 } from '../../../foundation/lib/text/base64.ts'
import type { Attachment } from '../payment-store.ts'

export type AttachmentInput = string | { filename?: string | null; content: string }

/** An uploaded file. Only the header of an image has been read. */
export type AttachmentFile = { filename: string | null; bytes: Buffer; isPdf: boolean }

/** Validates a file without decoding it. @throws ApiError invalid_attachment */
export function readAttachment(input: AttachmentInput): AttachmentFile {
  const { content, filename = null } = typeof input === 'string' ? { content: input } : input
  const bytes = decodeBase64(content)
  if (bytes && isPdf(bytes)) return { filename, bytes, isPdf: true }
  if (!bytes || !(isPng(bytes) || isJpeg(bytes))) throw invalidAttachment()
  if (!isOfDecodableSize(bytes)) throw invalidAttachment(`must have at most ${MAX_IMAGE_PIXELS / 1e6} million pixels`)
  return { filename, bytes, isPdf: false }
}

/**
 * Converts the attachment of an order to a PDF. An image waits in a queue to be decoded.
 *
 * @throws ApiError invalid_attachment, overloaded, rate_limited
 */
export async function decodeAttachment(
  { drawings }: Deps,
  { platformId }: Caller,
  input: AttachmentInput,
): Promise<Attachment> {
  const file = readAttachment(input)
  if (file.isPdf) return { filename: file.filename, pdf: file.bytes }
  return drawings.images.schedule({ platformId, bytes: file.bytes.length }, (run) => attachmentPage(run, file))
}

/** Converts an image to a PDF page for the recipient. @throws ApiError invalid_attachment */
export async function attachmentPage(run: RunJob, { filename, bytes }: AttachmentFile): Promise<Attachment> {
  const pdf = await run<Buffer | null>('imagePage', bytes).catch(refuseProblem)
  if (pdf === null) throw invalidAttachment()
  return { filename, pdf }
}

/** Treats an image as invalid if it takes too long to decode or crashes the decoder. */
function refuseProblem(error: unknown): null {
  if (error instanceof JobProblem) return null
  throw error
}

const invalidAttachment = (problem = 'must be a PDF, PNG or JPEG file in base64'): ApiError =>
  fieldError('invalid_attachment', 'attachment', problem)

/**
 * Draws an image on a PDF page. Returns null if the image cannot be drawn. Decoding is slow, so it runs in another process
 * (core/drawing.ts).
 */
export async function imagePage(image: Buffer): Promise<Buffer | null> {
  const drawn = isPng(image) ? await drawablePng(image) : image
  if (!drawn || !(isPng(drawn) || isJpeg(drawn))) return null
  const { default: PDFDocument } = await import('pdfkit') // only the drawing process needs it
  const document = new PDFDocument({ size: 'LETTER', margin: 36 })
  const { width, height } = document.page
  try {
    document.image(drawn, 36, 36, { fit: [width - 72, height - 72], align: 'center', valign: 'center' })
    document.end()
  } catch {
    return null
  }
  return Buffer.concat(await Array.fromAsync(document as AsyncIterable<Buffer>))
}
