import { Alert, Group, Stack, Text } from '@mantine/core'
import type { WebhookTest } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { outcomeWords } from '../webhooks/webhook-words.ts'
import classes from './developer.module.css'

/** Sends a test event to the saved URL and shows the response. */
export function WebhookTestButton() {
  const testing = useSending({ mutationFn: api.testWebhook })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <WorkingButton variant="default" working={testing.isPending} onClick={() => testing.mutate()}>
          Send test event
        </WorkingButton>
        <Text c="dimmed" size="xs">
          Sent to the saved URL
        </Text>
      </Group>
      {testing.error && <ErrorAlert>{errorText(testing.error)}</ErrorAlert>}
      <div role="status">{testing.data && <Result test={testing.data} />}</div>
    </Stack>
  )
}

const Result = ({ test }: { test: WebhookTest }) => (
  <Stack gap="sm">
    <Alert color={test.outcome === 'acknowledged' ? 'green' : 'red'} role="none">
      {outcomeWords({ ...test, status: test.http_status })}
    </Alert>
    <details>
      <summary>Request</summary>
      <pre className={classes.body}>{test.body}</pre>
    </details>
  </Stack>
)
