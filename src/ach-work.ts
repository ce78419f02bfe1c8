import { legHandlers } from './due-work.ts'
import type { AchDependents } from './nacha/ach-file-actions.ts'
import { correctBankOfLeg, receiversOf } from './payment/ach-receiver-actions.ts'

/** What the files of the bank move. */
export const achDependents: AchDependents = { handlers: legHandlers, receiversOf, correct: correctBankOfLeg }
