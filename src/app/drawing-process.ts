import { drawCheck, drawCheckFace } from '../check/drawing/check-drawing-actions.ts'
import { pictureOf } from '../check/drawing/check-picture-actions.ts'
import type { PaperCheck } from '../check/drawing/paper-check-rules.ts'
import { drawReceipt } from '../check/receipt/receipt-drawing-actions.ts'
import type { DrawingJob } from '../core/drawing.ts'
import { answerJobs } from '../core/helper-process.ts'
import { drawInvoice } from '../invoice/invoice-drawing-actions.ts'
import { drawablePng } from '../lib/files/drawable-png.ts'
import { imagePage } from '../payment/accept/attachment-actions.ts'

// The process that decodes and draws images for the service (core/drawing.ts).

answerJobs({
  imagePage,
  isDrawable: async (png: Buffer) => (await drawablePng(png)) !== null,
  check: drawCheck,
  invoice: drawInvoice,
  receipt: drawReceipt,
  checkPicture: async (check: PaperCheck) => pictureOf(await drawCheckFace(check)),
} satisfies Record<DrawingJob, (given: never) => Promise<unknown>>)
