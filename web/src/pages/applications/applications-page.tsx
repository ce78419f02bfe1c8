import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { Loaded } from '../../shown/loaded.tsx'
import { ApplicationDetails } from './application-details.tsx'
import { applicationsQuery } from './applications-query.ts'
import { NewApplicationButton } from './new-application-button.tsx'

/** The OAuth clients that the owner registered. */
export function ApplicationsPage() {
  const applications = useQuery(applicationsQuery)
  return (
    <>
      <PageHeading title="Applications" action={<NewApplicationButton />}>
        Your OAuth applications. Each one acts for the people who authorize it.
      </PageHeading>
      <Loaded query={applications}>
        {(list) =>
          list.length === 0 ? (
            <Section title="No applications yet">
              <Text c="dimmed">
                Create an application to get the client ID and secret that it needs to ask people for access.
              </Text>
            </Section>
          ) : (
            list.map((application) => <ApplicationDetails key={application.id} application={application} />)
          )
        }
      </Loaded>
    </>
  )
}
