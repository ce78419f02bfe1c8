import { Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { Owner } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { focusHeading } from '../../layout/page-heading.tsx'
import classes from './consent-page.module.css'
import { DenyButton } from './deny-button.tsx'
import { leaveTo } from './leave-to.ts'

/** Shows the owner's account and the two possible answers. */
export function Decision({ uid, owner }: { uid: string; owner: Owner }) {
  const queryClient = useQueryClient()
  const authorizing = useSending({
    mutationFn: () => api.authorize(uid, owner.id),
    onSuccess: leaveTo,
    // If someone else has signed in since, the page shows the account that is now signed in.
    onError: () => queryClient.invalidateQueries(),
  })
  const signingOut = useSending({
    mutationFn: api.signOut,
    onSuccess: async () => {
      await queryClient.invalidateQueries()
      focusHeading()
    },
  })
  const error = authorizing.error ?? signingOut.error
  return (
    <Stack gap="lg">
      {error && <ErrorAlert>{errorText(error)}</ErrorAlert>}
      <section aria-label="Your account" className={classes.account}>
        <Text fw={600}>{owner.name}</Text>
        <Text c="dimmed">{owner.email}</Text>
        <Group gap={4} mt={6} align="center">
          <Text c="dimmed">Not you?</Text>
          <WorkingButton
            variant="subtle"
            size="compact-sm"
            working={signingOut.isPending}
            onClick={() => signingOut.mutate()}
          >
            Sign out
          </WorkingButton>
        </Group>
      </section>
      <Stack gap="sm">
        <WorkingButton size="md" working={authorizing.isPending} onClick={() => authorizing.mutate()}>
          Authorize
        </WorkingButton>
        <DenyButton uid={uid} />
      </Stack>
    </Stack>
  )
}
