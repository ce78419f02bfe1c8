import { Anchor, List, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ConsentDetails } from '../../answers.ts'
import { api } from '../../api.ts'
import { ConfirmationDialog } from '../../layout/confirmation-dialog.tsx'
import { EntryCard, EntryLayout } from '../../layout/entry-layout.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { scopeWords } from '../../scope-words.ts'
import { hasCode } from '../../service-error.ts'
import { hostOf } from '../../shown/host-of.ts'
import { Loaded } from '../../shown/loaded.tsx'
import classes from './consent-page.module.css'
import { Decision } from './decision.tsx'
import { SignInToDecide } from './sign-in-to-decide.tsx'

const route = getRouteApi('/oauth/consent/$uid')

/** The consent page: the owner authorizes an application or denies it. */
export function ConsentPage() {
  const { uid } = route.useParams()
  const consent = useQuery({ queryKey: ['consent', uid], queryFn: () => api.consent(uid) })
  if (hasCode(consent.error, 'authorization_expired')) {
    return (
      <EntryLayout>
        <EntryCard>
          <PageHeading title="This request has expired" />
          <Text>It may also have been answered already. Go back to the application and start again.</Text>
        </EntryCard>
      </EntryLayout>
    )
  }
  return (
    <EntryLayout>
      <EntryCard below={consent.data && <WhereItLeads redirectUri={consent.data.redirect_uri} />}>
        <Loaded query={consent}>
          {(details) => (
            <>
              <Request details={details} />
              {details.owner === null ? <SignInToDecide uid={uid} /> : <Decision uid={uid} owner={details.owner} />}
            </>
          )}
        </Loaded>
      </EntryCard>
      <ConfirmationDialog />
    </EntryLayout>
  )
}

function Request({ details: { application, scope } }: { details: ConsentDetails }) {
  const words = scopeWords[scope]
  return (
    <>
      <div>
        <PageHeading title={`${application.name} wants to access your account`} />
        <Text mt={6}>
          <Anchor href={application.site} rel="noopener noreferrer" target="_blank" underline="always" inherit>
            {hostOf(application.site)}
          </Anchor>{' '}
          <Text span c="dimmed" inherit>
            (opens in a new tab)
          </Text>
        </Text>
      </div>
      <section aria-label="Permissions" className={classes.scope}>
        <Text c="dimmed" size="xs" mb={8}>
          If you authorize it, it can:
        </Text>
        <List spacing={6}>
          {words.permissions.map(({ text }, index) => (
            <List.Item key={text} fw={index === 0 ? 600 : undefined}>
              {text}
            </List.Item>
          ))}
        </List>
        <Text c="dimmed" size="xs" mt={8}>
          {words.detail}
        </Text>
      </section>
    </>
  )
}

const WhereItLeads = ({ redirectUri }: { redirectUri: string }) => (
  <>
    Either way, you return to <strong>{hostOf(redirectUri)}</strong>
  </>
)
