import { Stack, Text } from '@mantine/core'
import type { OpenedLink } from '../../api.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { useMay } from '../../permission.ts'
import { useServiceContext } from '../../service-context.ts'

type Props = { link: OpenedLink; onClaimed: () => Promise<unknown> }

/** Adds the payment to the account of a signed-in person, who can then deposit it into a saved bank account. */
export function ClaimButton({ link, onClaimed }: Props) {
  const { owner } = useServiceContext()
  const mayClaim = useMay('accounts')
  const claiming = useSending({ mutationFn: () => api.claimLinked(link), onSuccess: onClaimed })
  if (!owner || !mayClaim) return null
  return (
    <Stack gap="sm">
      {claiming.error && <ErrorAlert>{errorText(claiming.error)}</ErrorAlert>}
      <WorkingButton variant="default" working={claiming.isPending} onClick={() => claiming.mutate()} fullWidth>
        Use a saved account
      </WorkingButton>
      <Text c="dimmed" size="sm">
        You are signed in. The payment is added to {owner.platform}, where you choose the account.
      </Text>
    </Stack>
  )
}

/** Says that the payment was added to an account and must be deposited there. */
export function ClaimedNote() {
  const { owner } = useServiceContext()
  return (
    <Text role="status">
      This payment was added to an account.{' '}
      {owner ? (
        <RouterAnchor to="/payments" search={{ direction: 'INCOMING' }}>
          View your incoming payments
        </RouterAnchor>
      ) : (
        <RouterAnchor to="/sign-in" search={{ back: '/payments?direction=INCOMING' }}>
          Sign in to deposit it
        </RouterAnchor>
      )}
    </Text>
  )
}
