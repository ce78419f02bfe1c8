import { Anchor, Button, Group, Text } from '@mantine/core'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { useServiceContext } from '../service-context.ts'
import { notify } from '../shown/notify.ts'

/**
 * Says where the code was sent. In an environment that keeps its mail, links to it in a new tab, because this page
 * must stay open.
 */
export function CodeSentNote({ email }: { email: string }) {
  const { shows_mail } = useServiceContext()
  return (
    <Text>
      We sent a code to <strong>{email}</strong>.
      {shows_mail && (
        <>
          {' '}
          <Anchor href="/mail" target="_blank" underline="always" inherit>
            View the email
          </Anchor>{' '}
          (opens in a new tab)
        </>
      )}
    </Text>
  )
}

type Props = { sendAgain: () => Promise<unknown>; onOtherEmail: () => void }

/** Other options when the code does not arrive. */
export function NoCodeHelp({ sendAgain, onOtherEmail }: Props) {
  const sending = useSending({ mutationFn: sendAgain, onSuccess: () => notify('New code sent') })
  return (
    <>
      <Group gap="xs" ml={-8}>
        <WorkingButton variant="subtle" size="compact-sm" working={sending.isPending} onClick={() => sending.mutate()}>
          Send a new code
        </WorkingButton>
        <Button variant="subtle" size="compact-sm" onClick={onOtherEmail}>
          Use a different email
        </Button>
      </Group>
      <Text c="var(--mantine-color-error)" role="status">
        {sending.error && errorText(sending.error)}
      </Text>
    </>
  )
}
