import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconUserPlus } from '@tabler/icons-react'
import type { Role, Team } from '../../answers.ts'
import { api } from '../../api.ts'
import { isGiven } from '../../form/form-rules.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { useFinish } from '../../shown/use-finish.ts'
import { RoleField } from './role-field.tsx'
import { invitationsQuery } from './team-query.ts'

export const InviteButton = ({ team, isMain = true }: { team: Team; isMain?: boolean }) => (
  <DialogButton
    label="Invite person"
    title="Invite a person"
    variant={isMain ? 'filled' : 'default'}
    leftSection={<IconUserPlus size={16} aria-hidden />}
  >
    {(close) => <InviteForm roles={team.roles} onInvited={close} />}
  </DialogButton>
)

function InviteForm({ roles, onInvited }: { roles: Team['roles']; onInvited: () => void }) {
  const finish = useFinish(invitationsQuery, onInvited)
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'viewer' },
    validate: { email: isGiven('Enter an email address.') },
  })
  return (
    <ServiceForm
      form={form}
      send={({ email, role }) => api.invite({ email: email.trim(), role })}
      onDone={(_, { email }) => finish(`Invitation sent to ${email.trim()}`)}
      submit="Send invitation"
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        description="We send a link that works for seven days and only for this address."
        required
        data-autofocus
        {...form.getInputProps('email')}
      />
      <RoleField roles={roles} {...form.getInputProps('role')} />
    </ServiceForm>
  )
}
