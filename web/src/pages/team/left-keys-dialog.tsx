import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { LeftKeys } from '../../answers.ts'
import { api } from '../../api.ts'
import { ErrorAlert } from '../../error-display.tsx'
import { errorText } from '../../form/field-errors.ts'
import { useSending } from '../../form/use-sending.ts'
import { WorkingButton } from '../../form/working-button.tsx'
import { notify } from '../../shown/notify.ts'
import { apiKeysQuery } from '../developer/developer-query.ts'
import { keyName } from './key-name.ts'

type LeftKey = LeftKeys['keys'][number]

/** Shown after a member was removed: lists the API keys that the member created, so that they can be revoked. */
export function LeftKeysDialog({ left, onClose }: { left: LeftKeys | null; onClose: () => void }) {
  const queryClient = useQueryClient()
  const revoking = useSending({
    mutationFn: async (keys: LeftKey[]) => {
      for (const key of keys) await (key.user ? api.revokeApiKeyOfUser(key.user.id, key.id) : api.revokeApiKey(key.id))
    },
    onSuccess: async () => {
      onClose()
      notify('API keys revoked')
      await queryClient.invalidateQueries(apiKeysQuery)
    },
  })
  const [own, ofUsers] = [false, true].map((isOfUser) => left?.keys.filter(({ user }) => (user !== null) === isOfUser))
  return (
    <Modal opened={left !== null} onClose={onClose} title="Revoke API keys?">
      <Stack gap="md">
        {revoking.error && <ErrorAlert>{errorText(revoking.error)}</ErrorAlert>}
        {own && own.length > 0 && (
          <KeyList keys={own}>
            {left?.name} created these API keys. They no longer work. Revoke them, so that they can’t work again if{' '}
            {left?.name} rejoins.
          </KeyList>
        )}
        {ofUsers && ofUsers.length > 0 && (
          <KeyList keys={ofUsers}>
            {left?.name} also created these API keys for your users and has seen their secrets. They still work. Give a
            user another key before you revoke one that its programs use.
          </KeyList>
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Keep for now
          </Button>
          {ofUsers && ofUsers.length > 0 && (
            <WorkingButton
              color="red"
              variant="light"
              working={revoking.isPending}
              onClick={() => revoking.mutate(left?.keys ?? [])}
            >
              Revoke all
            </WorkingButton>
          )}
          {own && own.length > 0 && (
            <WorkingButton color="red" working={revoking.isPending} onClick={() => revoking.mutate(own)}>
              Revoke keys
            </WorkingButton>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}

const KeyList = ({ keys, children }: { keys: LeftKey[]; children: ReactNode }) => (
  <div>
    <Text>{children}</Text>
    <List size="sm" mt={6}>
      {keys.map((key) => (
        <List.Item key={key.id}>{key.user ? `${keyName(key)} of ${key.user.name}` : keyName(key)}</List.Item>
      ))}
    </List>
  </div>
)
