import type { DrawingJob } from '../../foundation/core/drawing.ts'
import { answerJobs } from '../../foundation/core/helper-process.ts'
import { drawablePng } from '../../foundation/lib/files/drawable-png.ts'
import { drawInvoice } from '../../orders/invoice/invoice-drawing-actions.ts'
import { drawReceipt } from '../../payments/check/receipt/receipt-drawing-actions.ts'
import { drawCheck, drawCheckFace } from '../../payments/drawing/check-drawing-actions.ts'
import { renderPicture } from '../../payments/drawing/check-picture-actions.ts'
import { drawMonthReport } from '../../payments/drawing/month-report-drawing-actions.ts'
import type { PaperCheck } from '../../payments/drawing/paper-check-rules.ts'
import { imagePage } from '../../payments/payment/accept/attachment-actions.ts'

// Runs as a separate process, which decodes and draws images for the service (core/drawing.ts).

answerJobs({
  imagePage,
  isDrawable: async (png: Buffer) => (await drawablePng(png)) !== null,
  check: drawCheck,
  invoice: drawInvoice,
  receipt: drawReceipt,
  monthReport: drawMonthReport,
  checkPicture: async (check: PaperCheck) => renderPicture(await drawCheckFace(check)),
} satisfies Record<DrawingJob, (given: never) => Promise<unknown>>)
