import type { TxDeps } from '../../foundation/db/deps.ts'
import { createCopy } from '../../payments/invoice-status/invoice-change-actions.ts'
import type { Message } from '../../payments/payment/outbox/outbox-store.ts'
import { payAutomatically } from './autopay-actions.ts'
import type { Ran } from './subscription-copy-actions.ts'
import { updateRemoteAutopay, upsertCopy } from './subscription-copy-store.ts'
import { findSubscription, insertRun, type ShownSubscription } from './subscription-store.ts'

/** Applies a message from the sender's platform: changes the copy, and pays the invoice of a run by autopay. */
export async function applySubscription(deps: TxDeps, message: Message): Promise<void> {
  const { targetPlatformId: platformId, subjectId: id, position } = message
  const { ran, ...content } = message.content as Record<string, unknown> & { ran: Ran | null }
  if (!(await upsertCopy(deps.sql, { platformId, id, position, content })) || ran === null) return
  const { run, invoice } = ran
  const invoiceId = invoice && run.invoiceId
  if (invoiceId) await createCopy(deps, { platformId, id: invoiceId }, invoice.columns)
  const copy = (await findSubscription(deps.sql, { platformId, id })) as ShownSubscription
  await insertRun(deps.sql, copy, { ...run, createdAt: new Date(run.createdAt) })
  if (invoiceId) await payAutomatically(deps, copy, { invoiceId, destination: invoice.destination })
}

/** Applies a message from the payer's platform about autopay. */
export async function applyAutopay(deps: TxDeps, message: Message): Promise<void> {
  const { targetPlatformId: platformId, subjectId: id, position, content } = message
  await updateRemoteAutopay(deps.sql, { platformId, id, position, autopay: content.autopay === true })
}
