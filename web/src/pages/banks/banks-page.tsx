import { Badge, Text } from '@mantine/core'
import { IconBuildingBank } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { BankConnection } from '../../answers.ts'
import { api } from '../../api.ts'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { Empty } from '../../shown/empty.tsx'
import { Fact, Facts } from '../../shown/facts.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { conditionWords, transportWords } from './bank-words.ts'
import { CasesSection } from './cases-section.tsx'
import { FilesTable } from './files-table.tsx'

const REFRESH_MS = 15_000

/** The connections of the installation with its banks. Only operators see it. */
export function BanksPage() {
  const connections = useQuery({
    queryKey: ['bank-connections'],
    queryFn: api.bankConnections,
    refetchInterval: ({ state }) => (state.data === undefined ? false : REFRESH_MS),
  })
  return (
    <>
      <PageHeading title="Banks">
        Files to and from the banks of this installation, for all platforms. Decisions are made with commands.
      </PageHeading>
      <Loaded query={connections}>
        {(all) =>
          all.length === 0 ? (
            <Empty title="No bank is connected" icon={IconBuildingBank}>
              <Text c="dimmed">Rails are simulated here. In production, connections.json names the banks.</Text>
            </Empty>
          ) : (
            all.map((connection) => <ConnectionSection key={connection.id} connection={connection} />)
          )
        }
      </Loaded>
    </>
  )
}

const ConnectionSection = ({ connection }: { connection: BankConnection }) => (
  <Section title={connection.id} action={<ConditionBadge condition={connection.condition} />}>
    {connection.problem !== null && <Text c="red">{connection.problem}</Text>}
    <Facts>
      <Fact label={transportWords[connection.transport]} isCode>
        {connection.place}
      </Fact>
      <Fact label="Rails">{connection.rails.join(', ') || 'None'}</Fact>
      <Fact label={connection.transport === 'folder' ? 'Last file sent or received' : 'Last contact'}>
        {connection.contacted_at === null ? 'None' : <Moment utc={connection.contacted_at} />}
      </Fact>
      {connection.next_try_at !== null && (
        <Fact label="Next try">
          <Moment utc={connection.next_try_at} />
        </Fact>
      )}
      {connection.next_cut_off !== null && (
        <Fact label="Next cut-off">
          <Moment utc={connection.next_cut_off} />
        </Fact>
      )}
    </Facts>
    <FilesTable connection={connection} />
    <CasesSection connection={connection} />
  </Section>
)

const ConditionBadge = ({ condition }: { condition: BankConnection['condition'] }) => (
  <Badge color={conditionWords[condition].color} variant="light" radius="sm" tt="none" fw={600} miw="max-content">
    {conditionWords[condition].text}
  </Badge>
)
