import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { NewUser } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { RouterAnchor } from '../../layout/router-anchor.tsx'
import { CreateButton, CreateDialog, type DialogProps } from '../../shown/create-button.tsx'
import { ShownOnce } from '../../shown/shown-once.tsx'
import { ShownValue } from '../../shown/shown-value.tsx'
import { refreshUsers } from './user-queries.ts'

/** Creates a user, then shows its API key once. */
export const CreateUserButton = () => <CreateButton label="Create user" {...useUserCreation()} />

export const CreateUserDialog = (dialog: DialogProps) => <CreateDialog {...useUserCreation()} {...dialog} />

function useUserCreation() {
  const queryClient = useQueryClient()
  return {
    title: (created: NewUser | null) => (created === null ? 'Create a user' : 'User created'),
    form: (onCreated: (created: NewUser) => Promise<void>) => <UserForm onCreated={onCreated} />,
    result: (created: NewUser, close: () => void) => <UserSecrets created={created} onDone={close} />,
    refresh: () => refreshUsers(queryClient),
  }
}

const rules = { name: isGiven('Enter the name of the user.'), user_id: isGiven('Enter an ID for the user.') }

function UserForm({ onCreated }: { onCreated: (created: NewUser) => Promise<void> }) {
  const form = useForm({ initialValues: { name: '', user_id: '' }, validate: rules })
  return (
    <ServiceForm
      form={form}
      send={({ name, user_id }) => api.createUser({ name: name.trim(), user_id: user_id.trim() })}
      onDone={onCreated}
      submit="Create user"
    >
      <TextInput
        label="Name"
        description="The person or the company, as payees see it"
        autoComplete="off"
        data-autofocus
        {...form.getInputProps('name')}
      />
      <TextInput
        label="User ID"
        description="Your own ID for the user, such as customer-42"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps('user_id')}
      />
    </ServiceForm>
  )
}

const UserSecrets = ({ created, onDone }: { created: NewUser; onDone: () => void }) => (
  <Stack gap="md">
    <ShownOnce>Copy the secret now. You won’t be able to see it again.</ShownOnce>
    <ShownValue label="Key" what="key" value={created.key} />
    <ShownValue label="Secret" what="secret" value={created.secret} />
    <Group justify="space-between">
      <RouterAnchor to="/users/$id" params={{ id: created.id }}>
        Open {created.user_id}
      </RouterAnchor>
      <Button onClick={onDone}>Done</Button>
    </Group>
  </Stack>
)
