import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { PaymentDetails } from '../../../answers.ts'
import { RouterAnchor } from '../../../layout/router-anchor.tsx'
import { Section } from '../../../layout/section.tsx'
import { useServiceContext } from '../../../service-context.ts'
import { Fact, Facts } from '../../../shown/facts.tsx'
import { Day, Moment } from '../../../shown/moment.tsx'
import { RecordsTable } from '../../../shown/records-table.tsx'
import { useBankName } from '../../../shown/use-bank-name.ts'
import { banksQuery } from '../../accounts/account-queries.ts'
import classes from '../payment-page.module.css'
import { progressQuery, trackingQuery } from '../payment-queries.ts'
import { railWords } from '../payment-words.ts'

/** The facts of a payment: payer, payee, method, dates and purpose. */
export function PaymentFacts({ payment }: { payment: PaymentDetails }) {
  const { id, name, recipient, rail, number, date, expires, description, comment, status } = payment
  return (
    <Section title="Details">
      <Facts>
        <Fact label="Payee">
          {name}
          {recipient !== name && (
            <Text c="dimmed" size="xs">
              {recipient}
            </Text>
          )}
        </Fact>
        <Fact label="From">
          <From payment={payment} />
        </Fact>
        {/* The copy of a payment from another platform does not name its method. */}
        {(rail !== null || status === 'UNPAID') && (
          <Fact label="Method">{rail === null ? 'Not chosen yet' : railWords[rail]}</Fact>
        )}
        <Fact label="Number">{number}</Fact>
        <Fact label="Created">
          <Moment utc={date} />
        </Fact>
        <ProgressFacts payment={payment} />
        {status === 'UNPAID' && (
          <Fact label="Expires">
            <Day date={expires} />
          </Fact>
        )}
        {payment.prepared_by && <Fact label="Prepared by">{payment.prepared_by}</Fact>}
        {payment.released_by && <Fact label="Released by">{payment.released_by}</Fact>}
        {payment.batch_id && (
          <Fact label="Batch">
            <RouterAnchor to="/batches/$id" params={{ id: payment.batch_id }}>
              View batch
            </RouterAnchor>
          </Fact>
        )}
        {description && <Fact label="Description">{description}</Fact>}
        {comment && <Fact label="Comment">{comment}</Fact>}
        <Fact label="Payment ID" isCode>
          {id}
        </Fact>
      </Facts>
      {(rail === 'MAIL' || rail === 'PRINT') && <Tracking id={id} />}
    </Section>
  )
}

const traceLabels = { debit: 'Debit trace number', credit: 'Trace number', refund: 'Refund trace number' } as const

/** The arrival of the money, and the reference numbers of the banks. */
function ProgressFacts({ payment }: { payment: PaymentDetails }) {
  const { data } = useQuery(progressQuery(payment))
  if (!data) return null
  const { expected, arrived, check_number, traces } = data
  const isOnPaper = payment.rail === 'MAIL' || payment.rail === 'PRINT'
  return (
    <>
      {expected !== null && (
        <Fact label="Expected">
          <Day date={expected} />
        </Fact>
      )}
      {arrived !== null && (
        <Fact label={isOnPaper ? 'Cashed' : 'Arrived'}>
          <Moment utc={arrived} />
        </Fact>
      )}
      {check_number !== null && <Fact label="Check number">{check_number}</Fact>}
      {traces.map(({ movement, number, effective_date }) => (
        <Fact key={number} label={traceLabels[movement]}>
          <span className={classes.trace}>{number}</span>
          <Text c="dimmed" size="xs">
            <Day date={effective_date} />
          </Text>
        </Fact>
      ))}
    </>
  )
}

/** The user, and the user's bank account if the reader may see it. */
function From({ payment: { account, direction, sender, user } }: { payment: PaymentDetails }) {
  const ownId = useServiceContext().owner?.id
  const isOwn = direction === 'OUTGOING' && user.id === ownId
  const { data: banks = [] } = useQuery({ ...banksQuery, enabled: isOwn && account?.kind === 'bank' })
  const bank = banks.find(({ id }) => id === account?.id)
  const bankName = useBankName(bank?.routing ?? '')
  return (
    <>
      {direction === 'OUTGOING' && !isOwn ? (
        <RouterAnchor to="/users/$id" params={{ id: user.id }}>
          {sender}
        </RouterAnchor>
      ) : (
        sender
      )}
      <Text c="dimmed" size="xs">
        {bank !== undefined &&
          `${bank.nickname ?? bank.name ?? bankName ?? 'Bank account'} •••• ${bank.account.slice(-4)}`}
        {account?.kind === 'wallet' && 'Wallet'}
      </Text>
    </>
  )
}

function Tracking({ id }: { id: string }) {
  const { data: steps = [] } = useQuery(trackingQuery(id))
  if (steps.length === 0) return null
  return (
    <RecordsTable
      caption="Tracking"
      columns={[
        { head: 'Tracking', cell: ({ action_ts }) => <Moment utc={action_ts} /> },
        { head: 'Place', cell: ({ location }) => location },
      ]}
      rows={steps.map((step) => ({ ...step, id: `${step.action_ts} ${step.location}` }))}
      empty=""
    />
  )
}
