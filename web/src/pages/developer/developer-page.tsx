import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { developerQuery } from './developer-query.ts'
import { SourceAddressesSection } from './source-addresses.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

const about = (
  <>
    Every change of a payment’s status is sent to this address, signed. See the{' '}
    <RouterAnchor to="/settings/webhooks/deliveries">deliveries</RouterAnchor>, or add{' '}
    <RouterAnchor to="/settings/webhooks">further endpoints</RouterAnchor>.
  </>
)

export function DeveloperPage() {
  const developer = useQuery(developerQuery)
  return (
    <>
      <PageHeading title="Developer">What your own programs need: keys for the API, and where webhooks go.</PageHeading>
      <ApiKeysSection />
      <Section title="Webhooks" about={about}>
        <Loaded query={developer}>{(data) => <WebhookSettings developer={data} />}</Loaded>
      </Section>
      <SourceAddressesSection />
    </>
  )
}
