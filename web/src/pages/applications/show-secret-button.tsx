import { Button, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Application } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { ShownValue } from '../../shown/shown-value.tsx'

/** Shows the client secret again. The secret of an older application was not stored, so an explanation is shown instead. */
export function ShowSecretButton({ application }: { application: Application }) {
  const [secret, setSecret] = useState<string | null>(null)
  const showing = useSending({
    mutationFn: () => api.showSecret(application.id),
    onSuccess: (shown) => setSecret(shown.secret),
  })
  if (!application.is_secret_kept) {
    return (
      <Text c="dimmed">
        This client secret can’t be shown because only its hash is stored. Rotate it to get a new one.
      </Text>
    )
  }
  return (
    <Stack gap="sm" align="flex-start">
      {showing.error && <ErrorAlert>{errorText(showing.error)}</ErrorAlert>}
      <Button
        variant="default"
        size="xs"
        aria-label={`Show secret of ${application.name}`}
        loading={showing.isPending}
        onClick={() => showing.mutate()}
      >
        Show secret
      </Button>
      <Modal opened={secret !== null} onClose={() => setSecret(null)} title={application.name} size="lg">
        <Stack gap="md">
          <ShownValue label="Client ID" what="client ID" value={application.id} />
          <ShownValue label="Client secret" what="client secret" value={secret ?? ''} />
        </Stack>
      </Modal>
    </Stack>
  )
}
