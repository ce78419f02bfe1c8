import { Radio, Stack } from '@mantine/core'
import type { Role, Team } from '../../answers.ts'
import { roleWords } from '../../role-words.ts'
import classes from './team.module.css'

type Props = { roles: Team['roles']; value?: string; error?: unknown; onChange?: (value: string) => void }

/** Chooses one of the roles that the person may assign, each with its purpose. */
export const RoleField = ({ roles, value, onChange, error }: Props) => (
  <Radio.Group
    label="Role"
    value={value ?? null}
    {...(onChange && { onChange })}
    error={typeof error === 'string' ? error : undefined}
  >
    <Stack gap={8} mt={6}>
      {roles
        .filter(({ may_give }) => may_give)
        .map(({ role }) => (
          <RoleChoice key={role} role={role} />
        ))}
    </Stack>
  </Radio.Group>
)

const RoleChoice = ({ role }: { role: Role }) => (
  <Radio
    className={classes.choice ?? ''}
    value={role}
    label={roleWords[role].name}
    description={roleWords[role].summary}
  />
)
