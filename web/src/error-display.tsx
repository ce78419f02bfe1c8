import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorText } from './form/field-errors.ts'
import { ServiceError } from './service-error.ts'

/** An error that screen readers announce at once and that can take the focus. */
export const ErrorAlert = ({ children }: { children: ReactNode }) => (
  <Alert color="red" role="alert" tabIndex={-1} icon={<IconAlertCircle aria-hidden />}>
    {children}
  </Alert>
)

/** Replaces content that could not be loaded. Offers a second try, unless the content does not exist. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Stack align="flex-start" gap="sm">
    <ErrorAlert>
      <Text>{errorText(error)}</Text>
      <RequestId error={error} />
    </ErrorAlert>
    {!isMissing(error) && (
      <Button variant="default" onClick={() => onRetry()}>
        Try again
      </Button>
    )}
  </Stack>
)

const isMissing = (error: unknown): boolean => error instanceof ServiceError && error.status === 404

/** Shows the id of the failed request, so that the operator of the service can find it in the log. */
const RequestId = ({ error }: { error: unknown }) =>
  error instanceof ServiceError && error.requestId !== null ? (
    <Text size="xs" mt={4}>
      Request <code>{error.requestId}</code>
    </Text>
  ) : null
