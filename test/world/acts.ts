import { answerLate, correctAccount, judgeFile, payChecks, returnEntries } from './bank.ts'
import { addOtherBank, closeUser, releaseSeen } from './changes.ts'
import { arriveLate, transfer } from './exchange.ts'
import { payOtherAmount, returnVerification } from './odd-bank.ts'
import {
  cancelFile,
  decideOne,
  limitDay,
  readAgain,
  resendFile,
  sendByHand,
  settleDebt,
  settleFlaggedFiles,
  suspend,
  unblock,
} from './operators.ts'
import { bill, editApproval, payInvoice, prepare, releaseApproval, subscribe, voidApproval } from './orders.ts'
import { deposit, sendDigital, sendDirect, sendElsewhere, sendFromWallet, sendPaper, voidOne } from './people.ts'
import { rest } from './rest.ts'
import { crash, deliverWebhooks, failPlatform, passToWindow, workAll, workOnce } from './work.ts'
import type { World } from './world.ts'

/** Something that one party does. It draws from the dice of its step only. @returns what happened, for the trace */
export type Act = (world: World) => Promise<string>

/** Everything that can happen, with its weight. */
export const acts: Record<string, readonly [weight: number, act: Act]> = {
  // users
  sendDirect: [5, sendDirect],
  sendDigital: [3, sendDigital],
  sendPaper: [3, sendPaper],
  sendFromWallet: [2, sendFromWallet],
  sendElsewhere: [2, sendElsewhere],
  deposit: [5, deposit],
  voidOne: [3, voidOne],
  prepare: [1, prepare],
  editApproval: [1, editApproval],
  releaseApproval: [2, releaseApproval],
  voidApproval: [0.5, voidApproval],
  releaseSeen: [1.5, releaseSeen],
  addOtherBank: [1.5, addOtherBank],
  bill: [1.5, bill],
  payInvoice: [3, payInvoice],
  subscribe: [1, subscribe],
  // the service
  workOnce: [4, workOnce],
  workAll: [
    9,
    async (world) => {
      await workAll(world)
      return 'all passes'
    },
  ],
  crash: [4, crash],
  failPlatform: [1, failPlatform],
  deliverWebhooks: [2, deliverWebhooks],
  // the bank and the way to it
  transfer: [7, (world) => transfer(world)],
  arriveLate: [2, arriveLate],
  judgeFile: [7, judgeFile],
  answerLate: [2, (world) => answerLate(world)],
  returnEntries: [7, returnEntries],
  correctAccount: [1, correctAccount],
  payChecks: [4, payChecks],
  payOtherAmount: [0.5, payOtherAmount],
  returnVerification: [0.5, returnVerification],
  // the operator
  decideOne: [2, decideOne],
  settleFlaggedFiles: [1, settleFlaggedFiles],
  cancelFile: [1, cancelFile],
  resendFile: [2, resendFile],
  settleDebt: [2, settleDebt],
  unblock: [2, unblock],
  suspend: [0.5, suspend],
  limitDay: [0.5, limitDay],
  readAgain: [0.5, readAgain],
  sendByHand: [0.5, sendByHand],
  closeUser: [0.5, closeUser],
  // time
  passTime: [4, passTime],
  nextWindow: [9, nextWindow],
}

/** Not drawn: a history has it at the end of each chapter. */
export const restAct: Act = rest

async function passTime({ clock, dice }: World): Promise<string> {
  const hours = dice.one([dice.between(1, 12), dice.between(1, 12), 24, dice.between(24, 72), dice.between(72, 240)])
  clock.advance(hours * 3_600)
  return `${hours} hours`
}

/** To the next cut-off of the bank, with the work that is due then. */
async function nextWindow(world: World): Promise<string> {
  passToWindow(world)
  await workAll(world)
  return 'all passes'
}
