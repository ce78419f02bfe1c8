import { Badge, Group, Text } from '@mantine/core'
import type { LeftKeys, Team, TeamMember } from '../../answers.ts'
import { roleWords } from '../../role-words.ts'
import { Moment } from '../../shown/moment.tsx'
import { type Column, RecordsTable } from '../../shown/records-table.tsx'
import { ChangeRoleButton } from './change-role-button.tsx'
import { RemoveMemberButton } from './remove-member-button.tsx'
import classes from './team.module.css'

type Props = { team: Team; onRemoved: (left: LeftKeys) => void }

export const MembersTable = ({ team, onRemoved }: Props) => (
  <div className={classes.members}>
    <RecordsTable caption="Members" columns={columnsOf({ team, onRemoved })} rows={team.members} empty="No members." />
  </div>
)

const columnsOf = ({ team, onRemoved }: Props): Column<TeamMember>[] => [
  { head: 'Person', cell: (member) => <Person member={member} /> },
  { head: 'Role', cell: (member) => <RoleOf member={member} /> },
  { head: 'Last seen', cell: ({ last_seen }) => (last_seen ? <Moment utc={last_seen} /> : 'Not signed in') },
  {
    head: 'Actions',
    isAction: true,
    cell: (member) =>
      member.may_manage &&
      !isLastOwner(team, member) && (
        <div className={classes.actions}>
          <ChangeRoleButton member={member} team={team} />
          {!member.is_this && <RemoveMemberButton member={member} onRemoved={onRemoved} />}
        </div>
      ),
  },
]

const RoleOf = ({ member: { role, has_two_factor } }: { member: TeamMember }) => (
  <div className={classes.roleCell}>
    <Text>{roleWords[role].name}</Text>
    <Text c="dimmed" size="xs">
      {has_two_factor ? 'Two-factor on' : 'Two-factor off'}
    </Text>
  </div>
)

/** Returns whether a member is the last owner, who cannot be demoted or removed. */
const isLastOwner = ({ members }: Team, { role }: TeamMember): boolean =>
  role === 'owner' && members.filter((each) => each.role === 'owner').length === 1

const Person = ({ member: { name, email, is_this } }: { member: TeamMember }) => (
  <div className={classes.person}>
    <span className={classes.initial} aria-hidden>
      {name.slice(0, 1).toUpperCase()}
    </span>
    <div className={classes.words}>
      <Group gap={8}>
        <Text fw={600}>{name}</Text>
        {is_this && (
          <Badge variant="light" tt="none" radius="sm">
            You
          </Badge>
        )}
      </Group>
      <Text c="dimmed" size="xs">
        {email}
      </Text>
    </div>
  </div>
)
