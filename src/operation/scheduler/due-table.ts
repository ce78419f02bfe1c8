import type { TxDeps } from '../../foundation/db/deps.ts'
import { lapseOverdueBank } from '../../money/bank/bank-actions.ts'
import { keysOfDueLeg, prepareDueLegs } from '../../money/rail/leg-actions.ts'
import type { DueLeg } from '../../money/rail/leg-store.ts'
import { expireApproval } from '../../orders/approval/approval-release-actions.ts'
import { remindPayer } from '../../orders/payer/payer-notice-actions.ts'
import { runSubscription } from '../../orders/subscription/subscription-run-actions.ts'
import { doDueCheckbook } from '../../payments/checkbook/checkbook-actions.ts'
import { expirePayment, refundFailedPayment } from '../../payments/payment/payment-worker.ts'
import { legHandlers } from './leg-handlers.ts'

export type DueItem = { platformId: string; id: string; dueAt: Date }

type Run<Item = never> = (item: Item) => Promise<unknown>

/** A kind of work that can be due: the rows of `table` whose time in the column `at` has come. */
export type DueSource = {
  table: string
  at: string
  /** Another condition for the rows. The indexes on `at` have the same condition. */
  when?: string
  /** The part of the work that waits until the files of the bank were read, because they may contain a return. */
  reliesOnSilence?: 'trust' | 'expiry of checks'
  /** The columns that the work needs in addition to `platform_id`, `id` and `due_at`. */
  columns?: string
  order?: string
  /** Only one item with each value of this column is done in a batch, because its work can change the other items. */
  onePer?: keyof DueLeg
  /** If given, items are done at the same time, except those with a common key. Otherwise all are done in turn. */
  keysOf?(item: never): readonly string[]
  /** Whether the statements of a batch are split in halves (`runInGroup`). */
  inHalves?: true
  /** Reads and locks the rows that all items need. @returns a function that does the work of one item */
  prepare(deps: TxDeps, platformId: string, items: never[]): Promise<Run>
}

/** Returns `prepare` for sources whose items have nothing to prepare together. */
const each =
  <Item>(run: (deps: TxDeps, item: Item) => Promise<unknown>) =>
  async (deps: TxDeps): Promise<Run<Item>> =>
  (item) =>
    run(deps, item)

/** For items whose work does not affect each other. */
const independent = (): string[] => []

/** All work that can be due on a platform, by the names used in logs. */
export const dueSources = {
  leg: {
    table: 'legs',
    at: 'next_at',
    when: 'held_at is null',
    reliesOnSilence: 'trust',
    columns: 'purpose, subject_id, user_id, next_event, fate',
    onePer: 'subjectId',
    keysOf: keysOfDueLeg,
    inHalves: true,
    prepare: (deps, platformId, legs) => prepareDueLegs(deps, legHandlers, { platformId, legs }),
  },
  refund: { table: 'payments', at: 'refund_at', keysOf: independent, prepare: each(refundFailedPayment) },
  subscription: {
    table: 'subscriptions',
    at: 'next_at',
    columns: 'user_id',
    order: 'user_id, due_at, id', // Users are locked in this order, and then their payments.
    prepare: each(runSubscription),
  },
  'reminder of an invoice': {
    table: 'invoices',
    at: 'remind_at',
    when: "status = 'UNPAID'",
    columns: 'reminders',
    prepare: each(remindPayer),
  },
  expiry: {
    table: 'payments',
    at: 'expires_at',
    when: "status in ('UNPAID', 'PRINTED', 'MAILED')",
    reliesOnSilence: 'expiry of checks',
    keysOf: independent,
    prepare: each(expirePayment),
  },
  approval: { table: 'approvals', at: 'expires_at', prepare: each(expireApproval) },
  checkbook: { table: 'checkbooks', at: 'due_at', columns: 'user_id', prepare: each(doDueCheckbook) },
  'lapse of a bank': {
    table: 'banks',
    at: 'lapses_at',
    when: "status = 'PENDING' and deleted_at is null",
    columns: 'user_id',
    prepare: each(lapseOverdueBank),
  },
} satisfies Record<string, DueSource>
