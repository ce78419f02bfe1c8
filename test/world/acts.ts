import { editBatch, endorse, prepareBatch, releaseBatch, sendCsv, sendToSeveral, voidBatch } from './actors/bulk.ts'
import { jump } from './actors/calendar.ts'
import { correctByHand, keepKeys, look, returnCheckbook } from './actors/desk.ts'
import { depositScan, mailCheck, orderCheckbook } from './actors/lockbox.ts'
import {
  depositOver,
  dropAccount,
  judgeOrders,
  mistakeTerms,
  payRejected,
  recallOrder,
  refuseOrders,
  repeatOrders,
  returnOrder,
  sendOver,
} from './actors/order-rails.ts'
import { progressPayouts } from './actors/processors.ts'
import { restoreBackup } from './actors/restore.ts'
import {
  billElsewhere,
  billOutside,
  cancelSubscription,
  revokeAutopay,
  subscribeInTeam,
  subscribeInvoice,
  subscribePayment,
  voidInvoice,
} from './actors/standing.ts'
import { closeMonth } from './actors/statement-lines.ts'
import { bankDay } from './actors/statements.ts'
import { openMail, sendToAccount, sendToAddress, sendToSaved, signUpStranger, takeClaimed } from './actors/strangers.ts'
import {
  approveInTeam,
  changePolicy,
  decidePolicy,
  editInTeam,
  prepareInTeam,
  rejectInTeam,
  releaseFound,
  releaseInTeam,
  replaceMember,
  sendAlone,
} from './actors/team.ts'
import { answerLate, correctAccount, judgeFile, payChecks, returnEntries } from './bank.ts'
import { addOtherBank, closeUser, releaseSeen, takeElsewhere } from './changes.ts'
import { checkFully, checkStep } from './checks.ts'
import { coverageOf } from './coverage.ts'
import { arriveLate, transfer } from './exchange.ts'
import type { Kind } from './history.ts'
import { payOtherAmount, repeatFile, returnVerification, sendOddEntry } from './odd-bank.ts'
import {
  cancelFile,
  decideOne,
  limitDay,
  readAgain,
  rejectList,
  resendFile,
  sendByHand,
  settleDebt,
  settleFlaggedFiles,
  suspend,
  unblock,
} from './operators.ts'
import { bill, editApproval, payInvoice, prepare, prepareInvoice, releaseApproval, voidApproval } from './orders.ts'
import {
  deposit,
  printOne,
  sendDigital,
  sendDirect,
  sendElsewhere,
  sendFromWallet,
  sendPaper,
  voidOne,
} from './people.ts'
import { rest } from './rest.ts'
import {
  breakPass,
  crash,
  deliverWebhooks,
  dieAfterCommit,
  failPlatform,
  loseDatabase,
  loseFolder,
  passToWindow,
  workAll,
  workOnce,
} from './work.ts'
import { startWorld, type World } from './world.ts'

/** Something that one party does. It draws from the dice of its step only. @returns what happened, for the trace */
export type Act = (world: World) => Promise<string>

/** Everything that can happen, with its weight. */
export const acts: Record<string, readonly [weight: number, act: Act]> = {
  // users
  sendDirect: [5, sendDirect],
  sendDigital: [3, sendDigital],
  sendPaper: [5, sendPaper],
  sendFromWallet: [2, sendFromWallet],
  sendElsewhere: [3, sendElsewhere],
  sendOver: [6, sendOver],
  depositOver: [1, depositOver],
  recallOrder: [1, recallOrder],
  dropAccount: [0.5, dropAccount],
  deposit: [5, deposit],
  printOne: [2.5, printOne],
  takeElsewhere: [1, takeElsewhere],
  voidOne: [3, voidOne],
  prepare: [1, prepare],
  editApproval: [1, editApproval],
  releaseApproval: [2, releaseApproval],
  voidApproval: [0.5, voidApproval],
  releaseSeen: [2, releaseSeen],
  addOtherBank: [1.5, addOtherBank],
  bill: [1.5, bill],
  payInvoice: [3, payInvoice],
  prepareInvoice: [1, prepareInvoice],
  billElsewhere: [1, billElsewhere],
  voidInvoice: [0.5, voidInvoice],
  subscribePayment: [1, subscribePayment],
  subscribeInvoice: [1, subscribeInvoice],
  subscribeInTeam: [0.5, subscribeInTeam],
  cancelSubscription: [0.5, cancelSubscription],
  revokeAutopay: [0.5, revokeAutopay],
  sendToAccount: [1.5, sendToAccount],
  sendToSaved: [1, sendToSaved],
  sendToAddress: [1.5, sendToAddress],
  sendToSeveral: [1, sendToSeveral],
  endorse: [1.5, endorse],
  sendCsv: [0.5, sendCsv],
  prepareBatch: [1, prepareBatch],
  editBatch: [0.5, editBatch],
  releaseBatch: [1, releaseBatch],
  voidBatch: [0.5, voidBatch],
  depositScan: [1.5, depositScan],
  orderCheckbook: [0.5, orderCheckbook],
  // people outside
  openMail: [2, openMail],
  signUpStranger: [0.5, signUpStranger],
  takeClaimed: [1.5, takeClaimed],
  billOutside: [1, billOutside],
  mailCheck: [1.5, mailCheck],
  // the members of a platform
  sendAlone: [0.5, sendAlone],
  prepareInTeam: [3, prepareInTeam],
  editInTeam: [0.5, editInTeam],
  approveInTeam: [1, approveInTeam],
  releaseInTeam: [2, releaseInTeam],
  releaseFound: [0.5, releaseFound],
  rejectInTeam: [0.5, rejectInTeam],
  changePolicy: [0.5, changePolicy],
  decidePolicy: [0.5, decidePolicy],
  replaceMember: [0.5, replaceMember],
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
  dieAfterCommit: [2, dieAfterCommit],
  loseFolder: [1, loseFolder],
  failPlatform: [1, failPlatform],
  breakPass: [1, breakPass],
  loseDatabase: [1, loseDatabase],
  restoreBackup: [1.5, restoreBackup],
  deliverWebhooks: [2, deliverWebhooks],
  // the bank and the way to it
  transfer: [7, (world) => transfer(world)],
  arriveLate: [2, arriveLate],
  judgeFile: [7, judgeFile],
  answerLate: [2, (world) => answerLate(world)],
  returnEntries: [7, returnEntries],
  correctAccount: [4, correctAccount],
  payChecks: [4, payChecks],
  payOtherAmount: [1, payOtherAmount],
  returnVerification: [1, returnVerification],
  sendOddEntry: [1, sendOddEntry],
  repeatFile: [1, repeatFile],
  bankDay: [4, bankDay],
  judgeOrders: [4, judgeOrders],
  progressPayouts: [3, progressPayouts],
  returnOrder: [0.5, returnOrder],
  payRejected: [2, payRejected],
  repeatOrders: [0.5, repeatOrders],
  refuseOrders: [0.5, refuseOrders],
  mistakeTerms: [0.5, mistakeTerms],
  // the operator
  decideOne: [2, decideOne],
  settleFlaggedFiles: [1, settleFlaggedFiles],
  cancelFile: [1, cancelFile],
  rejectList: [3, rejectList],
  resendFile: [2, resendFile],
  settleDebt: [6, settleDebt],
  unblock: [5, unblock],
  suspend: [0.5, suspend],
  limitDay: [0.5, limitDay],
  readAgain: [0.5, readAgain],
  sendByHand: [0.5, sendByHand],
  closeUser: [0.5, closeUser],
  closeMonth: [0.5, closeMonth],
  look: [0.5, look],
  correctByHand: [0.5, correctByHand],
  keepKeys: [0.5, keepKeys],
  returnCheckbook: [0.5, returnCheckbook],
  // time
  passTime: [4, passTime],
  jump: [1, jump],
  nextWindow: [9, nextWindow],
  // not drawn: at the end of each chapter
  rest: [0, rest],
}

/**
 * Between rests, the whole ledger and the audit trail are checked after so many steps, and less often in a long history. A check reads all
 * of it, and what is wrong stays wrong until the next one.
 */
const STEPS_PER_FULL_CHECK = 75
const STEPS_UNTIL_LONGER = 5_000

export const production: Kind<World> = {
  name: 'production',
  file: 'acts.ts',
  acts,
  first: [],
  stepsPerChapter: 250,
  start: startWorld,
  act: (world, name) => {
    const [, act] = acts[name] as (typeof acts)[string]
    return act(world)
  },
  check: async (world) => {
    await checkStep(world)
    if (world.step % (STEPS_PER_FULL_CHECK * Math.ceil(world.step / STEPS_UNTIL_LONGER)) === 0) await checkFully(world)
  },
  coverageOf,
}

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
