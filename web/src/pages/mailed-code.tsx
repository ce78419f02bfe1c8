import { Anchor, Button, Group, Text } from '@mantine/core'
import { errorText } from '../form/field-errors.ts'
import { useSending } from '../form/use-sending.ts'
import { WorkingButton } from '../form/working-button.tsx'
import { useServiceContext } from '../service-context.ts'
import { notify } from '../shown/notify.ts'

/** Where the code went and, in an environment that keeps its mail, where to read it. The page must stay open meanwhile. */
export function CodeWasSent({ email }: { email: string }) {
  const { shows_mail } = useServiceContext()
  return (
    <Text>
      We sent a code to <strong>{email}</strong>.
      {shows_mail && (
        <>
          {' '}
          <Anchor href="/mail" target="_blank" underline="always" inherit>
            Read the mail that was sent
          </Anchor>{' '}
          (opens in a new tab)
        </>
      )}
    </Text>
  )
}

type Props = { sendAgain: () => Promise<unknown>; onOtherEmail: () => void }

/** What else can be done while the code has not come. */
export function NoCodeCame({ sendAgain, onOtherEmail }: Props) {
  const sending = useSending({ mutationFn: sendAgain, onSuccess: () => notify('A new code is on its way.') })
  return (
    <>
      <Group gap="xs">
        <WorkingButton variant="subtle" size="compact-sm" working={sending.isPending} onClick={() => sending.mutate()}>
          Send a new code
        </WorkingButton>
        <Button variant="subtle" size="compact-sm" onClick={onOtherEmail}>
          Use another email
        </Button>
      </Group>
      <Text c="var(--mantine-color-error)" role="status">
        {sending.error && errorText(sending.error)}
      </Text>
    </>
  )
}
