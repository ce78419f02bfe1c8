import { Group, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { PaymentDetails } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { mayDo } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'
import { dollars } from '../../shown/dollars.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { SkeletonRows } from '../../shown/skeleton-rows.tsx'
import { CheckSection } from './detail/check-section.tsx'
import { FailureExplained } from './detail/failure-explained.tsx'
import { LedgerSection } from './detail/ledger-section.tsx'
import { OutcomeSection } from './detail/outcome-section.tsx'
import { PaymentActions } from './detail/payment-actions.tsx'
import { PaymentFacts } from './detail/payment-facts.tsx'
import { Remittance } from './detail/remittance.tsx'
import { TimelineSection } from './detail/timeline-section.tsx'
import { WebhooksSection } from './detail/webhooks-section.tsx'
import { PaymentBadge } from './payment-badge.tsx'
import { noFilters } from './payment-filters.ts'
import classes from './payment-page.module.css'
import { paymentQuery } from './payment-queries.ts'
import { stateWords } from './payment-words.ts'

const route = getRouteApi('/signed-in/payments/$id')

/** The page of a payment: its state, its history, and the possible actions. */
export function PaymentPage() {
  const { id } = route.useParams()
  const payment = useQuery(paymentQuery(id))
  return (
    <>
      <Group gap={6} className={classes.unprinted}>
        <IconArrowLeft size={16} aria-hidden />
        <Text>
          <RouterAnchor
            to="/payments"
            search={{ ...noFilters, direction: payment.data?.direction === 'INCOMING' ? 'INCOMING' : undefined }}
          >
            Payments
          </RouterAnchor>
        </Text>
      </Group>
      {payment.data === undefined && <PageHeading title="Payment" />}
      <Loaded query={payment} skeleton={<SkeletonRows count={5} height={64} />}>
        {(data) => <Shown payment={data} />}
      </Loaded>
    </>
  )
}

function Shown({ payment }: { payment: PaymentDetails }) {
  const { environment, owner } = useServiceContext()
  const title = `${dollars(payment.amount)} ${otherSide(payment)}`
  return (
    <>
      <PageHeading
        title={title}
        shown={
          <>
            <span className={classes.amount}>{dollars(payment.amount)}</span>{' '}
            <span className={classes.payee}>{otherSide(payment)}</span>
          </>
        }
        action={<PaymentActions payment={payment} />}
      >
        <div className={classes.state}>
          <PaymentBadge status={payment.status} size="lg" />
          <span role="status">{stateWords(payment)}</span>
        </div>
      </PageHeading>
      {payment.return_code !== null && <FailureExplained payment={payment} code={payment.return_code} />}
      <div className={classes.columns}>
        <div className={classes.aside}>
          <PaymentFacts payment={payment} />
          {environment !== 'production' && mayDo(owner, 'simulate') && payment.direction === 'OUTGOING' && (
            <OutcomeSection payment={payment} />
          )}
        </div>
        <div className={classes.story}>
          <TimelineSection payment={payment} />
          {payment.direction === 'OUTGOING' && <CheckSection payment={payment} />}
          <Remittance lines={payment.remittance_advice} />
          <div className={classes.inside}>
            {mayDo(owner, 'developers') && !owner?.is_payee && <WebhooksSection payment={payment} />}
            <LedgerSection payment={payment} />
          </div>
        </div>
      </div>
    </>
  )
}

const otherSide = ({ direction, name, sender }: PaymentDetails) =>
  direction === 'INCOMING' ? `from ${sender}` : `to ${name}`
