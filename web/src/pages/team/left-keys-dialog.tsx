import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { LeftKeys } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { notify } from '../../shown/notify.ts'
import { keyName } from './key-name.ts'

/** After a removal: the API keys that the member created, to revoke them. */
export function LeftKeysDialog({ left, onClose }: { left: LeftKeys | null; onClose: () => void }) {
  const queryClient = useQueryClient()
  const revoking = useSending({
    mutationFn: async () => {
      for (const { id } of left?.keys ?? []) await api.revokeApiKey(id)
    },
    onSuccess: async () => {
      onClose()
      notify('API keys revoked')
      await queryClient.invalidateQueries({ queryKey: ['api-keys'] })
    },
  })
  return (
    <Modal opened={left !== null} onClose={onClose} title="Revoke API keys?">
      <Stack gap="md">
        {revoking.error && <ErrorAlert>{errorText(revoking.error)}</ErrorAlert>}
        <Text>
          {left?.name} created these API keys. They no longer work. Revoke them, so that they can’t work again if{' '}
          {left?.name} rejoins.
        </Text>
        <List size="sm">
          {left?.keys.map((key) => (
            <List.Item key={key.id}>{keyName(key)}</List.Item>
          ))}
        </List>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep for now
          </Button>
          <WorkingButton color="red" working={revoking.isPending} onClick={() => revoking.mutate()}>
            Revoke keys
          </WorkingButton>
        </Group>
      </Stack>
    </Modal>
  )
}
