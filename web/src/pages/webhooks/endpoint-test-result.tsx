import { Alert, Stack } from '@mantine/core'
import type { EndpointTest } from '../../answers.ts'
import { ResponseBody } from './response-body.tsx'
import { outcomeWords } from './webhook-words.ts'
import classes from './webhooks.module.css'

export const EndpointTestResult = ({ test }: { test: EndpointTest }) => (
  <Stack gap="sm">
    <Alert color={test.outcome === 'acknowledged' ? 'green' : 'red'} role="none">
      {outcomeWords(test)}
    </Alert>
    <details>
      <summary>Request</summary>
      <pre className={classes.code}>{test.body}</pre>
    </details>
    {test.status !== null && (
      <details>
        <summary>Your server’s response</summary>
        <ResponseBody body={test.response_body} />
      </details>
    )}
  </Stack>
)
