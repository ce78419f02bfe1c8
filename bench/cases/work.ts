import type { PaymentStatus } from '../../src/payments/payment/payment-status.ts'
import type { Target } from '../load/load-job.ts'
import type { Helper } from '../support/helper.ts'
import type { Installation } from '../support/service.ts'
import { mailedChecks, payrollFiles, plainPayments } from '../support/targets.ts'
import type { World } from '../support/world.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A step of the worker, by the name in the table. */
export type Step = [name: string, run: () => Promise<unknown>]

/** Work of the production worker with many payments. */
export type Work = {
  title: string
  userCount: number
  /** The connections that send the payments. */
  connections: number
  /** The requests that create the payments, each sent once. */
  requests(world: World, count: number): Target[]
  steps(worker: Helper<WorkerProcess>, installation: Installation): Step[]
  /** The status of all payments after the last step. */
  ends: PaymentStatus
}

/** Returns as many requests as payments, from the users in turn. */
const inTurn = (targets: readonly Target[], count: number): Target[] =>
  Array.from({ length: count }, (_, index) => targets[index % targets.length] as Target)

export const works: Record<string, Work> = {
  payroll: {
    title: 'files of 1,500 payments into bank accounts, until they are PAID',
    userCount: 4,
    connections: 1, // requests of one user at the same time would be refused
    requests: payrollFiles,
    steps: (worker, installation) => {
      let window = new Date(0)
      const sendDebits = async () => {
        window = await worker.call('sendDebits', installation)
      }
      return [
        ['debits sent', sendDebits],
        ['settled', () => worker.call('settle', { installation, window })],
        ['trusted', () => worker.call('trust', { installation, window })],
        ['paid out', () => worker.call('payOut', { installation, window })],
      ]
    },
    ends: 'PAID',
  },
  checks: {
    title: 'paper checks from wallets, until the bank has paid them',
    userCount: 200,
    connections: 64,
    requests: (world, count) => inTurn(mailedChecks(world), count),
    steps: (worker, installation) => [
      ['printed', () => worker.call('printChecks', installation)],
      ['mailed', () => worker.call('mailChecks', installation)],
      ['on a list of paid checks', () => worker.call('readPaidList', installation)],
    ],
    ends: 'PAID',
  },
  expiry: {
    title: 'payments without a deposit, until they expire',
    userCount: 200,
    connections: 64,
    requests: (world, count) => inTurn(plainPayments(world), count),
    steps: (worker, installation) => [['expired', () => worker.call('expire', installation)]],
    ends: 'EXPIRED',
  },
}
