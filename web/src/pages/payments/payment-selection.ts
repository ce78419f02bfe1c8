import { useState } from 'react'
import type { FoundPayment, PaymentStatus } from '../../answers.ts'
import { count } from '../../shown/count.ts'
import { dollars } from '../../shown/dollars.ts'
import type { RowSelection } from '../../shown/row-checkbox.tsx'

/** The statuses in which a payment can be voided. The service knows of each one whether it still can. */
const voidable: PaymentStatus[] = ['UNPAID', 'PRINTED', 'MAILED', 'IN_PROCESS', 'FAILED']

export const isVoidable = ({ direction, status }: Pick<FoundPayment, 'direction' | 'status'>): boolean =>
  direction === 'OUTGOING' && voidable.includes(status)

/** The selected rows of one list. Another list, which has another `key`, begins without any. */
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

/** The amounts together, in dollars. Added in cents, because sums of fractions are not exact. */
export const sumOf = (payments: Pick<FoundPayment, 'amount'>[]): number =>
  payments.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0) / 100

/** "3 payments, $1,234.50". What comes in and what goes out are not added to each other. */
export function sumText(payments: Pick<FoundPayment, 'amount' | 'direction'>[]): string {
  const incoming = payments.filter(({ direction }) => direction === 'INCOMING')
  const outgoing = payments.filter(({ direction }) => direction === 'OUTGOING')
  const sums =
    incoming.length > 0 && outgoing.length > 0
      ? [`${dollars(sumOf(outgoing))} out`, `${dollars(sumOf(incoming))} in`]
      : [dollars(sumOf(payments))]
  return [count(payments.length, 'payment', 'payments'), ...sums].join(', ')
}
