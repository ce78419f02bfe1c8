import { Group, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { DeliveryDetails } from '../../answers.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { dollars } from '../../shown/dollars.ts'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { AttemptsSection } from './attempts-section.tsx'
import { EventBodySection } from './event-body-section.tsx'
import { eventTitle, wordsOfType } from './event-words.ts'
import { ReplayButton } from './replay-button.tsx'
import { DeliveryBadge } from './status-badge.tsx'
import { deliveryQuery } from './webhook-queries.ts'

const from = '/settings/webhooks/deliveries/$event/$endpoint'

/** The delivery of one event to one endpoint: its content and the result of each attempt. */
export function DeliveryPage() {
  const { event, endpoint } = useParams({ from })
  const filters = useSearch({ from })
  const delivery = useQuery(deliveryQuery(event, endpoint))
  return (
    <>
      <Group gap={6}>
        <IconArrowLeft size={16} aria-hidden />
        <Text>
          <RouterAnchor to="/settings/webhooks/deliveries" search={filters}>
            Deliveries
          </RouterAnchor>
        </Text>
      </Group>
      <PageHeading title="Delivery" action={delivery.data && <ReplayButton delivery={delivery.data} />} />
      <Loaded query={delivery}>
        {(data) => (
          <>
            <DeliverySection delivery={data} />
            <EventBodySection body={data.body} />
            <AttemptsSection attempts={data.attempts} />
          </>
        )}
      </Loaded>
    </>
  )
}

function DeliverySection({ delivery }: { delivery: DeliveryDetails }) {
  const { event, subject, payment, status, url, next_attempt, date } = delivery
  const words = wordsOfType(delivery.type)
  return (
    <Section title={eventTitle(delivery)} action={<DeliveryBadge status={status} />}>
      <Facts>
        <Fact label="Endpoint" isCode>
          {url}
        </Fact>
        <Fact label="Happened">
          <Moment utc={date} isExact />
        </Fact>
        <Fact label="Attempts">{Math.max(0, ...delivery.attempts.map(({ number }) => number))}</Fact>
        {next_attempt !== null && (
          <Fact label="Next attempt">
            <Moment utc={next_attempt} isExact />
          </Fact>
        )}
        {payment !== null && (
          <>
            <Fact label="Amount">{dollars(payment.amount)}</Fact>
            <Fact label="Payee">{payment.name}</Fact>
          </>
        )}
        <Fact label={words.subject} isCode={delivery.type !== 'CHECK'}>
          {delivery.type === 'CHECK' ? (
            <RouterAnchor to="/payments/$id" params={{ id: subject }}>
              View payment
            </RouterAnchor>
          ) : (
            subject
          )}
        </Fact>
        <Fact label="Event" isCode>
          {event}
        </Fact>
      </Facts>
    </Section>
  )
}
