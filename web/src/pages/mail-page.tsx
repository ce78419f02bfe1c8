import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Mail } from '../answers.ts'
import { api } from '../api.ts'
import { BackLink } from '../layout/back-link.tsx'
import { EntryLayout } from '../layout/entry-layout.tsx'
import { PageHeading } from '../layout/page-heading.tsx'
import { RealTimeNote } from '../layout/real-time-note.tsx'
import { RouterAnchor } from '../layout/router-anchor.tsx'
import { useServiceContext } from '../service-context.ts'
import { CopyButton } from '../shown/copy-button.tsx'
import { Loaded } from '../shown/loaded.tsx'
import { Moment } from '../shown/moment.tsx'
import { NoPage } from './failure-pages.tsx'
import classes from './mail-page.module.css'

const REFRESH_MS = 1_000

/** The emails that the service kept instead of sending them, newest first. */
export function MailPage() {
  const { shows_mail, owner } = useServiceContext()
  const mails = useQuery({
    queryKey: ['mails'],
    queryFn: api.mails,
    refetchInterval: ({ state }) => (state.data === undefined ? false : REFRESH_MS),
    enabled: shows_mail,
  })
  if (!shows_mail) return <NoPage />
  return (
    <EntryLayout>
      <Stack gap="xl" className={classes.column}>
        {owner !== null && (
          <BackLink>
            <RouterAnchor to="/">Home</RouterAnchor>
          </BackLink>
        )}
        <PageHeading title="Mail">
          This environment does not send email. Messages appear here instead, newest first.
          <RealTimeNote />
        </PageHeading>
        <Loaded query={mails}>
          {(list) =>
            list.length === 0 ? (
              <Text c="dimmed">No messages yet. New ones appear here automatically.</Text>
            ) : (
              list.map((mail) => <Message key={mail.id} mail={mail} />)
            )
          }
        </Loaded>
      </Stack>
    </EntryLayout>
  )
}

function Message({ mail }: { mail: Mail }) {
  const code = /\b\d{6}\b/.exec(mail.text)?.[0]
  const link = mail.text
    .split('\n')
    .find((line) => line.startsWith(`${window.location.origin}/`) && !line.includes('/unsubscribe/'))
  return (
    <Paper component="article" className={classes.message}>
      <Group justify="space-between" align="flex-start" gap="md">
        <div className={classes.words}>
          <Title order={2}>{mail.subject}</Title>
          <Text c="dimmed" size="xs" mt={2}>
            To {mail.to} · <Moment utc={mail.date} />
          </Text>
        </div>
        {code !== undefined && (
          <Group gap="sm" wrap="nowrap">
            <code className={classes.code}>{code}</code>
            <CopyButton text={code} what={`code for ${mail.to}`} />
          </Group>
        )}
        {link !== undefined && (
          <Button component="a" href={link} variant="default" size="xs">
            Open link
          </Button>
        )}
      </Group>
      <Text className={classes.text}>{mail.text}</Text>
    </Paper>
  )
}
