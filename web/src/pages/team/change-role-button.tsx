import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import type { Role, Team, TeamMember } from '../../answers.ts'
import { api } from '../../api.ts'
import { ServiceForm } from '../../form/service-form.tsx'
import { roleWithArticle } from '../../role-words.ts'
import { contextQuery } from '../../service-context.ts'
import { DialogButton } from '../../shown/dialog-button.tsx'
import { notify } from '../../shown/notify.ts'
import { RoleField } from './role-field.tsx'
import { teamQuery } from './team-query.ts'

type Props = { member: TeamMember; team: Team }

export const ChangeRoleButton = ({ member, team }: Props) => (
  <DialogButton label="Change role" name={`Change role of ${member.name}`} title={`Role of ${member.name}`} size="xs">
    {(close) => <RoleForm member={member} team={team} onChanged={close} />}
  </DialogButton>
)

function RoleForm({ member, team, onChanged }: Props & { onChanged: () => void }) {
  const queryClient = useQueryClient()
  const form = useForm<{ role: Role }>({ initialValues: { role: member.role } })
  const onDone = async (_: unknown, { role }: { role: Role }) => {
    await queryClient.invalidateQueries(teamQuery)
    if (member.is_this) await queryClient.invalidateQueries(contextQuery)
    onChanged()
    notify(`${member.name} is ${roleWithArticle(role)} now`)
  }
  return (
    <ServiceForm form={form} send={({ role }) => api.changeRole(member.id, role)} onDone={onDone} submit="Save">
      <RoleField roles={team.roles} {...form.getInputProps('role')} />
    </ServiceForm>
  )
}
