import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { AuditEntry } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { Section } from '../../layout/section.tsx'
import { deviceName } from '../../shown/device-name.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from './audit-page.module.css'
import { actionWords, actorWords } from './audit-words.ts'

/** What was done with the login and its keys, newest first. */
export function AuditPage() {
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => api.audit(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <PageHeading title="Audit trail">What was done with your login, your keys and your applications.</PageHeading>
      <Section title="Entries">
        <Loaded query={audit}>
          {({ pages }) => (
            <RecordsTable
              caption="Audit trail"
              columns={columns}
              rows={pages.flatMap((page) => page.audit)}
              empty="Nothing was recorded yet."
            />
          )}
        </Loaded>
        {audit.isFetchNextPageError && <ErrorAlert>{errorText(audit.error)}</ErrorAlert>}
        {audit.hasNextPage && (
          <WorkingButton variant="default" working={audit.isFetchingNextPage} onClick={() => audit.fetchNextPage()}>
            Load more
          </WorkingButton>
        )}
      </Section>
    </>
  )
}

const columns: Column<AuditEntry>[] = [
  { head: 'When', cell: ({ date }) => <Moment utc={date} /> },
  { head: 'What', cell: (entry) => <What entry={entry} /> },
  { head: 'By', cell: (entry) => <By entry={entry} /> },
  { head: 'From', cell: (entry) => <From entry={entry} /> },
]

const What = ({ entry: { action, subject } }: { entry: AuditEntry }) => (
  <div>
    <Text fw={600}>{actionWords(action)}</Text>
    {subject !== null && <code className={classes.id}>{subject}</code>}
  </div>
)

const By = ({ entry }: { entry: AuditEntry }) => (
  <div>
    <Text>{actorWords(entry)}</Text>
    {entry.actor !== 'owner' && entry.actor_id !== null && <code className={classes.id}>{entry.actor_id}</code>}
  </div>
)

const From = ({ entry: { address, user_agent } }: { entry: AuditEntry }) => (
  <div>
    <Text>{address ?? 'Unknown'}</Text>
    {user_agent !== null && (
      <Text c="dimmed" size="xs">
        {deviceName(user_agent)}
      </Text>
    )}
  </div>
)
