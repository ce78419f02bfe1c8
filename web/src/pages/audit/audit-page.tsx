import { Text } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AuditEntry } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RealTimeNote } from '../../layout/real-time-note.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { Section } from '../../layout/section.tsx'
import { deviceName } from '../../shown/device-name.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { Moment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import classes from './audit-page.module.css'
import { actionWords, actorWords } from './audit-words.ts'

/** Activity on the login and its keys, newest first. */
export function AuditPage() {
  const audit = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) => api.audit(pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
  return (
    <>
      <PageHeading title="Audit trail">
        Recent activity on your login, API keys, payments and settings.
        <RealTimeNote />
      </PageHeading>
      <Section title="Entries">
        <Loaded query={audit}>
          {({ pages }) => (
            <RecordsTable
              caption="Audit trail"
              columns={columns}
              rows={pages.flatMap(({ audit, names }) => audit.map((entry) => ({ ...entry, names })))}
              empty="No activity yet."
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

type Entry = AuditEntry & { names: Record<string, string> }

/** Replaces ids in a text with names. The tooltip keeps the ids. */
const Named = ({ text, names }: { text: string; names: Record<string, string> }) => {
  const named = text.replaceAll(/\b[0-9a-f]{32}\b/g, (id) => names[id] ?? id)
  return named === text ? (
    <code className={classes.id}>{text}</code>
  ) : (
    <Text c="dimmed" size="xs" title={text}>
      {named}
    </Text>
  )
}

const columns: Column<Entry>[] = [
  { head: 'When', onPhone: 'end', cell: ({ date }) => <When date={date} /> },
  { head: 'What', onPhone: 'main', cell: (entry) => <What entry={entry} /> },
  { head: 'By', onPhone: 'line', cell: (entry) => <By entry={entry} /> },
  { head: 'From', onPhone: 'line', cell: (entry) => <From entry={entry} /> },
]

const When = ({ date }: { date: string }) => (
  <span className={classes.when}>
    <Moment utc={date} />
  </span>
)

const What = ({ entry: { action, subject, names } }: { entry: Entry }) => (
  <div>
    <Text fw={600}>
      <SubjectLink action={action} subject={subject}>
        {actionWords(action)}
      </SubjectLink>
    </Text>
    {subject !== null && (momentOf(subject) ?? <Named text={subject} names={names} />)}
  </div>
)

/** Links an entry to its payment, invoice or recurring payment, whose id is at the beginning of the subject. */
function SubjectLink({ action, subject, children }: { action: string; subject: string | null; children: ReactNode }) {
  const id = /^[0-9a-f]{32}\b/.exec(subject ?? '')?.[0]
  if (id === undefined) return children
  const link = { params: { id }, children }
  if (action.startsWith('payment_')) return <RouterAnchor to="/payments/$id" {...link} />
  if (action.startsWith('invoice_')) return <RouterAnchor to="/invoices/$id" {...link} />
  if (action.startsWith('subscription_')) return <RouterAnchor to="/recurring/$id" {...link} />
  return children
}

/** Formats the subject of an entry about an advanced clock: the new time. */
const momentOf = (subject: string) =>
  /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(subject) ? (
    <Text c="dimmed" size="xs">
      <Moment utc={subject} />
    </Text>
  ) : null

const By = ({ entry }: { entry: Entry }) => (
  <div className={classes.pair}>
    {!isNamedAfterKind(entry) && <Text>{actorWords(entry)}</Text>}
    {entry.actor_id !== null && (entry.actor !== 'owner' || entry.actor_id in entry.names) && (
      <Named text={entry.actor_id} names={entry.names} />
    )}
  </div>
)

/** Returns whether the name of a key begins with "API key", as for keys that were created without a name. */
const isNamedAfterKind = ({ actor, actor_id, names }: Entry) =>
  actor === 'api_key' && (names[actor_id ?? '']?.startsWith('API key') ?? false)

const From = ({ entry: { address, user_agent } }: { entry: AuditEntry }) => (
  <div className={classes.pair}>
    <Text>{address ?? 'Unknown'}</Text>
    {user_agent !== null && (
      <Text c="dimmed" size="xs">
        {deviceName(user_agent)}
      </Text>
    )}
  </div>
)
