import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'

/** A change of one place in a file of the program. `find` must occur there exactly once. */
type Change = readonly [file: string, find: string, replace: string]

/** Faults that the world must find. Each one is applied to a copy of the program. */
export const planted: Readonly<Record<string, readonly Change[]>> = {
  'a rejected copy of a message with orders rejects the orders of the first copy': [
    ['src/money/iso20022/order/order-rules.ts', '(isSentTwice || reasons.some(', '(isSentTwice && reasons.some('],
  ],
  'an order counts as canceled although the bank refused to cancel it': [
    ['src/money/iso20022/order/order-rules.ts', "STOPPING: 'keep' }", "STOPPING: 'cancel' }"],
  ],
  'an order whose answer is lost goes to the processor again': [
    [
      'src/money/payout/payout-outcome-actions.ts',
      "case 'unknown':\n      return stayUnknown(",
      "case 'unknown':\n      if (isFirstCall) return postpone(outcome.problem, null)\n      return stayUnknown(",
    ],
  ],
  'a resent file whose first copy is rejected sends its entries again': [
    [
      'src/money/ach/file/ach-acknowledgement-actions.ts',
      'file.resentAt !== null && isOpen(file)',
      "file.resentAt !== null && file.status === 'ACCEPTED'",
    ],
  ],
  'a return that comes before the acknowledgment of its file is refused': [
    [
      'src/money/ach/file/ach-acknowledgement-actions.ts',
      'if (!file || (await acceptOutgoingFile(tx, file, { keepsAttention: true }))) return null',
      "if (!file || file.status === 'ACCEPTED') return null",
    ],
  ],
  'a stop that is accepted after the check was cashed gives the money back': [
    [
      'src/payments/check/printing/print-follow-actions.ts',
      "end_stop: async (tx, handlers, leg) => leg.status === 'STOPPING' &&",
      "end_stop: async (tx, handlers, leg) => (leg.status === 'STOPPING' || leg.status === 'SETTLED') &&",
    ],
    [
      'src/money/rail/leg-status.ts',
      "cancel: { from: ['WAITING', 'SENT', 'STOPPING']",
      "cancel: { from: ['WAITING', 'SENT', 'STOPPING', 'SETTLED']",
    ],
    [
      'src/payments/payment/leg/payment-leg-actions.ts',
      "if (before.status !== 'STOPPING') return\n",
      "if (before.status !== 'STOPPING' && before.status !== 'SETTLED') return\n",
    ],
  ],
  'a failed payment is deposited again although its credit can still arrive': [
    [
      'src/payments/payment/leg/payment-leg-actions.ts',
      '!isOwed && !legs.some(isWithPayee) && !isReturnedRefund',
      '!isOwed && !isReturnedRefund',
    ],
  ],
  'autopay pays an invoice a second time': [
    [
      'src/orders/subscription/subscription-run-actions.ts',
      'if (invoice) await payAutomatically(deps, row, { invoiceId: invoice.id, destination: null })',
      'for (let time = 0; invoice && time < 2; time++) await payAutomatically(deps, row, { invoiceId: invoice.id, destination: null })',
    ],
    [
      'src/orders/invoice/invoice-approval-actions.ts',
      "if (invoice.status !== 'UNPAID' || (await isInvoiceWaiting(deps, key))) throw",
      'if (await isInvoiceWaiting(deps, key)) throw',
    ],
    [
      'src/orders/invoice/invoice-payment-actions.ts',
      "if (invoice.status !== 'UNPAID') throw new ApiError('invoice_not_payable')\n  if (invoice.senderPlatformId",
      'if (invoice.senderPlatformId',
    ],
    ['src/orders/invoice/invoice-payment-actions.ts', "if (!isPaid) throw new ApiError('invoice_not_payable')", ''],
  ],
  'two operators send a returned refund again': [
    [
      'src/payments/payment/leg/paid-outside-actions.ts',
      "return legs.every(({ purpose, status }) => purpose === 'payment_pull' || status !== 'WAITING')",
      'return legs.length > 0',
    ],
    [
      'src/foundation/exception/exception-actions.ts',
      'if (row.closedAt) throw',
      'if (row.closedAt && !row.note) throw',
    ],
  ],
  'a request that is repeated after a crash counts against the limit again': [
    [
      'src/payments/payment/accept/sql/take_from_senders_v1.sql',
      'begin\n',
      `begin
  update user_counters c
  set sent_day_cents = c.sent_day_cents + o.amount_cents
  from rows from (unnest(_orders), unnest(_made)) o
  where o.outcome = 'replayed' and c.platform_id = o.platform_id and c.user_id = o.sender_id;
`,
    ],
  ],
  'an approval that was edited since it was checked is released': [
    [
      'src/orders/approval/approval-actions.ts',
      "if (version == null || row.status !== 'UNPAID') return row",
      "if (version == null || row.status !== 'VOID') return row",
    ],
  ],
  'a message of the outbox is applied twice': [
    [
      'src/payments/payment/outbox/sql/claim_copied_payment_v1.sql',
      'and payment_id = _payment_id and version < _position;',
      'and payment_id = _payment_id;',
    ],
  ],
  'a credit that waits goes to the account that the payee added last': [
    [
      'src/payments/payment/leg/ach-receiver-store.ts',
      "      p.number, p.description, coalesce(p.kind = 'SCANNED'",
      `      (
        select x.id
        from banks x
        where x.platform_id = l.platform_id and x.user_id = p.recipient_id and l.purpose = 'payment_push'
        order by x.created_at desc
        limit 1
      ) as newest_bank_id,
      p.number, p.description, coalesce(p.kind = 'SCANNED'`,
    ],
    [
      'src/payments/payment/leg/ach-receiver-actions.ts',
      'bankId: leg.accountId, isRetry',
      "bankId: ('newestBankId' in row && (row.newestBankId as string)) || leg.accountId, isRetry",
    ],
  ],
  'after a restore, a payment is voided although the bank has its debit': [
    [
      'src/operation/cli/recover-command.ts',
      'connection.id === rails.ACH ? await assignEntriesOfRestore(deps, achHooks) : 0',
      '0',
    ],
  ],
  'after a restore, a check that the printer has is printed again': [
    [
      'src/payments/check/printing/print-restore-actions.ts',
      'if (checks.length === 0) return new Map()',
      'if (checks.length >= 0) return new Map()',
    ],
  ],
  'a number that payers know is used again after its correction': [
    [
      'src/money/bank/bank-correction-actions.ts',
      '  await upsertAccountCorrection(deps.sql, {',
      '  if (deps.sql) return null\n  await upsertAccountCorrection(deps.sql, {',
    ],
  ],
}

/** Reads the files that a fault changes, and applies its changes. @throws if a change no longer fits the program */
export async function changedFiles(name: string, root: string): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [file, find, replace] of planted[name] ?? []) {
    const parts = (files.get(file) ?? (await readFile(join(root, file), 'utf8'))).split(find)
    if (parts.length !== 2) throw new Error(`"${name}" changes ${file} in ${parts.length - 1} places instead of one`)
    files.set(file, parts.join(replace))
  }
  return files
}

/** Copies the program into a folder, and applies a fault to the copy. */
export async function plant(name: string, { root, folder }: { root: string; folder: string }): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const isOurs = (path: string) => !/(^|\/)(node_modules|\.git)(\/|$)/.test(relative(root, path))
  await cp(root, folder, { recursive: true, filter: isOurs })
  await symlink(resolve(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [file, text] of await changedFiles(name, root)) await writeFile(join(folder, file), text)
}
