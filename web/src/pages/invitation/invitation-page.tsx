import { Alert, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ShownInvitation } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { EntryCard, EntryLayout } from '../../layout/entry-layout.tsx'
import { PageHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { roleWithArticle, roleWords } from '../../role-words.ts'
import { hasCode } from '../../service-error.ts'
import { Loaded } from '../../shown/loaded.tsx'
import { JoinAsNew } from './join-as-new.tsx'
import { JoinWithLogin } from './join-with-login.tsx'

const route = getRouteApi('/invitation/$token')

/** Reloads the app, because the person and the platform have changed. */
const enter = () => window.location.assign('/')

/** A person accepts an invitation: signed in, with the password of an existing login, or as a new person. */
export function InvitationPage() {
  const { token } = route.useParams()
  const invitation = useQuery({ queryKey: ['invitation', token], queryFn: () => api.readInvitation(token) })
  if (hasCode(invitation.error, 'invitation_not_found')) return <DeadInvitation />
  return (
    <EntryLayout>
      <EntryCard>
        <Loaded query={invitation}>{(data) => <Accept token={token} invitation={data} />}</Loaded>
      </EntryCard>
    </EntryLayout>
  )
}

const DeadInvitation = () => (
  <EntryLayout>
    <EntryCard>
      <PageHeading title="This invitation doesn’t work anymore" />
      <Text>
        It was used or revoked, or it has expired. Ask the person who invited you for a new one. If you’ve joined
        already, <RouterAnchor to="/sign-in">sign in</RouterAnchor>.
      </Text>
    </EntryCard>
  </EntryLayout>
)

type Props = { token: string; invitation: ShownInvitation }

function Accept({ token, invitation }: Props) {
  const { platform, invited_by, role, email, has_login, signed_in_as } = invitation
  return (
    <>
      <PageHeading title={`Join ${platform}`}>
        {invited_by} invited you as <strong>{roleWithArticle(role)}</strong>. {roleWords[role].summary}
      </PageHeading>
      {signed_in_as === email && <JoinSignedIn token={token} invitation={invitation} />}
      {signed_in_as !== null && signed_in_as !== email && <SignedInAsAnother invitation={invitation} />}
      {signed_in_as === null && has_login && <JoinWithLogin token={token} email={email} onJoined={enter} />}
      {signed_in_as === null && !has_login && <JoinAsNew token={token} email={email} onJoined={enter} />}
    </>
  )
}

function JoinSignedIn({ token, invitation: { platform, email } }: Props) {
  const joining = useSending({ mutationFn: () => api.acceptInvitation({ token }), onSuccess: enter })
  return (
    <Stack gap="md">
      {joining.error && <ErrorAlert>{errorText(joining.error)}</ErrorAlert>}
      <Text>
        You’re signed in as <strong>{email}</strong>. You keep access to your other platforms and can switch in the menu
        at the top.
      </Text>
      <WorkingButton fullWidth size="md" working={joining.isPending} onClick={() => joining.mutate()}>
        Join {platform}
      </WorkingButton>
    </Stack>
  )
}

function SignedInAsAnother({ invitation: { email, signed_in_as } }: { invitation: ShownInvitation }) {
  const leaving = useSending({ mutationFn: api.signOut, onSuccess: () => window.location.reload() })
  return (
    <Stack gap="md">
      {leaving.error && <ErrorAlert>{errorText(leaving.error)}</ErrorAlert>}
      <Alert color="petrol">
        This invitation is for <strong>{email}</strong>. You’re signed in as <strong>{signed_in_as}</strong>.
      </Alert>
      <WorkingButton fullWidth size="md" working={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out and continue
      </WorkingButton>
    </Stack>
  )
}
