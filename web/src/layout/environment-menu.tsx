import { Menu, UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { Environment } from '../answers.ts'
import { useServiceContext } from '../service-context.ts'
import classes from './environment-menu.module.css'

export const environmentNames: Record<Environment, string> = {
  sandbox: 'Sandbox',
  demo: 'Demo',
  production: 'Production',
}

/** The current environment in its own color, and links to the others. */
export function EnvironmentMenu() {
  const { environment, environments } = useServiceContext()
  const others = environments.filter(({ name }) => name !== environment)
  if (others.length === 0) {
    return (
      <span className={classes.badge} data-environment={environment}>
        {environmentNames[environment]}
      </span>
    )
  }
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <UnstyledButton
          className={classes.badge}
          data-environment={environment}
          aria-label={`${environmentNames[environment]} environment`}
        >
          {environmentNames[environment]}
          <IconChevronDown size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Switch environment</Menu.Label>
        {others.map(({ name, url }) => (
          <Menu.Item
            key={name}
            component="a"
            href={url}
            leftSection={<span className={classes.dot} data-environment={name} />}
          >
            {environmentNames[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
