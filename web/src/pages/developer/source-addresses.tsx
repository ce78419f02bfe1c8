import { Code, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { developerQuery } from './developer-query.ts'

export function SourceAddressesSection() {
  const developer = useQuery(developerQuery)
  return (
    <Section title="Source addresses" about="The IP addresses that send webhooks, for your firewall.">
      <Loaded query={developer}>{({ source_addresses }) => <SourceAddresses addresses={source_addresses} />}</Loaded>
    </Section>
  )
}

const SourceAddresses = ({ addresses }: { addresses: string[] }) =>
  addresses.length === 0 ? (
    <Text>Webhooks do not come from fixed IP addresses. Verify the signature of each webhook instead.</Text>
  ) : (
    <Group gap="xs">
      {addresses.map((address) => (
        <Code key={address}>{address}</Code>
      ))}
    </Group>
  )
