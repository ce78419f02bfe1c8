import { Text } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { Team } from '../../answers.ts'
import { Section } from '../../layout/section.tsx'
import { permissionWords, roleWords } from '../../role-words.ts'
import classes from './team.module.css'

/** Shows what each role may do, from the table of the service. */
export const RolesSection = ({ roles }: { roles: Team['roles'] }) => (
  <Section title="What each role can do">
    <dl className={classes.roles}>
      {roles.map(({ role, permissions }) => (
        <div key={role} className={classes.role}>
          <dt>
            <Text fw={600}>{roleWords[role].name}</Text>
          </dt>
          <dd>
            <Text>{roleWords[role].summary}</Text>
            <ul className={classes.can} aria-label={`${roleWords[role].name} can`}>
              {permissions.map((permission) => (
                <li key={permission}>
                  <IconCheck size={14} stroke={2.5} aria-hidden />
                  {permissionWords[permission]}
                </li>
              ))}
            </ul>
          </dd>
        </div>
      ))}
    </dl>
  </Section>
)
