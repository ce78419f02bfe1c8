import { drawablePng } from './lib/drawable-png.ts'
import type { DrawingJob } from './lib/drawing.ts'
import { answerJobs } from './lib/helper-process.ts'
import { drawCheck, drawCheckFace } from './paper/check-drawing-actions.ts'
import { pictureOf } from './paper/check-picture-actions.ts'
import type { PaperCheck } from './paper/paper-check-rules.ts'
import { imagePage } from './payment/attachment-actions.ts'

// The process that decodes and draws for the service (lib/drawing.ts).

answerJobs({
  imagePage,
  isDrawable: async (png: Buffer) => (await drawablePng(png)) !== null,
  check: drawCheck,
  checkPicture: async (check: PaperCheck) => pictureOf(await drawCheckFace(check)),
} satisfies Record<DrawingJob, (given: never) => Promise<unknown>>)
