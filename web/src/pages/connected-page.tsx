import { Anchor, Paper, Text } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { Grant } from '../answers.ts'
import { api } from '../api.ts'
import { PageHeading } from '../layout/page-heading.tsx'
import sectionClasses from '../layout/section.module.css'
import { Section } from '../layout/section.tsx'
import { scopeWords } from '../scope-words.ts'
import { Empty } from '../shown/empty.tsx'
import { Fact, Facts } from '../shown/facts.tsx'
import { hostOf } from '../shown/host-of.ts'
import { Loaded } from '../shown/loaded.tsx'
import { Moment } from '../shown/moment.tsx'
import { notify } from '../shown/notify.ts'
import { QuestionButton } from '../shown/question-button.tsx'

const GRANTS = ['grants']

/** The applications that can act for the owner. */
export function ConnectedPage() {
  const grants = useQuery({ queryKey: GRANTS, queryFn: api.grants })
  return (
    <>
      <PageHeading title="Connected applications">
        Applications that can act for you. Disconnect any that you no longer use.
      </PageHeading>
      <Loaded query={grants}>
        {(list) =>
          list.length === 0 ? (
            <Paper className={sectionClasses.section}>
              <Empty title="No connected applications" icon={IconLink}>
                <Text c="dimmed">Applications that you authorize appear here.</Text>
              </Empty>
            </Paper>
          ) : (
            list.map((grant) => <Connected key={grant.id} grant={grant} />)
          )
        }
      </Loaded>
    </>
  )
}

const Connected = ({ grant: { id, application, scope, date, last_used } }: { grant: Grant }) => (
  <Section
    title={application.name}
    about={
      <Anchor href={application.site} rel="noopener noreferrer" underline="always" inherit>
        {hostOf(application.site)}
      </Anchor>
    }
    action={<DisconnectButton id={id} name={application.name} />}
  >
    <Facts>
      <Fact label="Access">{scopeWords[scope].granted}</Fact>
      <Fact label="Since">
        <Moment utc={date} />
      </Fact>
      <Fact label="Last used">{last_used === null ? 'Never' : <Moment utc={last_used} />}</Fact>
    </Facts>
  </Section>
)

function DisconnectButton({ id, name }: { id: string; name: string }) {
  const queryClient = useQueryClient()
  const disconnect = async () => {
    await api.revokeGrant(id)
    await queryClient.invalidateQueries({ queryKey: GRANTS })
    notify(`${name} disconnected`)
  }
  return (
    <QuestionButton
      label="Disconnect"
      name={`Disconnect ${name}`}
      title={`Disconnect ${name}?`}
      confirm="Disconnect"
      onConfirm={disconnect}
      button={{ size: 'sm' }}
    >
      <Text>It loses access to your account right away. Payments that it already sent are not affected.</Text>
    </QuestionButton>
  )
}
