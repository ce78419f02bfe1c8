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

/** Where events are sent beside the URLs of the developer settings and of applications, and the key that signs them. */
export function EndpointsPage() {
  const endpoints = useQuery(endpointsQuery)
  return (
    <>
      <PageHeading title="Webhooks">
        Events are sent to your endpoints as they happen, signed. Payments also go to the URL of your{' '}
        <RouterAnchor to="/settings/developer">developer settings</RouterAnchor> and to those of your{' '}
        <RouterAnchor to="/settings/applications">applications</RouterAnchor>.
      </PageHeading>
      <WebhooksTabs />
      <Section title="Endpoints" about="Addresses of your servers." action={<AddEndpointButton />}>
        <Loaded query={endpoints}>
          {(list) =>
            list.length === 0 ? (
              <Text>
                You have no endpoint yet. Add one to be told of payments, bank accounts, users and wallet balances.
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
