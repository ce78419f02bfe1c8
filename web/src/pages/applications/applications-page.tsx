import { Paper, Text } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { PageHeading } from '../../layout/page-heading.tsx'
import classes from '../../layout/section.module.css'
import { Empty } from '../../shown/empty.tsx'
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
            <Paper className={classes.section}>
              <Empty title="No applications yet" icon={IconApps}>
                <Text c="dimmed">
                  Create an application to get the client ID and secret that it needs to ask people for access.
                </Text>
              </Empty>
            </Paper>
          ) : (
            list.map((application) => <ApplicationDetails key={application.id} application={application} />)
          )
        }
      </Loaded>
    </>
  )
}
