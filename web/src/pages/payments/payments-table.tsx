import { VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FoundPayment } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { ShortMoment } from '../../shown/moment.tsx'
import type { RowSelection } from '../../shown/row-checkbox.tsx'
import { RowsTable, type TableRow } from '../../shown/rows-table.tsx'
import { PaymentBadge } from './payment-badge.tsx'
import { railWords } from './payment-words.ts'

type Props = { caption: string; payments: FoundPayment[]; ownId: string | undefined; selection?: RowSelection }

/** Payments in rows, each with a link to its page. */
export const PaymentsTable = ({ caption, payments, ownId, selection }: Props) => (
  <RowsTable
    caption={caption}
    heads={{ main: headOf(payments), status: 'Status', extra: 'Method', date: 'Date', amount: 'Amount' }}
    rows={payments.map((payment) => rowOf(payment, ownId))}
    selection={selection}
  />
)

/** The header of the first column, which names the other party of each payment. */
function headOf(payments: FoundPayment[]): string {
  const directions = new Set(payments.map(({ direction }) => direction))
  if (directions.size > 1) return 'Payee or payer'
  return directions.has('INCOMING') ? 'Payer' : 'Payee'
}

const rowOf = (payment: FoundPayment, ownId: string | undefined): TableRow => ({
  id: payment.id,
  link: (className) => (
    <Link to="/payments/$id" params={{ id: payment.id }} preload={false} className={className}>
      {otherSide(payment)}
    </Link>
  ),
  note: noteOf(payment, ownId),
  status: <PaymentBadge status={payment.status} />,
  extra: payment.rail === null ? <NotChosen /> : railWords[payment.rail],
  date: <ShortMoment utc={payment.date} />,
  amount: (
    <>
      {payment.direction === 'INCOMING' && '+'}
      {dollars(payment.amount)}
    </>
  ),
  isIncoming: payment.direction === 'INCOMING',
  selectionName: `${dollars(payment.amount)} ${payment.direction === 'INCOMING' ? 'from' : 'to'} ${otherSide(payment)}`,
})

const NotChosen = () => (
  <>
    <span aria-hidden>–</span>
    <VisuallyHidden>Not chosen yet</VisuallyHidden>
  </>
)

const otherSide = ({ direction, name, sender }: FoundPayment) => (direction === 'INCOMING' ? sender : name)

/** The details that distinguish similar payments: the user and the purpose. */
function noteOf({ direction, user, description, number }: FoundPayment, ownId: string | undefined): string {
  const whose = user.id === ownId ? null : `${direction === 'INCOMING' ? 'To' : 'From'} ${user.name}`
  return [whose, description || `No. ${number}`].filter(Boolean).join(' · ')
}
