import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { SourceAddressesSection } from '../developer/source-addresses.tsx'
import { AddEndpointButton } from './add-endpoint-button.tsx'
import { EndpointDetails } from './endpoint-details.tsx'
import { ListenSection } from './listen-section.tsx'
import { SigningKeySection } from './signing-key-section.tsx'
import { endpointsQuery } from './webhook-queries.ts'
import classes from './webhooks.module.css'
import { WebhooksTabs } from './webhooks-tabs.tsx'

/** The webhook endpoints of the owner, and the key that signs all webhooks. */
export function EndpointsPage() {
  const endpoints = useQuery(endpointsQuery)
  return (
    <>
      <PageHeading title="Webhooks">
        We send signed events to your endpoints as they happen. Payment events also go to the URL in your{' '}
        <RouterAnchor to="/settings/developer">developer settings</RouterAnchor> and of your{' '}
        <RouterAnchor to="/settings/applications">applications</RouterAnchor>.
      </PageHeading>
      <WebhooksTabs />
      <Section title="Endpoints" about="URLs that receive events." action={<AddEndpointButton />}>
        <Loaded query={endpoints}>
          {(list) =>
            list.length === 0 ? (
              <Text>
                No endpoints yet. Add one to get events about payments, bank accounts, users and wallet balances.
              </Text>
            ) : (
              <ul className={classes.endpoints}>
                {list.map((endpoint) => (
                  <EndpointDetails key={endpoint.id} endpoint={endpoint} />
                ))}
              </ul>
            )
          }
        </Loaded>
      </Section>
      <SigningKeySection />
      <SourceAddressesSection />
      <ListenSection />
    </>
  )
}
