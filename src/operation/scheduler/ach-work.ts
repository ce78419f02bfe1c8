import type { AchDependents } from '../../money/ach/file/ach-file-actions.ts'
import { correctBankOfLeg, receiversOf } from '../../payments/payment/leg/ach-receiver-actions.ts'
import { legHandlers } from './due-work.ts'

/** The dependencies of ACH file processing. */
export const achDependents: AchDependents = { handlers: legHandlers, receiversOf, correct: correctBankOfLeg }
