import { correctAccount, judgeFile, payChecks, returnEntries } from './bank.ts'
import { transfer } from './exchange.ts'
import { cancelFile, decideOne, resendFile, settleDebt, settleFlaggedFiles, suspend, unblock } from './operators.ts'
import { deposit, sendDigital, sendDirect, sendFromWallet, sendPaper, voidOne } from './people.ts'
import { rest } from './rest.ts'
import { crash, deliverWebhooks, passToWindow, workAll, workOnce } from './work.ts'
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
  deposit: [5, deposit],
  voidOne: [2, voidOne],
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
  deliverWebhooks: [2, deliverWebhooks],
  // the bank and the way to it
  transfer: [7, (world) => transfer(world)],
  judgeFile: [7, judgeFile],
  returnEntries: [4, returnEntries],
  correctAccount: [1, correctAccount],
  payChecks: [3, payChecks],
  // the operator
  decideOne: [2, decideOne],
  settleFlaggedFiles: [1, settleFlaggedFiles],
  cancelFile: [1, cancelFile],
  resendFile: [2, resendFile],
  settleDebt: [1, settleDebt],
  unblock: [1, unblock],
  suspend: [0.5, suspend],
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
