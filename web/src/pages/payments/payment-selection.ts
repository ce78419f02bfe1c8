import { useState } from 'react'
import type { FoundPayment, PaymentStatus } from '../../answers.ts'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import type { RowSelection } from '../../shown/row-checkbox.tsx'

/** The statuses in which a payment may be voidable. The service decides for each payment. */
const voidable: PaymentStatus[] = ['UNPAID', 'PRINTED', 'MAILED', 'IN_PROCESS', 'FAILED']

export const isVoidable = ({ direction, status }: Pick<FoundPayment, 'direction' | 'status'>): boolean =>
  direction === 'OUTGOING' && voidable.includes(status)

/** Keeps the selected rows of one list. A list with another `key` starts with an empty selection. */
export function useRowSelection(key: string): RowSelection {
  const [{ of, ids }, setSelected] = useState({ of: key, ids: none })
  return {
    selected: of === key ? ids : none,
    onSelect: (changed, isSelected) =>
      setSelected((before) => {
        const next = new Set(before.of === key ? before.ids : none)
        for (const id of changed) isSelected ? next.add(id) : next.delete(id)
        return { of: key, ids: next }
      }),
  }
}

const none: ReadonlySet<string> = new Set()

/** Adds up amounts in dollars. It counts in cents, because sums of fractions are not exact. */
export const addAmounts = (payments: Pick<FoundPayment, 'amount'>[]): number =>
  payments.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100

/** Returns "3 payments, $1,234.50". Incoming and outgoing payments have separate sums. */
export function sumText(payments: Pick<FoundPayment, 'amount' | 'direction'>[]): string {
  const incoming = payments.filter(({ direction }) => direction === 'INCOMING')
  const outgoing = payments.filter(({ direction }) => direction === 'OUTGOING')
  const sums =
    incoming.length > 0 && outgoing.length > 0
      ? [`${dollars(addAmounts(outgoing))} out`, `${dollars(addAmounts(incoming))} in`]
      : [dollars(addAmounts(payments))]
  return [count(payments.length, 'payment', 'payments'), ...sums].join(', ')
}
