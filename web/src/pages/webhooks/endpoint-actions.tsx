import { Group, Stack } from '@mantine/core'
import type { Endpoint } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { DeleteEndpointButton } from './delete-endpoint-button.tsx'
import { EditEndpointButton } from './edit-endpoint-button.tsx'
import { EndpointSwitch } from './endpoint-switch.tsx'
import { EndpointTestResult } from './endpoint-test-result.tsx'
import { nameOf } from './webhook-words.ts'
import classes from './webhooks.module.css'

/** The actions for an endpoint, and the result of its test. */
export function EndpointActions({ endpoint }: { endpoint: Endpoint }) {
  const { id, url } = endpoint
  const testing = useSending({ mutationFn: async () => ({ url, ...(await api.testEndpoint(id)) }) })
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <WorkingButton
          variant="default"
          size="xs"
          aria-label={`Send test event to ${nameOf(endpoint)}`}
          working={testing.isPending}
          onClick={() => testing.mutate()}
        >
          Send test event
        </WorkingButton>
        <EditEndpointButton endpoint={endpoint} />
        <EndpointSwitch endpoint={endpoint} />
        <DeleteEndpointButton endpoint={endpoint} />
      </Group>
      {testing.error && <ErrorAlert>{errorText(testing.error)}</ErrorAlert>}
      <div role="status" className={classes.result}>
        {testing.data?.url === url && <EndpointTestResult test={testing.data} />}
      </div>
    </Stack>
  )
}
