import { Code, Group, Text } from '@mantine/core'

export const SourceAddresses = ({ addresses }: { addresses: string[] }) =>
  addresses.length === 0 ? (
    <Text>The addresses that webhooks come from are not fixed. Check the signature of each webhook instead.</Text>
  ) : (
    <Group gap="xs">
      {addresses.map((address) => (
        <Code key={address}>{address}</Code>
      ))}
    </Group>
  )
