import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { useMay } from '../../permission.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { ApiKeysSection, NewOwnKeyButton } from './api-keys-section.tsx'
import { developerQuery } from './developer-query.ts'
import { SourceAddressesSection } from './source-addresses.tsx'
import { WebhookSettings } from './webhook-settings.tsx'

const about = (
  <>
    We send a signed event to this URL when a payment changes status. View the{' '}
    <RouterAnchor to="/settings/webhooks/deliveries">deliveries</RouterAnchor> or add{' '}
    <RouterAnchor to="/settings/webhooks">more endpoints</RouterAnchor>.
  </>
)

export function DeveloperPage() {
  const developer = useQuery(developerQuery)
  const mayManageKeys = useMay('keys')
  return (
    <>
      <PageHeading title="API keys" action={mayManageKeys && <NewOwnKeyButton />}>
        API keys let your programs act for the platform, within the permissions of the person who created them. Use one
        key per program, so you can revoke each separately.
      </PageHeading>
      {mayManageKeys && <ApiKeysSection />}
      <Section title="Webhooks" about={about}>
        <Loaded query={developer}>{(data) => <WebhookSettings developer={data} />}</Loaded>
      </Section>
      <SourceAddressesSection />
    </>
  )
}
