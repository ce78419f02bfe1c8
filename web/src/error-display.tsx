import { Alert, Button, Stack, Text } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { errorText } from './form/field-errors.ts'

/** Announced at once, and able to take the focus. */
export const ErrorAlert = ({ children }: { children: ReactNode }) => (
  <Alert color="red" role="alert" tabIndex={-1} icon={<IconAlertCircle aria-hidden />}>
    {children}
  </Alert>
)

/** In place of what could not be loaded. */
export const LoadFailure = ({ error, onRetry }: { error: unknown; onRetry: () => unknown }) => (
  <Stack align="flex-start" gap="sm">
    <ErrorAlert>
      <Text>{errorText(error)}</Text>
    </ErrorAlert>
    <Button variant="default" onClick={() => onRetry()}>
      Try again
    </Button>
  </Stack>
)
