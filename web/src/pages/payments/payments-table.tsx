import { Table, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { FoundPayment } from '../../answers.ts'
import { dollars } from '../../shown/dollars.ts'
import { ShortMoment } from '../../shown/moment.tsx'
import { PaymentBadge } from './payment-badge.tsx'
import { railWords } from './payment-words.ts'
import classes from './payments.module.css'

type Props = { caption: string; payments: FoundPayment[]; ownId: string | undefined }

/**
 * Payments in rows: on a phone, payee and amount, then status and date. A click anywhere on a row opens the payment. The keyboard
 * and screen readers find one link in each row.
 */
export const PaymentsTable = ({ caption, payments, ownId }: Props) => (
  <Table role="table" aria-label={caption} className={classes.table} withRowBorders={false}>
    <Table.Thead role="rowgroup" className={classes.head}>
      <Table.Tr role="row" className={classes.row}>
        {['Payee', 'Status', 'Method', 'Date', 'Amount'].map((head) => (
          <Table.Th key={head} role="columnheader" scope="col" data-head={head}>
            {head}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody role="rowgroup">
      {payments.map((payment) => (
        <Row key={payment.id} payment={payment} ownId={ownId} />
      ))}
    </Table.Tbody>
  </Table>
)

const Row = ({ payment, ownId }: { payment: FoundPayment; ownId: string | undefined }) => (
  <Table.Tr role="row" className={classes.row}>
    <Table.Td role="cell" className={classes.payee}>
      <Link to="/payments/$id" params={{ id: payment.id }} preload={false} className={classes.open}>
        {otherSide(payment)}
      </Link>
      <Note payment={payment} ownId={ownId} />
    </Table.Td>
    <Table.Td role="cell" className={classes.status}>
      <PaymentBadge status={payment.status} />
    </Table.Td>
    <Table.Td role="cell" className={classes.rail}>
      {payment.rail === null ? <NotChosen /> : railWords[payment.rail]}
    </Table.Td>
    <Table.Td role="cell" className={classes.date}>
      <ShortMoment utc={payment.date} />
    </Table.Td>
    <Table.Td role="cell" className={classes.amount} data-direction={payment.direction}>
      {payment.direction === 'INCOMING' && '+'}
      {dollars(payment.amount)}
    </Table.Td>
  </Table.Tr>
)

const NotChosen = () => (
  <>
    <span aria-hidden>–</span>
    <VisuallyHidden>Not chosen yet</VisuallyHidden>
  </>
)

const otherSide = ({ direction, name, sender }: FoundPayment) => (direction === 'INCOMING' ? sender : name)

/** What tells similar payments apart: whose it is, and what it is for. */
function Note({
  payment: { direction, user, description, number },
  ownId,
}: {
  payment: FoundPayment
  ownId: string | undefined
}) {
  const whose = user.id === ownId ? null : `${direction === 'INCOMING' ? 'To' : 'From'} ${user.name}`
  const text = [whose, description || `No. ${number}`].filter(Boolean).join(' · ')
  return <div className={classes.note}>{text}</div>
}
