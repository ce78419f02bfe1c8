import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { EventDetails } from '../../answers.ts'
import { BackLink } from '../../layout/back-link.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { curlCommand } from '../../shown/curl.ts'
import { CurlSection } from '../../shown/curl-section.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { DeliveriesTable } from './deliveries-table.tsx'
import { EventBodySection } from './event-body-section.tsx'
import { wordsOfType } from './event-words.ts'
import { eventQuery } from './webhook-queries.ts'

/** One event, its body, and its delivery to each endpoint. */
export function EventPage() {
  const { id } = useParams({ from: '/settings/events/$id' })
  const event = useQuery(eventQuery(id))
  return (
    <>
      <BackLink>
        <RouterAnchor to="/settings/events">Events</RouterAnchor>
      </BackLink>
      <PageHeading title="Event" />
      <Loaded query={event}>
        {(data) => (
          <>
            <EventSection event={data} />
            <EventBodySection
              body={data.body}
              about=" Endpoints with full bodies also get the object: see the delivery."
            />
            <CurlSection
              about="Sends the body to your own machine. It has no signature, because only Remit and your server know the key."
              command={commandOf(data)}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function EventSection({ event: { id, type, subject, date, deliveries } }: { event: EventDetails }) {
  const words = wordsOfType(type)
  return (
    <>
      <Section title={words.event}>
        <Facts>
          <Fact label="Happened">
            <Moment utc={date} isExact />
          </Fact>
          <Fact label={words.subject} isCode={type !== 'CHECK'}>
            {type === 'CHECK' ? (
              <RouterAnchor to="/payments/$id" params={{ id: subject }}>
                View payment
              </RouterAnchor>
            ) : (
              subject
            )}
          </Fact>
          <Fact label="Event" isCode>
            {id}
          </Fact>
        </Facts>
      </Section>
      <Section title="Deliveries">
        {deliveries.length === 0 ? (
          <Text c="dimmed">No endpoint received this event.</Text>
        ) : (
          <DeliveriesTable rows={deliveries} filters={{}} />
        )}
      </Section>
    </>
  )
}

const commandOf = ({ id, body }: EventDetails): string =>
  curlCommand({
    method: 'POST',
    url: 'http://localhost:3000/hook',
    headers: { 'Content-Type': 'application/json', 'webhook-id': id },
    body,
  })
