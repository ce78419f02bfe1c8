import { recordAudit } from '../../foundation/audit/audit-actions.ts'
import type { BackgroundStep } from '../../foundation/db/background/background-step.ts'
import type { Deps, TxDeps } from '../../foundation/db/deps.ts'
import { type Isolation, isolate } from '../../foundation/db/isolation.ts'
import { clockOf } from '../../foundation/db/platform-clock.ts'
import { inTransaction } from '../../foundation/db/transaction.ts'
import { recordException } from '../../foundation/exception/exception-actions.ts'
import { blockReturnedAccount, type ReturnedLeg } from '../../money/bank/bank-block-actions.ts'
import { post } from '../../money/ledger/ledger-actions.ts'
import { OTHER_PLATFORM } from '../../money/ledger/posting-rules.ts'
import { loadCard, unloadCard } from '../../money/virtual-card/virtual-card-actions.ts'
import { reportLockedMoney } from '../../money/wallet/wallet-funding-actions.ts'
import { applyAutopay, applySubscription } from '../../orders/subscription/subscription-message-actions.ts'
import {
  applyInvoiceEvent,
  claimMessage,
  createCopy,
  followRecipient,
} from '../../payments/invoice-status/invoice-change-actions.ts'
import { changeCopiedInvoice, copyInvoice } from '../../payments/invoice-status/received-invoice-actions.ts'
import { applyCorrectionFromOtherPlatform } from '../../payments/payment/outbox/account-correction-actions.ts'
import type { AuditContent, CardContent } from '../../payments/payment/outbox/outbox-actions.ts'
import {
  changeCopiedPayment,
  claimCopiedPayment,
  copyPayment,
  deleteMessages,
  holdWalletHolder,
  listMessages,
  listSendingPlatforms,
  type Message,
  type MessageKind,
} from '../../payments/payment/outbox/outbox-store.ts'

// Applies the effects of a payment on platforms other than the sender's (docs/adr/0024-outbox.md).

const PLATFORMS_PER_PASS = 100
const MESSAGES_PER_PLATFORM = 200

export const outboxStep: BackgroundStep = { name: 'apply messages', run: applyOutbox, isWoken: true }

/** One pass: applies the messages of each platform to the others. @returns the number of messages applied */
export function applyOutbox(deps: Deps): Promise<number> {
  const isolation = isolate(deps, outboxStep.name)
  return isolation.eachPlatform(
    PLATFORMS_PER_PASS,
    (turn) => listSendingPlatforms(deps.sql, turn),
    async (platformId) => {
      const given = { platformId, limit: MESSAGES_PER_PLATFORM, skipped: isolation.skippedOf(platformId) }
      const messages = await listMessages(deps.sql, given)
      let count = 0
      for (const [targetId, own] of Map.groupBy(messages, ({ targetPlatformId }) => targetPlatformId)) {
        const pair = { platformId: targetId, sourceId: platformId }
        count += (await isolation.run(pair, () => applyToPlatform(deps, isolation, { pair, messages: own }))) ?? 0
      }
      return count
    },
  )
}

/** Applies the messages of a platform to another one, until too many have failed. */
async function applyToPlatform(
  deps: Deps,
  isolation: Isolation,
  { pair, messages }: { pair: { platformId: string; sourceId: string }; messages: readonly Message[] },
): Promise<number> {
  let count = 0
  for (const [id, own] of Map.groupBy(messages, ({ subjectId }) => subjectId)) {
    if (isolation.skippedOf(pair.sourceId).platformIds.includes(pair.platformId)) break
    count += (await isolation.run({ ...pair, kind: 'payment', id }, () => applyMessages(deps, own))) ?? 0
  }
  return count
}

/** Applies the messages about one subject to one platform in order. Each message is applied only once, even if two workers run at the same time. */
async function applyMessages(deps: Deps, messages: readonly Message[]): Promise<number> {
  for (const message of messages) {
    const { kind, targetPlatformId } = message
    await inTransaction(deps, async (tx) => {
      const clock = await clockOf(tx, targetPlatformId)
      await appliers[kind]({ ...tx, clock }, message)
    })
  }
  const positions = messages.map(({ position }) => position)
  await deleteMessages(deps.sql, (messages[0] as Message).platformId, positions)
  return messages.length
}

/** The function that applies each kind of message. `deps` has the clock of the receiving platform. */
const appliers: Record<MessageKind, (deps: TxDeps, message: Message) => Promise<void>> = {
  payment_created: (deps, message) => copyPayment(deps.sql, message),
  payment_changed: async (deps, message) => {
    const { applied, isDue } = await changeCopiedPayment(deps.sql, message)
    if (applied && message.cents !== null) await receiveMoney(deps, message, message.cents)
    if (isDue) deps.afterCommit(deps.wake)
  },
  invoice_copied: copyInvoice,
  invoice_copy_changed: changeCopiedInvoice,
  audited: async (deps, message) => {
    if (!(await claimCopiedPayment(deps.sql, message))) return
    const { actor, action, subject } = message.content as AuditContent
    await recordAudit(deps, actor, action, subject)
  },
  card_moved: async (deps, message) => {
    if (!(await claimCopiedPayment(deps.sql, message))) return
    const { card_id: cardId, type, cents, name } = message.content as CardContent
    const payout = { platformId: message.targetPlatformId, cardId, paymentId: message.subjectId, cents, name }
    await (type === 'LOAD' ? loadCard : unloadCard)(deps, payout)
  },
  account_returned: async (deps, message) => {
    if (!(await claimCopiedPayment(deps.sql, message))) return
    const { bankId, sentAt, ...returned } = message.content as ReturnedLeg & { bankId: string }
    const leg = { ...returned, sentAt: sentAt && new Date(sentAt) } // JSON has the time as a text
    await blockReturnedAccount(deps, { platformId: message.targetPlatformId, bankId }, leg)
  },
  account_corrected: async (deps, message) => {
    if (!(await claimCopiedPayment(deps.sql, message))) return
    await applyCorrectionFromOtherPlatform(deps, message)
  },
  subscription_changed: applySubscription,
  autopay_changed: applyAutopay,
  invoice_created: (deps, message) => createCopy(deps, invoiceOf(message), message.content),
  invoice_changed: (deps, message) => followRecipient(deps, invoiceOf(message), message.content),
  invoice_voided: async (deps, message) => {
    await applyInvoiceEvent(deps, invoiceOf(message), 'void', { before: null, after: null })
  },
  invoice_audited: async (deps, message) => {
    if (!(await claimMessage(deps, invoiceOf(message)))) return
    const { actor, action, subject } = message.content as AuditContent
    await recordAudit(deps, actor, action, subject)
  },
}

const invoiceOf = ({ targetPlatformId: platformId, subjectId: id, position }: Message) => ({ platformId, id, position })

/** Adds money to a wallet. If its holder is closed or was deleted, the operator decides. */
async function receiveMoney(deps: TxDeps, message: Message, cents: number): Promise<void> {
  const { targetPlatformId: platformId, subjectId: paymentId } = message
  const walletId = message.content.wallet_id as string
  const userId = await holdWalletHolder(deps.sql, { platformId, walletId })
  if (userId !== null) {
    await post(deps, { platformId, paymentId }, 'arrive', { cents, rail: OTHER_PLATFORM, recipientWallet: walletId })
    await reportLockedMoney(deps, { platformId, userId }, { cents, paymentId })
    return
  }
  await post(deps, { platformId, paymentId }, 'arrive_unclaimed', { cents, rail: OTHER_PLATFORM })
  const note = 'A payment from another platform arrived, and the holder of its wallet was deleted.'
  await recordException(deps, { platformId, kind: 'holder_gone', paymentId, cents, note })
}
