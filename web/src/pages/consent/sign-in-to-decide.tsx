import { Divider, Stack, Text, Title } from '@mantine/core'
import { focusHeading } from '../../layout/page-heading.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { SignInForm } from '../sign-in-form.tsx'
import { DenyButton } from './deny-button.tsx'

/** The choices of an owner who is not signed in: sign in here, sign up and come back, or deny. */
export function SignInToDecide({ uid }: { uid: string }) {
  const back = `/oauth/consent/${uid}`
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>Sign in to continue</Title>
        <Text c="dimmed" mt={4}>
          New to Remit?{' '}
          <RouterAnchor to="/sign-up" search={{ back }}>
            Sign up
          </RouterAnchor>
        </Text>
      </div>
      <SignInForm back={back} onSignedIn={focusHeading} />
      <Divider />
      <DenyButton uid={uid} />
    </Stack>
  )
}
